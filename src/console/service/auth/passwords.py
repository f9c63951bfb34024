"""Password hashes with Argon2id, computed in separate threads."""

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

from console.base.frozen import Frozen
from console.service.refusal import too_many

T = TypeVar("T")

MOST_WAITING = 32
LONGEST_PASSWORD = 1024


class Cost(Frozen):
    """Cost of a hash: by default OWASP's minimum for Argon2id. Memory in KiB."""

    memory: int = 19_456
    time: int = 2

    @classmethod
    def cheap(cls) -> Cost:
        """Return a cost for tests and demonstrations, whose passwords are public."""
        return cls(memory=64, time=1)


class Passwords:
    """Computes and checks password hashes."""

    def __init__(self, cost: Cost) -> None:
        self._hasher = PasswordHasher(time_cost=cost.time, memory_cost=cost.memory, parallelism=1)
        # Many logins may use half of the processors; the rest is for other requests.
        threads = max(1, (os.cpu_count() or 2) // 2)
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="passwords", initializer=_step_back)
        self._waiting = 0
        self._nobodys = self._hasher.hash("the password of nobody")
        self._prepared: dict[str, str] = {}

    def hash(self, password: str) -> str:
        """Return a salted hash; takes tens of milliseconds at full cost, unless prepared."""
        return self._prepared.get(password) or self._hasher.hash(password)

    @asynccontextmanager
    async def prepared(self, password: str | None) -> AsyncGenerator[None]:
        """Compute a hash outside the loop, for a call of `hash` in the block, which runs in a transaction and cannot
        await.

        Refuse with 429 if too many hashes are queued.
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
        """Return a salted hash, computed outside the loop. Refuse with 429 if too many hashes are queued."""
        return await self._apart(lambda: self._hasher.hash(password))

    async def matches(self, stored: str | None, password: str) -> bool:
        """Return whether the password matches the hash; without a hash, return False after the same work.

        Refuse with 429 if too many hashes are queued.
        """
        right = await self._apart(lambda: self._check(stored or self._nobodys, password))
        return right and stored is not None

    async def _apart(self, work: Callable[[], T]) -> T:
        if self._waiting >= MOST_WAITING:
            raise too_many("too many logins at once", 1)
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
        """Stop the threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _step_back() -> None:
    """Lower the priority of this thread below the loop's, if the system supports it (Linux does)."""
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)
