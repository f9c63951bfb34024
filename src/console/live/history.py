"""Time series for charts and sparklines, in memory, sampled when the engine receives data."""

from __future__ import annotations

import threading
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, cast

from console.base.clock import Clock
from console.live import memory
from console.live.delta import CURRENT, Health
from console.live.follower import Follower

if TYPE_CHECKING:
    from console.records.traffic import StatusSummary


FINE_SECONDS = 4000.0
"""Longest span that is shown by all samples; a longer one by the highest of each minute."""
KEPT = 2_000
"""Samples per name: over an hour at one every two seconds."""
MINUTES_KEPT = 1_500
"""Minutes per name: over a day."""
_MINUTE = 60.0
_NEWEST_KEPT = 64
LISTS, COMPUTED = "lists", "computed"
"""The sources of samples."""
_MOST_PREPARED = 64


class Sample(NamedTuple):
    """Numbers that a source sampled at a moment, in ms since the epoch, by the name of their series."""

    at_ms: int
    source: str
    values: Mapping[str, float | None]


class _Ring:
    """The last samples: time in monotonic seconds, and value. 16 bytes each."""

    def __init__(self, kept: int) -> None:
        self._kept = kept
        self._times = array("d")
        self._values = array("d")
        self._next = 0
        """Index of the next sample once the ring is full."""

    def add(self, at: float, value: float) -> None:
        if len(self._times) < self._kept:
            self._times.append(at)
            self._values.append(value)
            return
        self._times[self._next], self._values[self._next] = at, value
        self._next = (self._next + 1) % self._kept

    @property
    def last(self) -> tuple[float, float] | None:
        if not self._times:
            return None
        return self._times[self._next - 1], self._values[self._next - 1]

    def replace_last(self, value: float) -> None:
        self._values[self._next - 1] = value

    def __iter__(self) -> Iterator[tuple[float, float]]:
        order = chain(range(self._next, len(self._times)), range(self._next))
        return ((self._times[place], self._values[place]) for place in order)


class Series:
    """The samples of one name: all of an hour, and the highest of each minute of a day."""

    def __init__(self, kept: int = KEPT) -> None:
        self.fine = _Ring(kept)
        self.minutes = _Ring(MINUTES_KEPT)

    def known(self, fine: bool) -> Iterable[tuple[float, float]]:
        """Return the times and values of all samples, or the highest of each minute."""
        return self.fine if fine else self.minutes

    def add(self, at: float, value: float) -> None:
        """Add a sample; times ascend."""
        self.fine.add(at, value)
        minute, last = at // _MINUTE * _MINUTE, self.minutes.last
        if last is None or last[0] != minute:
            self.minutes.add(minute, value)
        elif value > last[1]:
            self.minutes.replace_last(value)


