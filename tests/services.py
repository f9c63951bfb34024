"""Services that many tests use one after the other, each of which finds its service as it was in the beginning.

To start a service, fill a world into it, make its tables and compile its statements costs many times what a test asks
of it; to put its database back costs a millisecond.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections.abc import Generator
from contextlib import ExitStack, closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from console.clock import Clock, ManualClock, SystemClock
from console.service.database import Transaction
from console.service.passwords import Cost
from console.service.platform import Platform, ServiceSettings
from console.service.serve import Fill, Running, start_background
from console.service.world.fill import fill

REST_SECONDS = 2.0
"""How long a service that was lent before may take until nothing of that is under way; else another one is started."""
TURNS = 4
"""How often a loop goes round until what fell due has run: for the timer, its task, and what that began."""
YOUNG_SECONDS = 30.0
"""How old a world that goes by the real time may be when a test begins with it."""


@cache
def world(name: str | Path) -> Fill:
    """Return what puts a world into a platform; for the same name it is the same, so that it can be asked for again."""
    return lambda platform: fill(platform, name)


class Services:
    """Services that go on until they are closed, by what was put into them."""

    def __init__(self) -> None:
        self._free: dict[Any, list[_Kept]] = {}
        self._all = ExitStack()

    @contextmanager
    def anew(
        self, fill: Fill, *, settings: ServiceSettings | None = None, clock: ManualClock | None = None
    ) -> Generator[Running]:
        """Lend a service as `start_background` would start it; the borrower has it alone.

        One that goes by the real time is lent again only while it is young: its world grows older while it waits.
        """
        settings = settings or ServiceSettings(password_cost=Cost.cheap())
        free = self._free.setdefault((fill, settings, None if clock is None else clock.now_ms()), [])
        kept = free.pop() if free else None
        if kept is not None and (not kept.goes_on() or (clock is None and kept.age > YOUNG_SECONDS)):
            kept.close()
            kept = None
        if kept is None:
            kept = _Kept(fill, settings, clock or SystemClock())
            self._all.callback(kept.close)
        else:
            kept.put_back(clock or SystemClock())
        try:
            yield kept.running
        finally:
            kept.stand_still()
            free.append(kept)

    def close(self) -> None:
        """Stop all of them."""
        self._all.close()


class _Kept:
    """A service, and what it held when it was filled."""

    def __init__(self, fill: Fill, settings: ServiceSettings, clock: Clock) -> None:
        lent = LentClock(clock)
        self._began = time.monotonic()
        self._stack = ExitStack()
        self._lent = threading.Event()
        began = start_background(fill, jobs=(self._know_loop,), settings=settings, clock=lent)
        self.running = self._stack.enter_context(began)
        self._beginning = self._stack.enter_context(closing(Beginning(self.running.platform, lent)))

    @property
    def age(self) -> float:
        """How many seconds ago it was filled."""
        return time.monotonic() - self._began

    async def _know_loop(self, _: Platform) -> None:
        self._loop = asyncio.get_running_loop()

    def stand_still(self) -> None:
        """Let nothing go on while nobody has it: the periodic jobs of ten services take a tenth of a processor."""
        self._lent.clear()
        self._loop.call_soon_threadsafe(self._lent.wait)

    def goes_on(self) -> bool:
        """Go on, and return whether all that the borrower before left under way has ended: it would change the next.

        So would periodic jobs that fell due meanwhile: they are done as soon as the service goes on.
        """
        self._lent.set()
        end = time.monotonic() + REST_SECONDS
        turned = asyncio.run_coroutine_threadsafe(_turns(), self._loop)
        while not turned.done() or self.running.under_way():
            if time.monotonic() > end:
                return False
            time.sleep(0.001)
        return True

    def close(self) -> None:
        """Stop it; once is enough."""
        self._lent.set()
        self._stack.close()

    def put_back(self, clock: Clock) -> None:
        """Make everything as it was, by another clock."""
        self._beginning.put_back(clock)


async def _turns() -> None:
    for _ in range(TURNS):
        await asyncio.sleep(0)


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
            driver_of(tx).backup(self._memory)
            self._head = tx.head

    def put_back(self, clock: Clock) -> None:
        """Make everything as it was, by another clock."""
        platform = self._platform
        with platform.read() as tx:
            # Nothing has been read in this transaction yet, so that the driver lets all be replaced.
            self._memory.backup(driver_of(tx))
            platform.database.head = self._head
            self._clock.lender = clock
            platform.forget()
            platform.started_ms = clock.now_ms()

    def close(self) -> None:
        """Forget what was kept."""
        self._memory.close()


def driver_of(tx: Transaction) -> sqlite3.Connection:
    """Return the connection that a transaction has below the library it asks through, which is many times slower."""
    found: Any = tx.connection.connection.driver_connection
    assert isinstance(found, sqlite3.Connection)
    return found
