"""Rules without a screen: on recorded changes, and on the events of a service.

`console rules test --since` plays the recorded changes through a rule. `console watch --rules` is the console without a
screen: episodes as JSON lines, and notices by all ways.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from console.base.clock import SystemClock
from console.base.frozen import replace
from console.base.zone import zone_of
from console.cli.connection import SelectedProfile
from console.cli.exits import Exit, Failure
from console.cli.live_backend import Followed, followed
from console.cli.output import escaped, one_line, talk
from console.cli.past.profile_recording import moment, opened, render_at, report_damage
from console.cli.past.recordings import clock
from console.cli.rules.notice_secret import outside_of
from console.config.paths import places
from console.kinds.catalogue import LIVE
from console.kinds.episodes.facts import muted, over
from console.kinds.tables import TABLES
from console.live.backend_api import ListsApi
from console.live.delta import Delta, Freshness, Health
from console.live.rest import no_rest
from console.notices.claims import Claims
from console.notices.notifier import FLASH, Notifier
from console.notices.ways.known_terminals import sequence_for
from console.notices.ways.lanes import lanes
from console.notices.ways.terminal import Bell, TerminalNotification, Title
from console.notices.ways.way import Way
from console.recording.recording import ListRecording
from console.records.episodes import Episode
from console.records.extent import Extent
from console.records.record import Record
from console.rules.reading import load_rules
from console.rules.rule import Rule
from console.rules.watch import EPISODES, Watch
from console.views import wording
from console.views.export import to_object
from console.views.render_context import RenderContext

BEAT_MS = 100
"""Shortest time between two evaluations, as in a running console."""
TICK_MS = 1_000
"""Longest time: durations end without a change."""


def played_since(chosen: SelectedProfile, rules: list[Rule], since: str, *, json: bool) -> int:
    """Print when each episode of the last rule would have begun and ended. The others may prevent it.

    Return the exit code. Raise Failure.
    """
    rule, first = rules[-1], moment(since, "--since", chosen)
    with opened(chosen) as recording:
        span = recording.span
        if span is None or span[1] <= first:
            raise Failure(Exit.FAILED, "nothing was recorded since then; see `console recordings list`")
        if rule.list not in recording.kinds:
            raise Failure(Exit.FAILED, f"the {rule.list} were not loaded, so they are not in the recording")
        if span[0] > first:
            talk(f"recorded since {clock(span[0], zone_of(chosen.profile.time_zone))}")
        matching_episodes = [
            episode
            for episode in _played(recording, chosen, rules, max(first, span[0]), span[1])
            if episode.rule == rule.name
        ]
        is_damaged = report_damage(recording)
    zone = zone_of(chosen.profile.time_zone)
    for episode in matching_episodes:
        print(one_line(episode.wire()) if json else escaped(_line(episode, zone, span[1])))
    if is_damaged:
        talk(f"{rule.name} is tried on what can be read of the recording only")
        return Exit.FAILED
    if not matching_episodes:
        talk(f"{rule.name} would not have begun")
        return Exit.CONDITION
    return Exit.OK


def _played(
    recording: ListRecording, chosen: SelectedProfile, rules: list[Rule], first_ms: int, last_ms: int
) -> list[Episode]:
    """Evaluate rules at all moments at which something changed; return the episodes in the order of their beginning."""
    lists = RecordedLists(recording, first_ms)
    render = render_at(recording, first_ms, chosen)

    def extent(kind: str) -> Extent:
        return lists.extent(kind) if kind in LIVE else Extent.WHOLE

    def now() -> Any:
        return replace(render, now_ms=lists.at_ms, lookup=lists.records, extent=extent)

    watch = Watch([replace(rule, enabled=True) for rule in rules], lists, now, rest=no_rest)
    episodes: dict[str, Episode] = {}
    version = 0
    for lists.at_ms in _moments(recording, {rule.list for rule in rules}, first_ms, last_ms):
        watch.update()
        if watch.collection.version != version:
            version = watch.collection.version
            episodes |= watch.collection.copy()
    return sorted(episodes.values(), key=lambda episode: episode.began_at or 0)


def _moments(recording: ListRecording, kinds: set[str], first_ms: int, last_ms: int) -> Iterator[int]:
    """Yield the moments of an evaluation: soon after each change, and every second, within the recorded times."""
    changed = sorted({_beat(change.at_ms) for kind in kinds for change in recording.changes(kind, first_ms, last_ms)})
    for start, end in recording.spans:
        at, end = max(start, first_ms), min(end, last_ms)
        ticks = range(_beat(at), end + 1, TICK_MS)
        yield from sorted({at, end, *ticks, *(value for value in changed if at <= value <= end)}) if at < end else ()


def _beat(at_ms: int) -> int:
    return -(-at_ms // BEAT_MS) * BEAT_MS


def _line(episode: Episode, zone: Any, last_ms: int) -> str:
    began, ended = wording.at(episode.began_at), wording.at(episode.ended_at)
    until = f"to {clock(round(ended), zone)}" if ended is not None else "still on"
    lasted = wording.span_words((last_ms if ended is None else ended) - (began or 0))
    many = f" (×{episode.count})" if (episode.count or 0) > 1 else ""
    return f"{clock(round(began or 0), zone)} {until}  {lasted}  {episode.severity}  {episode.words}{many}"


class RecordedLists(ListsApi):
    """All lists at a moment, which can be moved. For one reader; not safe for threads."""

    def __init__(self, recording: ListRecording, at_ms: int) -> None:
        self.recording = recording
        self.at_ms = at_ms
        self._told: dict[str, tuple[int, Mapping[str, Record]]] = {}
        """Version and rows that were last returned as changes, by kind."""

    @property
    def link(self) -> Health:
        """The connection as it was."""
        return self.recording.link(self.at_ms)

    def records(self, kind: str) -> Mapping[str, Record]:
        """Return the records of a kind, the same object if nothing changed."""
        return self.recording.rows(kind, self.at_ms)

    def health(self, kind: str) -> Health:
        """Return the freshness of a kind as it was."""
        return self.recording.health(kind, self.at_ms)

    def delta(self, kind: str, since: int) -> Delta[Any]:
        """Return the changes since the last call; everything for another version than its."""
        version, before = self._told.get(kind, (0, {}))
        rows = self.records(kind)
        if since == version and version and rows is before:
            return Delta(version, whole=False)
        self._told[kind] = version + 1, rows
        if since != version or not version:
            return Delta(version + 1, whole=True, upserts=rows)
        upserts = {key: record for key, record in rows.items() if before.get(key) is not record}
        removes = frozenset(before.keys() - rows.keys())
        return Delta(version + 1, whole=False, upserts=upserts, removes=removes)


BEAT_SECONDS = 0.1
ONCE_SECONDS = 30.0
"""Longest time until all lists are known, for one look."""
LAST_SECONDS = 5.0
"""Time at the end for notices that are under way."""
_SERIOUS = frozenset({"critical", "warning"})


class _WatchedEpisodes:
    """The episodes of the profile, for notices."""

    def __init__(self, running: Followed, watch: Watch) -> None:
        chosen = running.chosen
        self.running = running
        self.watch = watch
        self.profile = chosen.name
        self.zone = zone_of(chosen.profile.time_zone)
        # A console of the same person tells too: it has a screen, and mostly other ways.
        self.whose = f"{chosen.profile.core}\n{chosen.profile.username or ''}\nwithout a screen"
        self.printer = _Printer(chosen.name)
        self.lists = frozenset(rule.list for rule in watch.rules if rule.enabled)

    def changes(self, since: int) -> Delta[Episode]:
        """Return the changes, and print those that a person would want to know."""
        delta: Delta[Episode] = self.running.backend.delta(EPISODES, since)
        self.printer.take(delta, self.running.render())
        return delta

    def known(self) -> Collection[str]:
        return self.watch.judged

    def saw(self, episodes: Mapping[str, int]) -> None:
        """Nobody sees them here."""

    @property
    def lists_that_answered(self) -> frozenset[str]:
        """The lists that rules watch, without those that the service refuses."""
        return frozenset(name for name in self.lists if self.running.backend.health(name).age is not None)

    @property
    def loading(self) -> bool:
        """Whether one of the lists has not answered yet."""
        return any(self.running.backend.health(name).state in _NOT_YET for name in self.lists)


_NOT_YET = frozenset({Freshness.LOADING, Freshness.OFFLINE})


@dataclass
class _Printer:
    """Prints an episode when it begins, is renewed, is muted or ends."""

    profile: str
    _known: dict[str, tuple[str, float]] = field(default_factory=dict[str, tuple[str, float]])

    def take(self, delta: Delta[Episode], render: RenderContext) -> None:
        """Print the changes."""
        for key in delta.removes:
            self._known.pop(key, None)
        for key, episode in delta.upserts.items():
            now = (episode.state or "", float(episode.renewed_at or 0))
            before = self._known.get(key)
            self._known[key] = now
            if before != now and (before is not None or not over(episode)):
                change = _change(before, now)
                row = to_object(episode, TABLES[EPISODES].columns, render)
                self.line({"change": change, "profile": self.profile, "key": key, "record": row})
        sys.stdout.flush()

    def line(self, value: dict[str, Any]) -> None:
        """Print a line of JSON."""
        print(one_line(value))


def _change(before: tuple[str, float] | None, now: tuple[str, float]) -> str:
    if now[0] != "active":
        return now[0]
    return "began" if before is None or before[0] != "active" else "renewed"


def watch_rules(chosen: SelectedProfile, *, once: bool, seconds: float | None) -> int:
    """Follow the episodes of all rules; with `once`, print the open ones and end.

    Return the exit code. Raise Failure after a fatal error.
    """
    with followed(chosen, rules=load_rules(places(os.environ))) as running:
        assert running.watch is not None
        source = _WatchedEpisodes(running, running.watch)
        running.backend.show(source.lists)
        return _look_once(source, seconds) if once else _follow(source, chosen, seconds)


def _look_once(source: _WatchedEpisodes, seconds: float | None) -> int:
    running = source.running
    end = time.monotonic() + (ONCE_SECONDS if seconds is None else seconds)
    while source.loading:
        running.check()
        if time.monotonic() > end:
            reason = running.backend.link.reason or "the lists did not arrive in time"
            raise Failure(Exit.CONNECTION, f"not everything is known: {reason}")
        time.sleep(BEAT_SECONDS)
    while not source.lists_that_answered <= source.watch.judged:
        time.sleep(BEAT_SECONDS)
    source.changes(0)
    episodes: Collection[Any] = running.backend.records(EPISODES).values()
    if _serious(episodes):
        return Exit.CONDITION
    in_doubt = sorted(name for name in source.lists if running.backend.extent(name) is not Extent.WHOLE)
    if not in_doubt:
        return Exit.OK
    talk(f"not everything is known: these lists cannot be read, or not whole: {', '.join(in_doubt)}; see their rules")
    return Exit.FAILED


def _serious(episodes: Collection[Episode]) -> bool:
    """Return whether a critical episode or a warning is open and not muted."""
    return any(not over(episode) and not muted(episode) and episode.severity in _SERIOUS for episode in episodes)


def _follow(source: _WatchedEpisodes, chosen: SelectedProfile, seconds: float | None) -> int:
    notices = chosen.config.notices
    outer = lanes(notices, outside_of(notices, os.environ), lambda _: chosen.endpoint)
    claims = Claims(places(os.environ).notices)
    notifier = Notifier(notices, (*_of_the_terminal(chosen), *outer), time.monotonic, claims)
    notifier.follow(source)
    clock = SystemClock()
    end = None if seconds is None else time.monotonic() + seconds
    try:
        while end is None or time.monotonic() < end:
            source.running.check()
            for notice, ways in notifier.beat(clock.now_ms()):
                used = [way for way in ways if way != FLASH]
                source.printer.line({"change": "notice", "ways": used, **notice.to_object()})
            sys.stdout.flush()
            for text in notifier.failures():
                print(f"console: {text}", file=sys.stderr, flush=True)
            time.sleep(BEAT_SECONDS)
    finally:
        notifier.close(LAST_SECONDS)
    return Exit.OK


def _of_the_terminal(chosen: SelectedProfile) -> Iterator[Way]:
    """Yield the ways of the terminal on standard error, if it is one: lines of JSON go to standard output."""
    if not sys.stderr.isatty():
        return

    def write(sequence: str) -> None:
        with suppress(OSError):
            os.write(sys.stderr.fileno(), sequence.encode())

    named = chosen.config.notices.terminal
    if chosen.config.bell:
        yield Bell(write)
    yield Title(write, chosen.config.symbols)
    yield TerminalNotification(write, sequence_for(os.environ) if named == "auto" else named)