class History:
    """Named series: all samples of an hour, and the highest value of each minute of a day. Safe from any thread."""

    def __init__(self, clock: Clock, kept: int = KEPT) -> None:
        self._clock = clock
        self._kept = kept
        self._lock = threading.Lock()
        self._series: dict[str, Series] = {}
        self._epoch = clock.now_ms() / 1000 - clock.monotonic()
        self._breaks = clock.breaks.look()
        self._added: int = 0
        self._newest: deque[tuple[int, Sample]] = deque(maxlen=_NEWEST_KEPT)
        self._prepared: dict[tuple[str, float, int], tuple[tuple[object, float], list[float | None]]] = {}

    def add(self, values: Mapping[str, float | None], source: str = LISTS) -> None:
        """Add a sample of each name at the current time; None leaves a gap. A source samples some of the names."""
        now = self._now()
        with self._lock:
            self._added += 1
            self._newest.append((self._added, Sample(self._clock.now_ms(), source, values)))
            for name, value in values.items():
                if value is not None:
                    self._series.setdefault(name, Series(self._kept)).add(now, float(value))

    def added(self, after: int) -> tuple[int, list[Sample]]:
        """Return the samples after a number, of those that were added just now, and the number of the newest."""
        with self._lock:
            return self._added, [sample for number, sample in self._newest if number > after]

    @property
    def revision(self) -> int:
        """Increases with every sample."""
        return self._added

    def names(self) -> tuple[str, ...]:
        """Return the names that have samples."""
        with self._lock:
            return tuple(self._series)

    def latest(self, name: str) -> float | None:
        """Return the newest value, of any age, or None."""
        with self._lock:
            series = self._series.get(name)
            last = series.fine.last if series is not None else None
            return None if last is None else last[1]

    def series(self, name: str, span: float, points: int) -> Sequence[float | None]:
        """Return the last `span` seconds as `points` values, oldest first, each the last sample of its interval.

        In a span of much more than an hour, each is the highest of its interval. An interval without a sample is None,
        such as the time before the start or without a connection. Intervals begin at multiples of their length, so that
        values keep their interval as time goes on.
        """
        if points < 1 or span <= 0:
            return [None] * max(0, points)
        step = span / points
        last = self._now() // step
        with self._lock:
            stamp = self._version(), last
            known = self._prepared.get((name, span, points))
            if known is not None and known[0] == stamp:
                return known[1]
            found: list[float | None] = [None] * points
            whole = span <= FINE_SECONDS
            for at, value in self._known(name, span):
                place = int(points - 1 - last + at // step)
                if place >= 0:
                    known_value = found[place]
                    found[place] = value if whole or known_value is None else max(value, known_value)
            if len(self._prepared) >= _MOST_PREPARED:
                self._prepared.clear()
            self._prepared[name, span, points] = stamp, found
            return found

    def reach(self, name: str, span: float) -> float:
        """Return how many seconds ago the first sample of the last `span` seconds was, 0 without one."""
        now = self._now()
        with self._lock:
            return now - next((at for at, _ in self._known(name, span) if at > now - span), now)

    def _now(self) -> float:
        """Return the time of samples, in seconds since the epoch: it never goes back, also if the clock is put right.

        A sleep of the machine leaves a gap. Intervals begin at the same moments as in a recording.
        """
        if (known := self._clock.breaks.look()) != self._breaks:
            self._breaks = known
            self._epoch = max(self._epoch, self._clock.now_ms() / 1000 - self._clock.monotonic())
        return self._epoch + self._clock.monotonic()

    def _version(self) -> object:
        """Return what differs when there are other samples."""
        return self._added

    def _known(self, name: str, span: float) -> Iterable[tuple[float, float]]:
        """Return at least the samples of a span, as fine as it is shown."""
        series = self._series.get(name)
        return series.known(span <= FINE_SECONDS) if series is not None else ()

    def samples(self, name: str) -> list[tuple[float, float]]:
        """Return the samples of the last hour, each with its time in seconds since the epoch."""
        with self._lock:
            series = self._series.get(name)
            return list(series.fine) if series is not None else []


SAMPLE_SECONDS = 2.0


async def keep_sampling(
    history: History, clock: Clock, followers: Mapping[str, Follower], health: Callable[[str], Health]
) -> None:
    """Add a sample of each current kind every two seconds, and return freed memory to the system."""
    while True:
        await clock.sleep(SAMPLE_SECONDS)
        memory.give_back()
        values: dict[str, float | None] = {}
        for kind, follower in followers.items():
            if health(kind).state in CURRENT:
                values.update(sampled(kind, follower.collection.snapshot()))
        history.add(values)


def status_values(status: StatusSummary) -> dict[str, float | None]:
    """Return the numbers of a status summary (contract 2.20) by the names of their series."""
    return {
        "active_users": status.users_now,
        "active_calls": status.calls_now,
        "calls_since_reboot": status.calls.since_reboot,
        "calls_last15": status.calls.last15,
        "calls_last30": status.calls.last30,
        "calls_last60": status.calls.last60,
        "calls_all": status.calls.all,
        "uptime": status.uptime,
        "memory_rss": status.memory_usage.rss,
        "memory_heap_total": status.memory_usage.heap_total,
        "memory_heap_used": status.memory_usage.heap_used,
    }


def sampled(kind: str, records: Mapping[str, object]) -> dict[str, float | None]:
    """Return the sampled numbers of a kind."""
    if kind != "status":
        return {rows_name(kind): float(len(records))}
    status = cast("StatusSummary | None", records.get(kind))
    return status_values(status) if status is not None else {}


def rows_name(kind: str) -> str:
    """Return the name of the series with a kind's number of rows: `rows.calls`."""
    return f"rows.{kind}"
