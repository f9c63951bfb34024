"""Shared state of the simulator: platform, random numbers, scheduled events."""

from __future__ import annotations

import heapq
import itertools
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

import sqlalchemy as sa

from console.records.record import Record
from console.service.auth.caller import Caller
from console.service.domain.people import USERS
from console.service.platform import Platform
from console.service.refusal import Refusal
from console.service.scenarios.spec import WorldSpec
from console.service.store.documents import Documents
from console.service.store.transaction import Transaction

R = TypeVar("R", bound=Record)
log = logging.getLogger(__name__)

Happening = Callable[[], None]

LOGINS_LINGER = 4.0
"""Factor by which records of the seeded accounts last longer, because people may use these accounts."""


@dataclass
class SimulatedTime:
    """The simulated time, in seconds since the start, and the schedule."""

    platform: Platform
    spec: WorldSpec
    seed: int
    now: float = 0.0
    _agenda: list[tuple[float, int, Happening]] = field(default_factory=list[tuple[float, int, Happening]])
    _order: itertools.count[int] = field(default_factory=itertools.count)
    _ids: Random = field(init=False)

    def __post_init__(self) -> None:
        self._ids = Random(f"{self.seed}:ids")

    def dice(self, subject: str) -> Random:
        """Return the random number generator of one subject."""
        return Random(f"{self.seed}:day:{subject}")

    def new_id(self) -> str:
        """Return a new id; the sequence depends only on the seed."""
        return f"{self._ids.getrandbits(64):016x}"

    def after(self, seconds: float, happening: Happening) -> None:
        """Schedule an event after this many simulated seconds."""
        heapq.heappush(self._agenda, (self.now + seconds, next(self._order), happening))

    def regularly(self, seconds: float, happening: Happening) -> None:
        """Schedule a repeated event, the first after one interval."""

        def again() -> None:
            self.after(seconds, again)
            happening()

        self.after(seconds, again)

    def arriving(self, rng: Random, per_second: float, happening: Happening) -> None:
        """Schedule events at random times with this mean rate."""
        if per_second <= 0:
            return

        def again() -> None:
            self.after(rng.expovariate(per_second), again)
            happening()

        self.after(rng.expovariate(per_second), again)

    def advance(self, seconds: float) -> None:
        """Run the events due within this many seconds.

        Events that the platform refuses, because people have acted meanwhile, are skipped, as are failing ones.
        """
        until = self.now + seconds
        while self._agenda and self._agenda[0][0] <= until:
            self.now, _, happening = heapq.heappop(self._agenda)
            try:
                with self.platform.write() as tx, tx.attempt():
                    happening()
            except Refusal as refusal:
                log.debug("did not happen: %s", refusal.message)
            except Exception:  # A failing event must not end the simulation.
                log.exception("a part of the simulated day failed")
        self.now = until

    def one_of(self, tx: Transaction, documents: Documents[R], rng: Random, where: sa.ColumnElement[bool]) -> R | None:
        """Return a random record that matches, or None."""
        count = documents.count(tx, where)
        if not count:
            return None
        chosen = sa.select(documents.c.body).where(where).order_by(documents.c.key)
        return documents.read(str(tx.value(chosen.offset(rng.randrange(count)).limit(1))))

    def as_user(self, tx: Transaction, user_id: str) -> Caller | None:
        """Return a user as a caller, or None if there is no such user."""
        user = USERS.get(tx, user_id)
        return None if user is None else Caller(user)
