"""Clocks, passed in so that tests control the time."""

from __future__ import annotations

import asyncio
import math
import threading
import time
from typing import NamedTuple, Protocol

JUMP_SECONDS = 5.0
"""Least difference between wall time and steady time that is more than a correction."""
STOPPED_SECONDS = 5.0
"""Least time in which nothing looked at the clock, although something does every second or two."""
STOPPED = "the console was stopped"
SLEPT = "the machine slept, or its clock was set forward"
SET_BACK = "the clock was set back"


class Break(NamedTuple):
    """A time in which this process saw nothing, or which passed more than once."""

    start_ms: int
    """The last moment before it, in ms since the epoch."""
    end_ms: int
    """The first moment after it: an earlier one if the clock was set back."""
    reason: str


class Breaks:
    """Log of sleep, of stops of the process and of jumps of the wall time. Safe from any thread.

    It knows of them when something looks: the event channel, the samples and the recorder do, every second or two.
    """

    def __init__(self, clock: Clock, stopped_seconds: float | None = STOPPED_SECONDS) -> None:
        """Watch a clock; None for one that stands still between two looks, as in tests."""
        self._clock, self._stopped_seconds = clock, stopped_seconds
        self._lock = threading.Lock()
        self._last: tuple[int, float] | None = None
        self._breaks: list[Break] = []

    def look(self) -> int:
        """Compare wall time and steady time with the last look. Return how many breaks there were so far."""
        with self._lock:
            wall, steady = self._clock.now_ms(), self._clock.monotonic()
            if self._last is not None:
                passed = steady - self._last[1]
                ahead = (wall - self._last[0]) / 1000 - passed
                if abs(ahead) > JUMP_SECONDS:
                    self._breaks.append(Break(self._last[0], wall, SLEPT if ahead > 0 else SET_BACK))
                elif self._stopped_seconds is not None and passed > self._stopped_seconds:
                    self._breaks.append(Break(self._last[0], wall, STOPPED))
            self._last = wall, steady
            return len(self._breaks)

    def after(self, number: int) -> tuple[Break, ...]:
        """Look, and return the breaks after the first ones of this number."""
        return tuple(self._breaks[number : self.look()])

    def note(self, clock_break: Break) -> None:
        """Add a break that is known from elsewhere."""
        with self._lock:
            self._breaks.append(clock_break)
            self._last = None


class Clock(Protocol):
    """The source of time for all parts of the program."""

    def now_ms(self) -> int:
        """Milliseconds since the Unix epoch: the contract's timestamps."""
        ...

    def monotonic(self) -> float:
        """Seconds that never go backwards: for ages, timeouts and proofs of freshness."""
        ...

    @property
    def breaks(self) -> Breaks:
        """Sleep, stops and jumps, the same for all parts that share the clock."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Return when that many seconds have passed on this clock."""
        ...


class BreakTimer:
    """The time since the last break of a clock, for one part that looks at it."""

    def __init__(self, clock: Clock) -> None:
        """Ignore the breaks before the first look."""
        self._clock = clock
        self._number: int | None = None
        self._noticed_at = -math.inf

    def look(self) -> float:
        """Return the steady seconds since the last break was noticed: 0 for a new one, infinite without one."""
        number, now = self._clock.breaks.look(), self._clock.monotonic()
        if self._number is not None and number != self._number:
            self._noticed_at = now
        self._number = number
        return now - self._noticed_at


class SystemClock:
    """The system's time."""

    def now_ms(self) -> int:
        """Return the wall clock, in milliseconds since the epoch."""
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        """Return the monotonic clock, in seconds."""
        return time.monotonic()

    @property
    def breaks(self) -> Breaks:
        """Interruptions noticed by the readers of this clock."""
        known: Breaks | None = self.__dict__.get("_breaks")
        # One object also if two threads ask first; subclasses need not call `__init__`.
        return known or self.__dict__.setdefault("_breaks", Breaks(self))

    async def sleep(self, seconds: float) -> None:
        """Wait on the running event loop."""
        await asyncio.sleep(seconds)
