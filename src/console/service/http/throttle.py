"""Limits on the rate of requests, and of wrong secrets, per account or address."""

from __future__ import annotations

import hashlib
import math
import secrets
from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Generator
from contextlib import contextmanager

import sqlalchemy as sa

from console.base.clock import Clock
from console.service.refusal import Refusal, too_many
from console.service.store.database import Database
from console.service.store.outbox import metadata
from console.service.store.transaction import Transaction

MOST_NAMES = 10_000
BURST_SECONDS = 10.0
"""Size of a burst after a pause, in seconds' worth of requests."""


class Rate:
    """Limit of requests a second per name, with bursts after a pause; 0 means no limit."""

    def __init__(self, clock: Clock, per_second: float) -> None:
        self._clock = clock
        self._per_second = per_second
        self._paid_until: dict[str, float] = {}
        """Time up to which each name has used its rate. A name too far ahead is refused."""

    def spend(self, name: str) -> None:
        """Count a request; refuse with 429 above the limit."""
        if not self._per_second:
            return
        now = self._clock.monotonic()
        paid_until = max(self._paid_until.get(name, now), now)
        if paid_until - now >= BURST_SECONDS:
            # After one second there is room for several requests, so a client that waits is not refused again at once.
            raise too_many("too many requests", 1)
        self._paid_until[name] = paid_until + 1 / self._per_second
        if len(self._paid_until) > MOST_NAMES:
            self._forget(now)

    def _forget(self, now: float) -> None:
        """Forget names within their rate, and then, if too many, the oldest."""
        self._paid_until = {name: until for name, until in self._paid_until.items() if until > now}
        while len(self._paid_until) > MOST_NAMES:
            del self._paid_until[next(iter(self._paid_until))]


class Throttle(ABC):
    """Counts wrong attempts at a secret per name within a sliding window of seconds.

    Attempts count from their start, so concurrent attempts have no advantage.
    """

    @contextmanager
    def trying(self, name: str) -> Generator[None]:
        """Count an attempt at a secret as wrong if the block is refused with anything but 429.

        Refuse with 429 after too many wrong attempts within the window, or if too many are in progress.
        """
        attempt = self._begin(name)
        wrong = False
        try:
            yield
        except Refusal as refusal:
            wrong = refusal.status != 429
            raise
        finally:
            self._end(name, attempt, wrong=wrong)

    @abstractmethod
    def _begin(self, name: str) -> str:
        """Count an attempt as in progress, and return its id. Refuse it with 429."""

    @abstractmethod
    def _end(self, name: str, attempt: str, *, wrong: bool) -> None:
        """Count an attempt as wrong, or no longer."""

    @abstractmethod
    def forget(self, name: str) -> None:
        """Reset the count of a name after a correct attempt."""


class OwnThrottle(Throttle):
    """Counts the attempts at one service, in memory."""

    def __init__(self, clock: Clock, most: int, window: float) -> None:
        self._clock = clock
        self._most = most
        self._window = window
        self._faults: dict[str, deque[float]] = {}
        self._open: Counter[str] = Counter()

    def _begin(self, name: str) -> str:
        now = self._clock.monotonic()
        faults = self._faults.get(name, deque())
        while faults and faults[0] <= now - self._window:
            faults.popleft()
        if len(faults) >= self._most:
            raise _too_many_failed(faults[0] + self._window - now)
        if len(faults) + self._open[name] >= self._most:
            raise _too_many_at_once()
        self._open[name] += 1
        return ""

    def _end(self, name: str, attempt: str, *, wrong: bool) -> None:
        if wrong:
            self._note(name)
        self._open[name] -= 1
        if not self._open[name]:
            del self._open[name]

    def _note(self, name: str) -> None:
        """Count a wrong attempt; forget the oldest names if there are too many."""
        self._faults.setdefault(name, deque()).append(self._clock.monotonic())
        while len(self._faults) > MOST_NAMES:
            del self._faults[next(iter(self._faults))]

    def forget(self, name: str) -> None:
        """Reset the count of a name after a correct attempt."""
        self._faults.pop(name, None)


_attempts = sa.Table(
    "attempts",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, nullable=False, index=True),
    sa.Column("wrong", sa.Boolean, nullable=False),
    sa.Column("at", sa.Integer, nullable=False, index=True),
)
"""Attempts in progress and wrong ones, of services that share a database. Names are hashed: they may be secrets."""


class SharedThrottle(Throttle):
    """Counts the attempts at all nodes of a database.

    Its transactions are apart from those around an attempt, which may be rolled back.
    """

    def __init__(self, database: Database, clock: Clock, most: int, window: float) -> None:
        self._database = database
        self._clock = clock
        self._most = most
        self._window_ms = round(window * 1000)

    def _begin(self, name: str) -> str:
        hashed, now, attempt = _hashed(name), self._clock.now_ms(), secrets.token_hex(8)
        with self._database.apart(hashed) as connection:
            counted = sa.select(_attempts.c.wrong, _attempts.c.at).where(
                _attempts.c.name == hashed, _attempts.c.at > now - self._window_ms
            )
            rows = connection.execute(counted).all()
            wrong = [row.at for row in rows if row.wrong]
            if len(wrong) >= self._most:
                raise _too_many_failed((min(wrong) + self._window_ms - now) / 1000)
            if len(rows) >= self._most:
                raise _too_many_at_once()
            connection.execute(sa.insert(_attempts).values(id=attempt, name=hashed, wrong=False, at=now))
        return attempt

    def _end(self, name: str, attempt: str, *, wrong: bool) -> None:
        statement = sa.update(_attempts).values(wrong=True, at=self._clock.now_ms()) if wrong else sa.delete(_attempts)
        with self._database.apart(_hashed(name)) as connection:
            connection.execute(statement.where(_attempts.c.id == attempt))

    def forget(self, name: str) -> None:
        """Reset the count of a name after a correct attempt."""
        hashed = _hashed(name)
        with self._database.apart(hashed) as connection:
            connection.execute(sa.delete(_attempts).where(_attempts.c.name == hashed))


def forget_attempts(tx: Transaction, window: float) -> None:
    """Delete the attempts that no longer count."""
    tx.run(sa.delete(_attempts).where(_attempts.c.at <= tx.now - round(window * 1000)))


def _hashed(name: str) -> str:
    return hashlib.blake2b(name.encode(), digest_size=16).hexdigest()


def _too_many_failed(seconds: float) -> Refusal:
    return too_many("too many failed attempts", math.ceil(seconds))


def _too_many_at_once() -> Refusal:
    return too_many("too many attempts at once", 1)
