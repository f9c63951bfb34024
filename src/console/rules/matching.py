"""Which rows of a list a rule is about, updated by the changes of the list and by time."""

from __future__ import annotations

import math
import operator
from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from console.base.delay_queue import DelayQueue
from console.base.frozen import Frozen
from console.kinds.catalogue import LIVE
from console.live.backend_api import ListsApi
from console.live.delta import Delta, Freshness
from console.live.rest import Rest
from console.records.extent import Extent
from console.records.record import Record
from console.rules.compiled import Compiled
from console.rules.condition import Condition
from console.rules.rule import Rule
from console.views.doubt import in_doubt, unread_fields
from console.views.render_context import RenderContext
from console.views.table import Column
from console.views.thresholds import Threshold

MOST_KEYS = 500
"""Most keys of rows in a verdict."""
_KNOWN = frozenset({Freshness.LIVE, Freshness.POLLING, Freshness.STALE})
"""Freshness in which the rows of a list say something. In others, episodes stay as they are."""
_WAITS_MS = 3_000.0
"""Longest time that the first rows of a list wait for the lists on which their values depend."""
_FOLLOWED_MS = 1_000.0
"""Shortest time between two evaluations of all rows because another list changed."""
_COMPARE: Mapping[str, Callable[[float, float], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
}

_moment, _key = operator.itemgetter(0), operator.itemgetter(1)
"""Of a row with a known beginning."""


class RuleVerdict(Frozen):
    """Whether a rule applies to a group of rows at a moment, and to which."""

    holds: bool
    critical: bool
    count: int
    keys: tuple[str, ...]
    """The longest waiting first."""
    since: float | None
    """When the oldest of them began, in ms since the epoch."""
    again: float | None
    """When the verdict can change without a change of rows, in ms since the epoch."""


class RowGroup:
    """The rows of one episode."""

    def __init__(self) -> None:
        self.since: dict[str, float | None] = {}
        self.ordered: list[tuple[float, str]] = []
        """The rows with a known beginning, the oldest first."""
        self.numbers: dict[str, dict[str, float]] = {}

    def put(self, key: str, since: float | None, numbers: dict[str, float]) -> None:
        """Add or replace a row."""
        if key in self.since:
            if self.since[key] != since:
                self._unplace(key)
                self._place(key, since)
        else:
            self._place(key, since)
        self.since[key] = since
        if numbers or key in self.numbers:
            self.numbers[key] = numbers

    def drop(self, key: str) -> None:
        """Remove a row."""
        self._unplace(key)
        del self.since[key]
        self.numbers.pop(key, None)

    def _place(self, key: str, since: float | None) -> None:
        if since is not None:
            insort(self.ordered, (since, key))

    def _unplace(self, key: str) -> None:
        since = self.since[key]
        if since is not None:
            del self.ordered[bisect_left(self.ordered, (since, key))]

    def total(self, column: str) -> float:
        """Return the sum of a column, independent of the order of changes."""
        return math.fsum(numbers.get(column, 0.0) for numbers in self.numbers.values())

    def _part(self, condition: Condition, limit: float, now_ms: float) -> tuple[int, int, float | None]:
        """Return the first and the last position of the counted rows among `ordered`, and when they change by time."""
        ordered = self.ordered
        if condition.measure == "longest":
            place = bisect_right if condition.operator == ">=" else bisect_left
            over = place(ordered, now_ms - limit, key=_moment)
            slack = 1.0 if condition.operator == ">" else 0.0
            return 0, over, ordered[over][0] + limit + slack if over < len(ordered) else None
        first = bisect_right(ordered, now_ms - condition.window_ms, key=_moment)
        return first, len(ordered), ordered[first][0] + condition.window_ms if first < len(ordered) else None

    def judged(self, condition: Condition, thresholds: Mapping[str, Threshold], now_ms: float) -> RuleVerdict:
        """Return the verdict of one condition."""
        limit = condition.limit.of(thresholds)
        if condition.measure in {"longest", "rate"}:
            first, last, again = self._part(condition, limit, now_ms)
            count = last - first
            holds = count > 0 if condition.measure == "longest" else _COMPARE[condition.operator](count, limit)
            keys = tuple(map(_key, self.ordered[first : min(last, first + MOST_KEYS)]))
            return RuleVerdict(holds, False, count, keys, self.ordered[first][0] if count else None, again)
        value = float(len(self.since)) if condition.measure == "count" else self.total(condition.column)
        holds = _COMPARE[condition.operator](value, limit)
        keys = [*map(_key, self.ordered[:MOST_KEYS])]
        if len(keys) < MOST_KEYS and len(keys) < len(self.since):
            keys += sorted(key for key, since in self.since.items() if since is None)
        since = self.ordered[0][0] if self.ordered else None
        return RuleVerdict(holds, False, len(self.since), tuple(keys[:MOST_KEYS]), since, None)


_NOBODY = RowGroup()


class RuleMatches:
    """The rows that match one rule, in groups."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.groups: dict[str, RowGroup] = {}
        self.changed: set[str] = set()
        """The groups whose verdict may differ."""
        self.due = DelayQueue()
        """When the verdicts of groups can change with time."""
        self._group_of: dict[str, str] = {}
        self.matching_keys: Collection[str] = self._group_of.keys()
        """The keys of all matching rows."""
        self.of_nothing = compiled.rule.condition.of_nothing
        """Whether its condition can be true without any row."""
        if not compiled.rule.each:
            self.changed.add("")

    def put(self, key: str, record: Record, render: RenderContext) -> None:
        """Add or replace a matching row, if the rule is about it. What cannot be read of it now is as it was."""
        if self.compiled.rule.key not in ("", key):
            return

        def is_lost(column: Column[Any] | None) -> bool:
            return column is not None and in_doubt(column, record, render)

        about, since = self.compiled.about(record, render), self.compiled.since(record, render)
        numbers = self.compiled.numbers(record, render)
        before = self._group_of.get(key)
        if before is not None:
            known = self.groups[before]
            if before != about and is_lost(self.compiled.group):
                about = before
            if since is None and known.since[key] is not None and is_lost(self.compiled.ages):
                since = known.since[key]
            for name, number in known.numbers.get(key, {}).items():
                if name not in numbers and is_lost(self.compiled.sums[name]):
                    numbers[name] = number
            if before != about:
                self.drop(key)
        group = self.groups.get(about)
        if group is None:
            group = self.groups[about] = RowGroup()
        self._group_of[key] = about
        group.put(key, since, numbers)
        self.changed.add(about)

    def in_doubt(self, keys: Iterable[str], render: RenderContext) -> list[str]:
        """Return the keys of rows that may still be what they were: they are not listed, or cannot be read."""
        compiled = self.compiled
        conditions = (compiled.rule.condition, compiled.rule.critical)
        needed = [compiled.group, *compiled.sums.values()]
        if any(condition is not None and condition.measure in {"longest", "rate"} for condition in conditions):
            needed.append(compiled.ages)

        def may_be(key: str) -> bool:
            record = render.find(compiled.rule.list, key)
            if record is None:
                return render.extent(compiled.rule.list) is not Extent.WHOLE
            if key not in self._group_of:
                return _may_match(compiled, record, render)
            return any(column is not None and in_doubt(column, record, render) for column in needed)

        return [key for key in keys if may_be(key)]

    def drop(self, key: str) -> None:
        """Remove a row, if it matched."""
        about = self._group_of.pop(key, None)
        if about is None:
            return
        group = self.groups[about]
        group.drop(key)
        if not group.since:
            del self.groups[about]
        self.changed.add(about)

    def take(self, now_ms: float) -> set[str]:
        """Return the groups to judge, and forget that they changed."""
        changed = self.changed
        self.changed = set()
        changed.update(self.due.take(now_ms))
        return changed

    def verdict(self, about: str, thresholds: Mapping[str, Threshold], now_ms: float) -> RuleVerdict:
        """Return the verdict of a group, and note when to judge it again."""
        rule, group = self.compiled.rule, self.groups.get(about, _NOBODY)
        judged = group.judged(rule.condition, thresholds, now_ms)
        again, critical = judged.again, rule.severity == "critical"
        if rule.critical is not None:
            worse = group.judged(rule.critical, thresholds, now_ms)
            critical = critical or worse.holds
            again = min((value for value in (again, worse.again) if value is not None), default=None)
        self.due.put(about, again)
        return RuleVerdict(judged.holds, critical, judged.count, judged.keys, judged.since, again)

    def counted_from(self, thresholds: Mapping[str, Threshold]) -> float | None:
        """Return the age in ms from which rows count, if the condition is about their age."""
        condition = self.compiled.rule.condition
        return condition.limit.of(thresholds) if condition.measure == "longest" else None


class ListWatch:
    """A list with the rules about it: each row is read once, and each filter evaluated once."""

    def __init__(self, kind: str, matches: Sequence[RuleMatches], rest: Rest) -> None:
        self.kind = kind
        self.matches = matches
        self.known = False
        """Whether its rows say something now."""
        self.judged = False
        """Whether its rules were evaluated once."""
        self.rest = rest
        """Many changes of one list do not delay the rules about another."""
        self._follows: Sequence[str] = matches[0].compiled.table.follows if matches else ()
        """The other lists on which the values of its rows depend."""
        self._followed: dict[str, object] = {}
        self._followed_at = 0.0
        self._first_at = 0.0
        self._version = 0
        self._updated_at = 0
        self._by_filter: list[tuple[Compiled, list[RuleMatches], DelayQueue]] = []
        filters: dict[str, int] = {}
        for match in matches:
            text = match.compiled.rule.filter.strip()
            if text not in filters:
                filters[text] = len(self._by_filter)
                self._by_filter.append((match.compiled, [], DelayQueue()))
            self._by_filter[filters[text]][1].append(match)

    @property
    def rules(self) -> list[Rule]:
        """Its rules. A list is not evaluated again because the rules of another list changed."""
        return [match.compiled.rule for match in self.matches]

    def update(self, backend: ListsApi, render: RenderContext, since_break: float) -> None:
        """Read the changes of the list. `since_break` are the seconds since the last break of the clock."""
        health = backend.health(self.kind)
        if not self.judged and not self._is_complete(backend, render):
            self.known = False
            return
        # Rows of a lost connection say what was true; no more is known than that.
        self.known = health.age is not None and (
            # Rows from before a sleep are not old by the time of the sleep: they may be long gone.
            health.age < since_break if health.state in _KNOWN else not self.judged
        )
        delta = backend.delta(self.kind, self._version)
        if self.known:
            self._version = delta.version
            self._apply(delta, render, backend.records(self.kind), self._is_outdated(render))

    def _apply(self, delta: Delta[Record], render: RenderContext, known: Mapping[str, Record], anew: bool) -> None:
        """Apply the changes of the list, and evaluate the rows that are due.

        `known` are all rows; with `anew`, all of them are evaluated, because another list has changed. So they are
        after a clock was set back: a row that was old enough may not be so any more.
        """
        anew = anew or render.now_ms < self._updated_at
        self._updated_at = render.now_ms
        removed: Iterable[str] = delta.removes
        if delta.whole:
            # A row that matches nothing, of which nothing is kept, need not be removed.
            removed = {key for rule in self.matches for key in rule.matching_keys if key not in delta.upserts}
        for key in removed:
            for _, matches, due in self._by_filter:
                due.put(key, None)
                for match in matches:
                    match.drop(key)
        changed: Mapping[str, Record] = known if anew else delta.upserts
        for compiled, matches, due in self._by_filter:
            self._evaluate(changed, compiled, matches, due, render)
            dues = {key: record for key in due.take(render.now_ms) if (record := known.get(key)) is not None}
            self._evaluate(dues, compiled, matches, due, render)

    @staticmethod
    def _evaluate(
        records: Mapping[str, Record],
        compiled: Compiled,
        matches: list[RuleMatches],
        due: DelayQueue,
        render: RenderContext,
    ) -> None:
        evaluate, ticks = compiled.filter.evaluate, compiled.filter.ticks
        for key, record in records.items():
            matched, again = evaluate(record, render)
            if ticks:
                due.put(key, again)
            for match in matches:
                if matched:
                    match.put(key, record, render)
                elif key in match.matching_keys and not _may_match(compiled, record, render):
                    match.drop(key)

    def _is_complete(self, backend: ListsApi, render: RenderContext) -> bool:
        """Return whether the lists on which its values depend are known, or are not within a while."""
        backend.records(self.kind)
        if backend.health(self.kind).age is None:
            return False
        self._first_at = self._first_at or render.now_ms
        if render.now_ms - self._first_at >= _WAITS_MS:
            return True
        return all(_answered(backend, follow) for follow in self._follows if follow in LIVE)

    def _is_outdated(self, render: RenderContext) -> bool:
        """Return whether a list on which its values depend has changed."""
        if not self._follows or 0 <= render.now_ms - self._followed_at < _FOLLOWED_MS:
            return False
        now: dict[str, object] = {kind: render.lookup(kind) for kind in self._follows}
        if all(self._followed.get(kind) is known for kind, known in now.items()):
            return False
        self._followed, self._followed_at = now, render.now_ms
        return True


def _may_match(compiled: Compiled, record: Record, render: RenderContext) -> bool:
    """Return whether a row that does not match may do so, because a field or another list cannot be read."""
    is_known = all(render.extent(kind) is Extent.WHOLE for kind in compiled.table.follows)
    if is_known and not unread_fields(record):
        return False
    return compiled.filter.matches_if_known(record, render) is None


def _answered(backend: ListsApi, kind: str) -> bool:
    """Return whether a list is known, or the service does not have it."""
    backend.records(kind)
    health = backend.health(kind)
    return health.age is not None or health.state is not Freshness.LOADING or bool(health.reason)
