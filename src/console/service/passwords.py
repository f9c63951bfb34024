"""Password hashes: Argon2id, made on a few threads of their own so that the loop goes on."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from console.service.refusal import too_many

MOST_WAITING = 32
LONGEST_PASSWORD = 1024


@dataclass(frozen=True, slots=True)
class Cost:
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
        self._threads = ThreadPoolExecutor(max_workers=2, thread_name_prefix="passwords")
        self._waiting = 0
        self._nobodys = self._hasher.hash("the password of nobody")

    def hash(self, password: str) -> str:
        """Return a salted hash; takes tens of milliseconds at full cost."""
        return self._hasher.hash(password)

    async def matches(self, stored: str | None, password: str) -> bool:
        """Return whether the password is the one of the hash; without a hash, after the same work, False.

        Refuses with 429 when too many are waiting already.
        """
        if self._waiting >= MOST_WAITING:
            raise too_many("too many log-ins at once", 1)
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            right = await loop.run_in_executor(self._threads, self._check, stored or self._nobodys, password)
        finally:
            self._waiting -= 1
        return right and stored is not None

    def _check(self, stored: str, password: str) -> bool:
        try:
            return self._hasher.verify(stored, password[:LONGEST_PASSWORD])
        except (VerificationError, InvalidHashError):
            return False

    def close(self) -> None:
        """End the threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)
