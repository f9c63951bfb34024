"""A clock for tests."""

from __future__ import annotations

import asyncio
import heapq
import itertools

from console.base.clock import STOPPED, Break, Breaks


class ManualClock:
    """A clock that moves only on request; sleepers wake in order."""

    def __init__(self, now_ms: int = 1_790_000_000_000) -> None:
        self._now_ms = now_ms
        self._monotonic = 1_000.0
        self._order = itertools.count()
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self.breaks = Breaks(self, None)

    def now_ms(self) -> int:
        """Return the current wall time of this clock."""
        return self._now_ms

    def monotonic(self) -> float:
        """Return the current seconds of this clock."""
        return self._monotonic

    async def sleep(self, seconds: float) -> None:
        """Wait until `advance` has moved this clock far enough."""
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self._monotonic + seconds, next(self._order), waiter))
        await waiter

    def advance(self, seconds: float) -> None:
        """Move both clocks forward and wake due sleepers."""
        self._monotonic += seconds
        self._now_ms += round(seconds * 1000)
        while self._sleepers and self._sleepers[0][0] <= self._monotonic:
            waiter = heapq.heappop(self._sleepers)[2]
            if not waiter.done():
                waiter.set_result(None)

    def stop(self, seconds: float) -> None:
        """Move both clocks forward as while the process is stopped."""
        start_ms = self._now_ms
        self.advance(seconds)
        self.breaks.note(Break(start_ms, self._now_ms, STOPPED))

    def jump(self, milliseconds: int) -> None:
        """Move only the wall clock, as a time server would, or the sleep of the machine."""
        self._now_ms += milliseconds
