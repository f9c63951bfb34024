"""Simulation of presence: coming, leaving, lunch."""

from __future__ import annotations

import sqlalchemy as sa

from console.service.domain import appearing
from console.service.domain.presence import PRESENCE
from console.service.scenarios.draft import LOGINS
from console.service.simulator.simulated_time import SimulatedTime

_TURN_SECONDS = 1200.0
"""Mean duration of an activity in seconds."""
_NEXT = {
    "available": (("busy", "away", "dnd", "offline"), (35, 40, 8, 17)),
    "busy": (("available", "away"), (85, 15)),
    "away": (("available", "offline"), (85, 15)),
    "dnd": (("available",), (1,)),
    "offline": (("available", "away"), (90, 10)),
}


class PeoplePlay:
    """Simulates presence. The seeded accounts are excluded, because people may use them."""

    def __init__(self, sim: SimulatedTime) -> None:
        self._sim = sim
        self._rng = sim.dice("people")

    def begin(self) -> None:
        """Start to change presence."""
        with self._sim.platform.read() as tx:
            there = PRESENCE.count(tx, PRESENCE.c.online)
        self._sim.arriving(self._rng, there / _TURN_SECONDS, self._turn)

    def _turn(self) -> None:
        """Change the activity of one person. Offline people are selected less often, to keep their share constant."""
        rng = self._rng
        with self._sim.platform.read() as tx:
            online = rng.random() < 0.88
            some = PRESENCE.c.online if online else sa.not_(PRESENCE.c.online)
            count = PRESENCE.count(tx, some)
            if not count:
                return
            chosen = sa.select(PRESENCE.c.body).where(some).order_by(PRESENCE.c.key)
            presence = PRESENCE.read(str(tx.value(chosen.offset(rng.randrange(count)).limit(1))))
        if presence.id in LOGINS or presence.activity not in _NEXT:
            return
        choices, weights = _NEXT[presence.activity]
        appearing.set_activity(self._sim.platform, presence.id or "", rng.choices(choices, weights)[0])
