"""What all parts of the simulator share: the platform, the dice, and what is to happen when."""

from __future__ import annotations

import heapq
import itertools
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from console.service.caller import Caller
from console.service.database import Transaction
from console.service.domain.people import USERS
from console.service.platform import Platform
from console.service.refusal import Refusal
from console.service.world.spec import WorldSpec

log = logging.getLogger(__name__)

Happening = Callable[[], None]

LOGINS_LINGER = 4.0
"""How much longer things stay with the seeded log-ins, who may be people that sit at the console."""


@dataclass
class SimulatedTime:
    """The simulated time, in seconds since the start, and the agenda."""

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
        """Return the random numbers of one part of the day."""
        return Random(f"{self.seed}:day:{subject}")

    def new_id(self) -> str:
        """Make the id of a new thing: the same ones in the same order for the same seed."""
        return f"{self._ids.getrandbits(64):016x}"

    def after(self, seconds: float, happening: Happening) -> None:
        """Let something happen that many simulated seconds from now."""
        heapq.heappush(self._agenda, (self.now + seconds, next(self._order), happening))

    def regularly(self, seconds: float, happening: Happening) -> None:
        """Let something happen again and again, the first time after that many seconds."""

        def again() -> None:
            self.after(seconds, again)
            happening()

        self.after(seconds, again)

    def arriving(self, rng: Random, per_second: float, happening: Happening) -> None:
        """Let something happen at random times, that often on average."""
        if per_second <= 0:
            return

        def again() -> None:
            self.after(rng.expovariate(per_second), again)
            happening()

        self.after(rng.expovariate(per_second), again)

    def advance(self, seconds: float) -> None:
        """Play what is due until that much time has passed.

        What the platform refuses, because people have acted meanwhile, does not happen, nor does what fails; the
        rest goes on.
        """
        until = self.now + seconds
        while self._agenda and self._agenda[0][0] <= until:
            self.now, _, happening = heapq.heappop(self._agenda)
            try:
                with self.platform.write():
                    happening()
            except Refusal as refusal:
                log.debug("did not happen: %s", refusal.message)
            except Exception:
                log.exception("a part of the simulated day failed")
        self.now = until

    def as_user(self, tx: Transaction, user_id: str) -> Caller | None:
        """Return a user as one who asks, or None when there is no such user."""
        user = USERS.get(tx, user_id)
        return None if user is None else Caller(user)
