"""The list of episodes: rules are evaluated when rows change, and when time does."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import filterfalse
from pathlib import Path

from console.base.clock import BreakTimer, Clock
from console.base.delay_queue import DelayQueue
from console.base.frozen import replace
from console.base.text import clean
from console.live.backend_api import ListsApi
from console.live.delta import Freshness, Health
from console.live.derived import DerivedList
from console.live.rest import Rest
from console.records.episodes import Episode
from console.records.extent import Extent
from console.rules.compiled import RuleFault, compiled
from console.rules.episodes import EpisodeBook, EpisodeTexts
from console.rules.keeping import load_episodes, note_evaluated, save_episodes
from console.rules.matching import MOST_KEYS, ListWatch, RuleMatches, RuleVerdict
from console.rules.mutes import LONGEST_REASON, Mute, MuteBook, Scope, names_of
from console.rules.rule import Rule
from console.views.render_context import RenderContext

EPISODES = "episodes"
SAVE_MS = 5_000.0
"""Shortest time between two writes of the file."""
_SWITCHED_OFF = "the rule was switched off"
_CANCELLED = "nobody waits for it any more"
_TOLD = "seen"
_NOT_KNOWN = "it is not known whether it still applies"


class Watch(DerivedList[Episode]):
    """The episodes of all rules. `update` is called by one thread; any thread reads the list and switches rules."""

    rests = False  # Its lists do, each by itself: many calls do not delay an alert.

    def __init__(
        self,
        rules: Iterable[Rule],
        backend: ListsApi,
        render: Callable[[], RenderContext],
        file: Callable[[], Path | None] | None = None,
        rest: Callable[[], Rest] = Rest,
        clock: Clock | None = None,
    ) -> None:
        """Create the list without evaluating anything. It continues with the episodes in `file`, and saves them.

        Nothing is evaluated as long as `file` returns None, since it is not known whose episodes they are.
        `rest` creates the pauses of lists whose evaluation takes long. After a break of `clock`, a list is not
        evaluated until it was proven again.
        """
        super().__init__(EPISODES, ())
        self._backend, self._render, self._find_file = backend, render, file
        self._file: Path | None = None
        self._rest = rest
        self._break_timer = None if clock is None else BreakTimer(clock)
        self._lock = threading.Lock()
        self._book, self._mutes = EpisodeBook(()), MuteBook(())
        self._had_mutes = False
        """Whether episodes may be muted from before."""
        self._saved_version = 0
        self._save_at = 0.0
        self._evaluated_at = 0.0
        self._updated_at = math.inf
        """When a list was last evaluated on current rows, in ms since the epoch."""
        self._given: tuple[Rule, ...] = ()
        self._once: dict[str, Rule] = {}
        """Rules that are forgotten once they were told, by name."""
        self._rules: tuple[Rule, ...] = ()
        self._lists: list[ListWatch] | None = None
        self._outdated = False
        """Whether the lists were prepared for other rules."""
        self._pending = DelayQueue()
        """When pending episodes begin, by rule and what they are about."""
        self.faults: dict[str, RuleFault] = {}
        """Rules that do not fit their lists, by name."""
        self.judged: frozenset[str] = frozenset()
        """Lists whose rules were evaluated once; the episodes that were found then are published."""
        self.changed: Callable[[], object] = lambda: None
        """Called after episodes changed, by the thread that evaluates the rules."""
        self.use(rules)
        self._is_known()

    def _is_known(self) -> bool:
        """Return whether the file of episodes is known. If it is another file, continue with its episodes."""
        if self._find_file is None:
            return True
        file = self._find_file()
        if file is None or file == self._file:
            return file is not None
        self.close()
        kept = load_episodes(file)
        with self._lock:
            others = set(self._book.episodes) if self._file is not None else set[str]()
            self._file, self._lists = file, None
            self._book, self._mutes, self._had_mutes = EpisodeBook(kept.episodes), MuteBook(kept.mutes), True
            self._updated_at = math.inf  # The clock may have been set back since they were written.
            self._once = {rule.name: rule for rule in kept.once} | ({} if others else self._once)
            self.judged = frozenset()
            self.collection.change({}, others)
            self._combine()
        return True

    @property
    def rules(self) -> tuple[Rule, ...]:
        """All rules, also those that are switched off and those that are told once."""
        return self._rules

    def use(self, rules: Iterable[Rule]) -> None:
        """Replace the rules, except those that are told once, from the next update on."""
        with self._lock:
            self._given = tuple(rules)
            self._combine()

    def wait_for(self, rule: Rule) -> None:
        """Add a rule that is told once. It is forgotten when its episode was seen, or is over."""
        with self._lock:
            self._once[rule.name] = rule
            self._combine()

    def forget(self, name: str) -> None:
        """Remove a rule that is told once."""
        now_ms = self._render().now_ms
        with self._lock:
            rule = self._once.pop(name, None)
            if rule is not None:
                self._book.end(rule.name, rule.key, now_ms, _CANCELLED)
                self._combine()
                self._publish(now_ms)

    def _combine(self) -> None:
        """Use the rules of files with those that are told once."""
        named = {rule.name for rule in self._given}
        self._rules = (*self._given, *(rule for rule in self._once.values() if rule.name not in named))
        self._outdated = True
        self.sources = frozenset(rule.list for rule in self._rules if rule.enabled)
        self._saved_version = -1

    def _forget_told(self, now_ms: float) -> None:
        """Forget the rules whose episode is over, or was seen."""
        over = [
            rule
            for rule in self._once.values()
            if self._book.seen(rule.name, rule.key)
            or (rule.key in self._book.switched.get(rule.name, ()) and not self._book.active(rule.name, rule.key))
        ]
        for rule in over:
            self._book.end(rule.name, rule.key, now_ms, _TOLD)
            del self._once[rule.name]
        if over:
            self._combine()

    @property
    def is_loading(self) -> bool:
        """Whether rows with rules are still loading or unevaluated. Lists that cannot be listed do not count."""
        lists, judged = self._lists, self.judged
        if lists is None:
            return True
        healths = (self._backend.health(listed.kind) for listed in lists if listed.kind not in judged)
        return any(health.age is not None or health.state is Freshness.LOADING for health in healths)

    def health(self, of: Callable[[str], Health]) -> Health:
        """Return the freshness: it is loading until the rules were evaluated."""
        del of
        return Health(Freshness.LIVE, 0.0) if self._lists is not None else Health()

    def update(self) -> None:
        """Evaluate the rules whose rows changed, or for which time passed."""
        if not self._is_known():
            return
        with self._lock:
            if self._lists is None or self._outdated:
                self._outdated = False
                self._lists = self._prepared()
            lists = self._lists
        render = self._render()
        # After the render context: a sleep before its time is noticed.
        since_break = math.inf if self._break_timer is None else self._break_timer.look()
        for list_watch in lists:
            if list_watch.rest.is_over() or not since_break:  # Also a list that rests says nothing from now on.
                with list_watch.rest.after():
                    list_watch.update(self._backend, render, since_break)
        with self._lock:
            if self._outdated:
                return
            # After a clock was set back, what waits for a later time waits for another one.
            until = render.now_ms
            if render.now_ms < self._updated_at:
                until = math.inf
                self._book.set_back(render.now_ms)
            self._updated_at = render.now_ms
            due = {tuple(value.split("\n", 1)) for value in self._pending.take(until)}
            for list_watch in lists:
                if list_watch.known:
                    self._judge(list_watch, due, render)
                else:
                    self._put_off(list_watch, due, render.now_ms)
            self._publish(render.now_ms)
            self.judged = frozenset(list_watch.kind for list_watch in lists if list_watch.judged)
        if any(list_watch.known for list_watch in lists):
            self._evaluated_at = render.now_ms
        if render.now_ms >= self._save_at or render.now_ms < self._save_at - SAVE_MS:
            self._save_at = render.now_ms + SAVE_MS
            self.close()

    def close(self) -> None:
        """Keep the episodes in the file, if anything changed since, and when they were known."""
        contents = None
        with self._lock:
            version, file = self.collection.version, self._file
            if file is None:
                return
            if version != self._saved_version:
                self._saved_version = version
                contents = list(self._book.episodes.values()), self._mutes.all, list(self._once.values())
        if contents is not None:
            save_episodes(file, *contents)
        note_evaluated(file, self._evaluated_at)

    # -- what a person does ------------------------------------------------------------------------------------------

    def see(self, episodes: Iterable[str], who: str = "", renewals: Mapping[str, int] | None = None) -> None:
        """Note that a person saw these episodes; `renewals` are the times of the seen renewals, in ms.

        An episode that was renewed later stays unseen.
        """
        now_ms = self._render().now_ms
        with self._lock:
            for episode in episodes:
                known = self._book.episodes.get(episode)
                if known is None or (renewals is not None and int(known.renewed_at or 0) > renewals.get(episode, 0)):
                    continue
                self._book.update(episode, {"seen_at": now_ms, "seen_by": who or None})
            self._publish(now_ms)

    def expect(self, records: Iterable[str], who: str = "") -> None:
        """Note that a person acts on these records: episodes that this causes soon after do not notify."""
        now_ms = self._render().now_ms
        with self._lock:
            self._book.expect(records, now_ms, who)

    def mute(self, scope: Scope, episodes: Iterable[str], until_ms: float, reason: str, who: str = "") -> int:
        """Mute these episodes, their rules, or their records until a time. Return how many things were muted.

        An episode without a single record has no record to mute.
        """
        now_ms = self._render().now_ms
        reason = str(clean(reason, LONGEST_REASON))
        with self._lock:
            known = (self._book.episodes.get(episode) for episode in episodes)
            named = {
                name for episode in known if episode is not None for kind, name in names_of(episode) if kind == scope
            }
            for name in named:
                self._mutes.put(Mute(scope, name, until_ms, reason, who))
            self._publish(now_ms)
        return len(named)

    def unmute(self, episodes: Iterable[str]) -> None:
        """End all mutes of these episodes, and of their rules and records."""
        now_ms = self._render().now_ms
        with self._lock:
            for episode in episodes:
                known = self._book.episodes.get(episode)
                if known is not None:
                    self._mutes.drop(known)
            self._publish(now_ms, renews=False)

    # -- evaluation --------------------------------------------------------------------------------------------------

    def _prepared(self) -> list[ListWatch]:
        """Prepare the enabled rules; those that wait for another rule come after it."""
        self.faults = {}
        by_list: dict[str, list[RuleMatches]] = {}
        enabled = [rule for rule in self._rules if rule.enabled]
        for rule in sorted(enabled, key=lambda rule: bool(rule.unless)):
            try:
                by_list.setdefault(rule.list, []).append(RuleMatches(compiled(rule)))
            except RuleFault as fault:
                self.faults[rule.name] = fault
        running = {match.compiled.rule.name for matches in by_list.values() for match in matches}
        now_ms = self._render().now_ms
        for episode in list(self._book.episodes.values()):
            if episode.rule not in running:
                self._book.end(episode.rule or "", episode.about or "", now_ms, _SWITCHED_OFF)
        before = {list_watch.kind: list_watch for list_watch in self._lists or () if list_watch.judged}
        return [
            known
            if (known := before.get(kind)) is not None and known.rules == [match.compiled.rule for match in matches]
            else ListWatch(kind, matches, self._rest())
            for kind, matches in by_list.items()
        ]

    def _put_off(self, listed: ListWatch, due: set[tuple[str, ...]], now_ms: float) -> None:
        """Keep the due episodes of a list that says nothing now until it does."""
        names = {rule.name for rule in listed.rules}
        for name, about in due:
            if name in names:
                self._pending.put(f"{name}\n{about}", now_ms)

    def _judge(self, listed: ListWatch, due: set[tuple[str, ...]], render: RenderContext) -> None:
        now_ms, book = render.now_ms, self._book
        for matches in listed.matches:
            rule = matches.compiled.rule
            abouts = matches.take(now_ms)
            abouts.update(about for name, about in due if name == rule.name)
            if not listed.judged:
                abouts.update(book.active_of(rule.name))
            if rule.unless:
                abouts.update(book.switched.get(rule.unless, ()))
            for about in sorted(abouts):
                self._judge_one(matches, about, render)
        listed.judged = True

    def _judge_one(self, matches: RuleMatches, about: str, render: RenderContext) -> None:
        rule, compiled = matches.compiled.rule, matches.compiled
        verdict = matches.verdict(about, render.thresholds, render.now_ms)
        name = f"{rule.name}\n{about}"
        if verdict.holds and matches.of_nothing and render.extent(rule.list) is Extent.PART:
            # Of a part of the rows, it is not known that there are so few.
            self._pending.put(name, render.now_ms)
            return
        keys = self._book.current_keys(rule.name, about)
        if not verdict.holds:
            in_doubt = not matches.of_nothing and bool(matches.in_doubt(keys, render))
            if in_doubt and self._book.has_room(rule.name):
                self._pending.put(name, render.now_ms)
                return
            self._pending.put(name, None)
            self._book.end(rule.name, about, render.now_ms, _NOT_KNOWN if in_doubt else "")
            return
        until = self._book.holds_until(rule.unless, about) if rule.unless else 0.0
        if until > render.now_ms:
            # A person who was told of the other a moment ago knows of this.
            self._pending.put(name, until if until < math.inf else None)
            self._book.end(rule.name, about, render.now_ms, f"{rule.unless} began")
            return
        first = render.find(rule.list, verdict.keys[0]) if verdict.keys else None
        episode_texts = EpisodeTexts(
            compiled.words(about, verdict.count, first, render),
            compiled.filter_of(about, matches.counted_from(render.thresholds)),
        )
        kept = self._with_doubtful(matches, about, verdict, keys, render)
        again = self._book.note(rule, about, kept, episode_texts, render.now_ms)
        self._pending.put(name, again if kept is verdict else render.now_ms)

    def _with_doubtful(
        self, matches: RuleMatches, about: str, verdict: RuleVerdict, keys: Sequence[str], render: RenderContext
    ) -> RuleVerdict:
        """Return a verdict that keeps the rows and the severity of its episode until they are known to be over."""
        if matches.of_nothing:
            return verdict
        rule = matches.compiled.rule
        is_of_rows = rule.critical is not None and not rule.critical.of_nothing
        eases = is_of_rows and not verdict.critical and self._book.is_critical(rule.name, about)
        asked = keys if eases else [*filterfalse(matches.matching_keys.__contains__, keys)]
        doubtful = matches.in_doubt(asked, render) if asked else []
        if not doubtful:
            return verdict
        others = [key for key in verdict.keys if key not in doubtful]
        kept = (*others[: MOST_KEYS - len(doubtful)], *doubtful)
        return replace(verdict, critical=verdict.critical or eases, keys=kept)

    def _publish(self, now_ms: float, *, renews: bool = True) -> None:
        book = self._book
        self._forget_told(now_ms)
        self._mutes.expire(now_ms)
        if self._mutes.all or self._had_mutes:
            self._had_mutes = bool(self._mutes.all)
            for episode in book.current():
                self._note_mute(episode, now_ms if renews else None)
        book.switched.clear()
        if not book.changed:
            return
        upserts = {value: book.episodes[value] for value in book.changed if value in book.episodes}
        self.collection.change(upserts, book.changed - upserts.keys())
        book.changed.clear()
        self.changed()

    def _note_mute(self, episode: Episode, renewed_at: float | None) -> None:
        """Mark an episode as muted or not. One whose mute has ended by itself is renewed."""
        mute = self._mutes.of(episode)
        if mute is not None:
            values = (mute.until, mute.by or None, mute.reason or None)
            changes = dict(zip(("muted_until", "muted_by", "reason"), values, strict=True))
            self._book.update(episode.id, {"state": "muted", **changes})
        elif episode.state == "muted":
            renewal = {"renewed_at": renewed_at} if renewed_at is not None else {}
            ended = {"muted_until": None, "muted_by": None, "reason": None}
            self._book.update(episode.id, {"state": "active", **ended, **renewal})
