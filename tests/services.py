"""Services that tests share one after the other; each test gets its service in the initial state.

Starting a service, filling it with a scenario, creating its tables and compiling its statements takes many times as
long as the requests of a test; restoring its database takes a millisecond.
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

import sqlalchemy as sa

from console.base.clock import Breaks, Clock, SystemClock
from console.service.auth.passwords import Cost
from console.service.platform import Platform, ServiceSettings
from console.service.scenarios.fill import fill
from console.service.store.outbox import metadata
from console.service.store.transaction import Transaction
from tests.background import Fill, Running, start_background
from tests.manual_clock import ManualClock
from tests.stores import new_store

REST_SECONDS = 2.0
"""Limit for the pending work of a service that is reused; after it, another service is started."""
TURNS = 4
"""Turns of the loop until due work has run: for the timer, its task, and the work started by it."""
YOUNG_SECONDS = 30.0
"""Maximum age of a scenario that uses the real time at the start of a test."""


@cache
def world(name: str | Path) -> Fill:
    """Return the function that fills a platform with a scenario, always the same one so that services are reused."""
    return lambda platform: fill(platform, name)


class Services:
    """Running services by the function that filled them."""

    def __init__(self) -> None:
        self._free: dict[Any, list[_Kept]] = {}
        self._all = ExitStack()

    @contextmanager
    def anew(
        self, fill: Fill, *, settings: ServiceSettings | None = None, clock: ManualClock | None = None
    ) -> Generator[Running]:
        """Lend a service as `start_background` would start it, for exclusive use.

        A service that uses the real time is reused only while it is young, since its scenario ages.
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
    """A service and its initial state."""

    def __init__(self, fill: Fill, settings: ServiceSettings, clock: Clock) -> None:
        lent = LentClock(clock)
        self._began = time.monotonic()
        self._stack = ExitStack()
        self._lent = threading.Event()
        database, settings = self._stack.enter_context(new_store(lent, settings))
        began = start_background(fill, jobs=(self._know_loop,), settings=settings, database=database, clock=lent)
        self.running = self._stack.enter_context(began)
        self._beginning = self._stack.enter_context(closing(beginning_of(self.running.platform, lent)))

    @property
    def age(self) -> float:
        """Seconds since it was filled."""
        return time.monotonic() - self._began

    async def _know_loop(self, _: Platform) -> None:
        self._loop = asyncio.get_running_loop()

    def stand_still(self) -> None:
        """Block the loop while nobody uses the service: the periodic jobs of ten services take 10% of a processor."""
        self._lent.clear()
        self._loop.call_soon_threadsafe(self._lent.wait)

    def goes_on(self) -> bool:
        """Unblock the loop, and return whether the work left by the previous test has ended: it would affect the next
        one.

        This includes periodic jobs that became due meanwhile: they run as soon as the loop is unblocked.
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
        """Stop the service, if it is running."""
        self._lent.set()
        self._stack.close()

    def put_back(self, clock: Clock) -> None:
        """Restore the initial state, with another clock."""
        self._beginning.put_back(clock)


async def _turns() -> None:
    for _ in range(TURNS):
        await asyncio.sleep(0)


class LentClock:
    """A clock that shows the time of the clock that a test lends it."""

    def __init__(self, lender: Clock) -> None:
        self.lender = lender

    def now_ms(self) -> int:
        return self.lender.now_ms()

    def monotonic(self) -> float:
        return self.lender.monotonic()

    @property
    def breaks(self) -> Breaks:
        return self.lender.breaks

    async def sleep(self, seconds: float) -> None:
        await self.lender.sleep(seconds)


def beginning_of(platform: Platform, clock: LentClock) -> Beginning | PostgresBeginning:
    """Note the state of a platform, to be restored later. `clock` is the clock that it uses."""
    return PostgresBeginning(platform, clock) if platform.database.is_remote else Beginning(platform, clock)


class PostgresBeginning:
    """The state of a platform with a PostgreSQL database."""

    def __init__(self, platform: Platform, clock: LentClock) -> None:
        self._platform = platform
        self._clock = clock
        self._tables = [f'"{table.name}"' for table in metadata.sorted_tables]
        with platform.write() as tx:
            tx.run(sa.text("CREATE SCHEMA saved"))
            for table in self._tables:
                tx.run(sa.text(f"CREATE TABLE saved.{table} AS TABLE public.{table}"))
            self._head = tx.head

    def put_back(self, clock: Clock) -> None:
        """Restore the state, with another clock."""
        platform = self._platform
        # For tables this small, TRUNCATE takes many times as long.
        restored = (f"DELETE FROM {table}; INSERT INTO {table} SELECT * FROM saved.{table}" for table in self._tables)
        with platform.write() as tx:
            driver: Any = tx.connection.connection.driver_connection
            driver.execute("; ".join(restored))
        platform.database.head = self._head
        self._clock.lender = clock
        platform.forget()
        platform.started_ms = clock.now_ms()

    def close(self) -> None:
        """Leave the saved state: its database is deleted."""


class Beginning:
    """The state of a platform with an SQLite database in memory."""

    def __init__(self, platform: Platform, clock: LentClock) -> None:
        self._platform = platform
        self._clock = clock
        self._memory = sqlite3.connect(":memory:", check_same_thread=False)
        with platform.read() as tx:
            driver_of(tx).backup(self._memory)
            self._head = tx.head

    def put_back(self, clock: Clock) -> None:
        """Restore the state, with another clock."""
        platform = self._platform
        with platform.read() as tx:
            # Nothing has been read in this transaction yet, so that the driver allows the restore.
            self._memory.backup(driver_of(tx))
            platform.database.head = self._head
            self._clock.lender = clock
            platform.forget()
            platform.started_ms = clock.now_ms()

    def close(self) -> None:
        """Drop the saved state."""
        self._memory.close()


def driver_of(tx: Transaction) -> sqlite3.Connection:
    """Return the driver's connection of a transaction. SQLAlchemy is many times slower."""
    found: Any = tx.connection.connection.driver_connection
    assert isinstance(found, sqlite3.Connection)
    return found


def content_of(tx: Transaction) -> bytes:
    """Return all that a database contains."""
    if isinstance(tx.connection.connection.driver_connection, sqlite3.Connection):
        return driver_of(tx).serialize()
    texts = (f'SELECT string_agg(whole::text, chr(10)) FROM public."{name}" AS whole' for name in metadata.tables)
    return "\n".join(text or "" for (text,) in tx.rows(sa.text(" UNION ALL ".join(texts)))).encode()


def writes_of(tx: Transaction) -> object:
    """Return a value that changes with every write to the database."""
    if isinstance(tx.connection.connection.driver_connection, sqlite3.Connection):
        return driver_of(tx).total_changes
    return tx.value(sa.text("SELECT pg_snapshot_xmax(pg_current_snapshot())::text"))
