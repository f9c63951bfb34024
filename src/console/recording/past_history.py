"""The samples of the charts as a recording has them, until the moment that is shown."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from console.base.clock import SystemClock
from console.live.history import FINE_SECONDS, History, Series

Read = Callable[[int, int], Iterator[tuple[int, Mapping[str, float | None]]]]
"""Yields the samples after a moment until another, with their moments in ms since the epoch."""
_HOUR_MS = 3_600_000


class _Hour:
    """The samples of an hour by name, with their times in seconds since the epoch."""

    def __init__(self, start_ms: int) -> None:
        self.until_ms = start_ms - 1
        """The last moment that was read."""
        self.series: dict[str, Series] = {}

    def read(self, read: Read, until_ms: int) -> None:
        for at_ms, values in read(self.until_ms, until_ms):
            for name, value in values.items():
                if value is not None:
                    self.series.setdefault(name, Series()).add(at_ms / 1000, value)
        self.until_ms = until_ms


class PastHistory(History):
    """Reads each hour once, so that a step costs little. Those before the last two are read by a thread of its own."""

    def __init__(
        self, read: Read, now_ms: Callable[[], int], end_ms: Callable[[], int], has_more: Callable[[], object]
    ) -> None:
        """`now_ms` returns the moment that is shown, `end_ms` until when there are samples.

        `has_more` is called by the thread when it has read an hour.
        """
        super().__init__(SystemClock())
        self._read, self._now_ms, self._end_ms, self._has_more = read, now_ms, end_ms, has_more
        self._hours: dict[int, _Hour] = {}
        self._reading = threading.Lock()
        self._reader = ThreadPoolExecutor(1, "console-past-charts")
        self._asked: set[int] = set()

    def close(self) -> None:
        """Read nothing more."""
        self._reader.shutdown(wait=False, cancel_futures=True)

    def names(self) -> tuple[str, ...]:
        """Return the names that have samples in the last hour."""
        return tuple({name: None for hour in self._last_hours() for name in hour.series})

    def latest(self, name: str) -> float | None:
        """Return the newest value of the last hour, of any age, or None."""
        samples = self.samples(name)
        return samples[-1][1] if samples else None

    def samples(self, name: str) -> list[tuple[float, float]]:
        """Return the samples of the last hour, each with its time in seconds since the epoch."""
        return list(self._known(name, _HOUR_MS / 1000))

    def _now(self) -> float:
        return self._now_ms() / 1000

    def _version(self) -> object:
        return self._added, self._now_ms()

    def _known(self, name: str, span: float) -> Iterable[tuple[float, float]]:
        now = self._now_ms() / 1000
        first, whole = now - span, span <= FINE_SECONDS
        for hour in self._last_hours() if whole else self._all_hours(int(first * 1000)):
            series = hour.series.get(name)
            if series is not None:
                yield from ((at, value) for at, value in series.known(whole) if first < at <= now)

    def _last_hours(self) -> list[_Hour]:
        """Return the hour of the moment and the one before, read until the moment."""
        now = self._now_ms()
        last = now // _HOUR_MS
        return [self._hour(last - 1, now), self._hour(last, now)]

    def _all_hours(self, first_ms: int) -> list[_Hour]:
        """Return the hours that were read, from one on, and let the others be read."""
        last = self._now_ms() // _HOUR_MS
        last_hours = self._last_hours()
        for number in range(last - 2, first_ms // _HOUR_MS - 1, -1):
            hour = self._hours.get(number)
            if hour is not None:
                last_hours.insert(0, hour)
            if (hour is None or hour.until_ms < (number + 1) * _HOUR_MS - 1) and number not in self._asked:
                self._asked.add(number)
                with suppress(RuntimeError):  # It was closed.
                    self._reader.submit(self._read_ahead, number)
        return last_hours

    def _read_ahead(self, number: int) -> None:
        self._hour(number, (number + 1) * _HOUR_MS)
        self._asked.discard(number)
        self._has_more()

    def _hour(self, number: int, until_ms: int) -> _Hour:
        """Return an hour, read at least until a moment if there are samples until then."""
        with self._reading:
            hour = self._hours.get(number) or _Hour(number * _HOUR_MS)
            until = min((number + 1) * _HOUR_MS - 1, self._end_ms())
            if hour.until_ms < min(until_ms, until):
                hour.read(self._read, until)
                self._added += 1
            self._hours[number] = hour
            return hour
