"""Numbers of a queue in the last hour and today, in bounded memory."""

from __future__ import annotations

from array import array
from typing import NamedTuple

MINUTES = 60
STEP = 5
"""Minutes per value of the trend."""
_UNSEEN = 0xFFFF
"""A minute in which nothing was observed."""


class Counts(NamedTuple):
    """Numbers of calls that left a queue."""

    served: int
    in_time: int
    abandoned: int


class Windows:
    """Counts per minute of the last hour, and the sums of today. All calls give the current minute since the epoch."""

    def __init__(self, minute: int, day: int) -> None:
        """Begin to count."""
        self._minute = minute
        self._day = day
        self._counts = [array("L", bytes(array("L").itemsize * MINUTES)) for _ in range(3)]
        self._most = array("H", [_UNSEEN] * MINUTES)
        self._today = [0, 0, 0]
        self._last: dict[int, Counts] = {}
        """The counts of the last minutes by their number, until they change."""
        self._trend: tuple[int | None, ...] | None = None
        """The same of the trend."""

    def advance(self, minute: int, day: int) -> None:
        """Go to a minute; `day` is the local date as a number."""
        for passed in range(max(self._minute + 1, minute - MINUTES + 1), minute + 1):
            for counts in self._counts:
                counts[passed % MINUTES] = 0
            self._most[passed % MINUTES] = _UNSEEN
        self._last, self._trend = {}, None
        self._minute = max(self._minute, minute)
        if day != self._day:
            self._day, self._today = day, [0, 0, 0]

    def served(self, *, in_time: bool) -> None:
        """Count a call that was answered."""
        self._count(0)
        if in_time:
            self._count(1)

    def abandoned(self) -> None:
        """Count a call that ended while it waited."""
        self._count(2)

    def _count(self, which: int) -> None:
        self._counts[which][self._minute % MINUTES] += 1
        self._today[which] += 1
        self._last.clear()

    def waiting(self, many: int) -> None:
        """Note how many calls wait."""
        place = self._minute % MINUTES
        most = self._most[place]
        if most == _UNSEEN or many > most:
            self._most[place], self._trend = min(many, _UNSEEN - 1), None

    def last(self, minutes: int) -> Counts:
        """Return the counts of the last minutes, at most 60, including the current one."""
        if minutes not in self._last:
            end = self._minute % MINUTES + 1
            first = end - min(minutes, MINUTES)
            earlier = slice(first % MINUTES, MINUTES) if first < 0 else slice(0)
            sums = (sum(counts[max(0, first) : end]) + sum(counts[earlier]) for counts in self._counts)
            self._last[minutes] = Counts(*sums)
        return self._last[minutes]

    @property
    def today(self) -> Counts:
        """The counts since midnight."""
        return Counts(*self._today)

    def trend(self) -> tuple[int | None, ...]:
        """Return the most calls that waited in each five minutes, the current ones last; None where unobserved."""
        if self._trend is not None:
            return self._trend
        first = self._minute // STEP - MINUTES // STEP + 1
        found: list[int | None] = []
        for step in range(first, first + MINUTES // STEP):
            minutes = range(step * STEP, min((step + 1) * STEP, self._minute + 1))
            seen = [most for minute in minutes if (most := self._most[minute % MINUTES]) != _UNSEEN]
            found.append(max(seen) if seen else None)
        self._trend = tuple(found)
        return self._trend
