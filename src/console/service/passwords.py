"""Password hashes: Argon2id, made on a few threads of their own so that the loop goes on."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from console.frozen import Frozen
from console.service.refusal import too_many

T = TypeVar("T")

MOST_WAITING = 32
LONGEST_PASSWORD = 1024


class Cost(Frozen):
    """What a hash costs: OWASP's minimum for Argon2id by default. Memory in KiB."""

    memory: int = 19_456
    time: int = 2

    @classmethod
    def cheap(cls) -> Cost:
        """Return a cost for tests and demonstrations, where the passwords are public anyway."""
        return cls(memory=64, time=1)


class Passwords:
    """Makes and checks password hashes."""

    def __init__(self, cost: Cost) -> None:
        self._hasher = PasswordHasher(time_cost=cost.time, memory_cost=cost.memory, parallelism=1)
        # A flood of log-ins may have half of the processors: the rest is for those who are in.
        threads = max(1, (os.cpu_count() or 2) // 2)
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="passwords", initializer=_step_back)
        self._waiting = 0
        self._nobodys = self._hasher.hash("the password of nobody")
        self._prepared: dict[str, str] = {}

    def hash(self, password: str) -> str:
        """Return a salted hash; takes tens of milliseconds at full cost, unless it was prepared."""
        return self._prepared.get(password) or self._hasher.hash(password)

    @asynccontextmanager
    async def prepared(self, password: str | None) -> AsyncGenerator[None]:
        """Make a hash off the loop, for a `hash` within the block: that one runs in a transaction and cannot wait.

        Refuses with 429 when too many are waiting already.
        """
        if password is None or not 0 < len(password) <= LONGEST_PASSWORD:
            yield
            return
        self._prepared[password] = await self.hashed(password)
        try:
            yield
        finally:
            self._prepared.pop(password, None)

    async def hashed(self, password: str) -> str:
        """Return a salted hash, made off the loop. Refuses with 429 when too many are waiting already."""
        return await self._apart(lambda: self._hasher.hash(password))

    async def matches(self, stored: str | None, password: str) -> bool:
        """Return whether the password is the one of the hash; without a hash, after the same work, False.

        Refuses with 429 when too many are waiting already.
        """
        right = await self._apart(lambda: self._check(stored or self._nobodys, password))
        return right and stored is not None

    async def _apart(self, work: Callable[[], T]) -> T:
        if self._waiting >= MOST_WAITING:
            raise too_many("too many log-ins at once", 1)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1

    def _check(self, stored: str, password: str) -> bool:
        try:
            return self._hasher.verify(stored, password[:LONGEST_PASSWORD])
        except (VerificationError, InvalidHashError):
            return False

    def close(self) -> None:
        """End the threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _step_back() -> None:
    """Let the loop go before this thread where the system ranks threads (Linux does)."""
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)
