"""Services that many tests use one after the other, each of which finds its service as it was in the beginning.

To start a service, fill a world into it, make its tables and compile its statements costs many times what a test asks
of it; to put its database back costs a millisecond.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import ExitStack, closing, contextmanager
from functools import cache
from typing import Any

from console.clock import Clock, ManualClock, SystemClock
from console.service.database import Transaction
from console.service.passwords import Cost
from console.service.platform import Platform, Settings
from console.service.serve import Fill, Running, start_background
from console.service.world.fill import fill


@cache
def world(name: str) -> Fill:
    """Return what puts a world into a platform; for the same name it is the same, so that it can be asked for again."""
    return lambda platform: fill(platform, name)


class Services:
    """Services that go on until they are closed, by what was put into them."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._kept: dict[Any, _Kept] = {}
        self._lent: set[Any] = set()

    @contextmanager
    def anew(
        self, fill: Fill, *, settings: Settings | None = None, clock: ManualClock | None = None
    ) -> Generator[Running]:
        """Lend a service as `start_background` would start it; who has it has it alone."""
        settings = settings or Settings(password_cost=Cost.cheap())
        key = (fill, settings, None if clock is None else clock.now_ms())
        if key in self._lent:
            raise RuntimeError("this service is lent already: start a second one of the same kind")
        kept = self._kept.get(key)
        if kept is None:
            kept = self._kept[key] = _Kept(self._stack, fill, settings, clock or SystemClock())
        else:
            kept.put_back(clock or SystemClock())
        self._lent.add(key)
        try:
            yield kept.running
        finally:
            self._lent.discard(key)

    def close(self) -> None:
        """Stop all of them."""
        self._stack.close()


class _Kept:
    """A service, and what it held when it was filled."""

    def __init__(self, stack: ExitStack, fill: Fill, settings: Settings, clock: Clock) -> None:
        lent = LentClock(clock)
        self.running = stack.enter_context(start_background(fill, settings=settings, clock=lent))
        self._beginning = stack.enter_context(closing(Beginning(self.running.platform, lent)))

    def put_back(self, clock: Clock) -> None:
        """Make everything as it was, by another clock."""
        self._beginning.put_back(clock)


class LentClock:
    """A clock that shows the time of whichever clock a test lends it."""

    def __init__(self, lender: Clock) -> None:
        self.lender = lender

    def now_ms(self) -> int:
        return self.lender.now_ms()

    def monotonic(self) -> float:
        return self.lender.monotonic()

    async def sleep(self, seconds: float) -> None:
        await self.lender.sleep(seconds)


class Beginning:
    """What a platform holds at a moment, kept to be put back later. Its clock is the one given."""

    def __init__(self, platform: Platform, clock: LentClock) -> None:
        self._platform = platform
        self._clock = clock
        self._memory = sqlite3.connect(":memory:", check_same_thread=False)
        with platform.read() as tx:
            _inner(tx).backup(self._memory)
            self._head = tx.head

    def put_back(self, clock: Clock) -> None:
        """Make everything as it was, by another clock."""
        platform = self._platform
        with platform.read() as tx:
            # Nothing has been read in this transaction yet, so that the driver lets all be replaced.
            self._memory.backup(_inner(tx))
            platform.database.head = self._head
            self._clock.lender = clock
            platform.forget()
            platform.started_ms = clock.now_ms()

    def close(self) -> None:
        """Forget what was kept."""
        self._memory.close()


def _inner(tx: Transaction) -> sqlite3.Connection:
    found: Any = tx.connection.connection.driver_connection
    assert isinstance(found, sqlite3.Connection)
    return found
