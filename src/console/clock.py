"""The time, as something that is passed in, so that tests decide what it is."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import time
from typing import Protocol


class Clock(Protocol):
    """Where every part of the program gets its time from."""

    def now_ms(self) -> int:
        """Milliseconds since the Unix epoch: the contract's timestamps."""
        ...

    def monotonic(self) -> float:
        """Seconds that never go backwards: ages, time-outs and proofs of freshness."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Return when that many seconds have passed on this clock."""
        ...


class SystemClock:
    """The machine's own time."""

    def now_ms(self) -> int:
        """Return the wall clock, in milliseconds since the epoch."""
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        """Return the monotonic clock, in seconds."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait on the running event loop."""
        await asyncio.sleep(seconds)


class ManualClock:
    """A clock that moves only when it is told to; sleepers wake in order."""

    def __init__(self, now_ms: int = 1_790_000_000_000) -> None:
        self._now_ms = now_ms
        self._monotonic = 1_000.0
        self._order = itertools.count()
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []

    def now_ms(self) -> int:
        """Return the wall time this clock was last moved to."""
        return self._now_ms

    def monotonic(self) -> float:
        """Return the seconds this clock was last moved to."""
        return self._monotonic

    async def sleep(self, seconds: float) -> None:
        """Wait until `advance` has moved this clock far enough."""
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self._monotonic + seconds, next(self._order), waiter))
        await waiter

    def advance(self, seconds: float) -> None:
        """Move both clocks forward and wake who has waited long enough."""
        self._monotonic += seconds
        self._now_ms += round(seconds * 1000)
        while self._sleepers and self._sleepers[0][0] <= self._monotonic:
            waiter = heapq.heappop(self._sleepers)[2]
            if not waiter.done():
                waiter.set_result(None)

    def jump(self, milliseconds: int) -> None:
        """Move the wall clock alone, as a time server or an operator would."""
        self._now_ms += milliseconds
