"""Sets of times, and what a recording knows of which times."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from heapq import merge

from console.base.frozen import Frozen
from console.kinds.connection.facts import lost
from console.live.delta import CURRENT, Freshness, Health
from console.recording.changes import Gap, RecordedChange
from console.recording.format import HEALTH, LINK
from console.recording.observed import health_of
from console.recording.recording import ListRecording
from console.records.connection import Connection
from console.records.record import Record

Interval = tuple[int, int]
"""Start and end in ms since the epoch."""


class Times(Frozen):
    """Intervals in order that do not overlap."""

    parts: tuple[Interval, ...] = ()

    @property
    def ms(self) -> int:
        """The length of all together."""
        return sum(end - start for start, end in self.parts)

    def within(self, start: int, end: int) -> Iterator[Interval]:
        """Yield what lies within an interval."""
        for place in range(bisect_left(self.parts, start, key=lambda interval: interval[1]), len(self.parts)):
            first, last = self.parts[place]
            if first >= end:
                return
            if max(first, start) < min(last, end):
                yield max(first, start), min(last, end)

    def holds(self, at_ms: int) -> bool:
        """Return whether a moment is in one of them. A beginning is not: what changed before is known only then."""
        place = bisect_left(self.parts, at_ms, key=lambda interval: interval[1])
        return place < len(self.parts) and self.parts[place][0] < at_ms

    def last(self, until: int, otherwise: int) -> int:
        """Return the last moment in one of them until a moment, `otherwise` without one."""
        place = bisect_left(self.parts, (until,))
        return min(until, self.parts[place - 1][1]) if place else otherwise

    def both(self, other: Times) -> Times:
        """Return the times that are in both."""
        return Times(tuple(interval for start, end in self.parts for interval in other.within(start, end)))

    def without(self, other: Times) -> Times:
        """Return the times that are not in another set."""
        intervals: list[Interval] = []
        for start, end in self.parts:
            at = start
            for first, last in other.within(start, end):
                if at < first:
                    intervals.append((at, first))
                at = last
            if at < end:
                intervals.append((at, end))
        return Times(tuple(intervals))


class Outage(Frozen):
    """A time in which the service could not be reached."""

    start_ms: int
    end_ms: int
    reason: str


class KnownTimes(Frozen):
    """Coverage of the time between two moments by a recording."""

    whole: Interval
    recorded: Times
    gaps: tuple[Gap, ...]
    """Times that were not recorded, also before and after the recording."""
    kinds: Mapping[str, Times]
    """The times in which each list was current."""
    outages: tuple[Outage, ...]
    """Of the link."""
    cut: tuple[str, ...] = ()
    """The lists that had only their first rows at some time."""
    link_missing_ms: int = 0
    """For how long of the recorded time the state of the link is not known."""

    def of(self, *kinds: str) -> Times:
        """Return the times in which all of these lists were current."""
        times = self.recorded
        for kind in kinds:
            times = times.both(self.kinds.get(kind, Times()))
        return times

    def missing(self, kind: str) -> Times:
        """Return the recorded times in which a list was not current although the service was reached."""
        down = Times(tuple((outage.start_ms, outage.end_ms) for outage in self.outages))
        return self.recorded.without(self.of(kind)).without(down)

    def missing_ms(self, *kinds: str) -> int:
        """Return for how long one of these lists was not known."""
        return self.whole[1] - self.whole[0] - self.of(*kinds).ms


def known_times(recording: ListRecording, first: int, last: int) -> KnownTimes:
    """Return what a recording knows of a time."""
    recorded = Times(
        tuple((max(start, first), min(end, last)) for start, end in recording.spans if start < last and end > first)
    )
    open_since: dict[str, int] = {}
    parts: dict[str, list[Interval]] = {}
    down: tuple[int, str] | None = None
    outages: list[Outage] = []
    cut: set[str] = set()

    def ended(at_ms: int) -> None:
        if down is not None:
            outages.extend(Outage(start, end, down[1]) for start, end in recorded.within(down[0], at_ms))

    def note(name: str, row: Record | None, at_ms: int) -> None:
        nonlocal down
        health = Health() if row is None else health_of(row.encoded(), at_ms)
        if health.cut:
            cut.add(name)
        is_known = health.state in CURRENT if name != LINK else health.state is not Freshness.LOADING
        if is_known:
            open_since.setdefault(name, at_ms)
        elif name in open_since:
            parts.setdefault(name, []).append((open_since.pop(name), at_ms))
        if name == LINK:
            if not lost(Connection(state=health.state.value)):
                ended(at_ms)
                down = None
            elif down is None:
                down = at_ms, health.reason

    for name, row in recording.rows(HEALTH, first).items():
        note(name, row, first)
    for change in recording.changes(HEALTH, first, last):
        note(change.key, change.after, change.at_ms)
    ended(last)
    for name, since in open_since.items():
        parts.setdefault(name, []).append((since, last))
    kinds = {name: Times(tuple(intervals)).both(recorded) for name, intervals in parts.items()}
    gaps = _gaps(recording, recorded, first, last)
    unlinked = recorded.without(kinds.pop(LINK, Times()))
    return KnownTimes((first, last), recorded, gaps, kinds, tuple(outages), tuple(sorted(cut)), unlinked.ms)


def _gaps(recording: ListRecording, recorded: Times, first: int, last: int) -> tuple[Gap, ...]:
    reasons = {gap.end_ms: gap.reason for gap in recording.gaps}
    missing = Times(((first, last),)).without(recorded)
    return tuple(Gap(start, end, reasons.get(end, "")) for start, end in missing.parts)


def in_order(*changes: Iterator[tuple[str, RecordedChange]]) -> Iterator[tuple[str, RecordedChange]]:
    """Merge the changes of several kinds by their moments."""
    return merge(*changes, key=lambda change: change[1].at_ms)
