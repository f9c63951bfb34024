"""The simulation of a working day: the same seed, scenario and clock give the same events."""

from __future__ import annotations

from functools import partial

import sqlalchemy as sa

from console.service.domain import appearing
from console.service.domain.presence import PRESENCE
from console.service.platform import Platform
from console.service.scenarios.draft import LOGINS
from console.service.scenarios.spec import WorldSpec
from console.service.simulator.calls import CallsPlay
from console.service.simulator.rooms import ConferencesPlay, QualityPlay
from console.service.simulator.simulated_time import SimulatedTime
from console.service.simulator.support import AlertsPlay, ChatsPlay

BEAT_SECONDS = 0.25
"""Interval of `run`, in seconds of the platform's clock."""
LONGEST_BEAT = 5.0
"""Longest time simulated at once after a pause, such as a suspended machine."""


class Simulator:
    """Simulates the day of a scenario on a platform with the scenario's data."""

    def __init__(self, platform: Platform, spec: WorldSpec, seed: int | None = None, speed: float = 1.0) -> None:
        """Prepare the simulation. `seed` defaults to that of the scenario; `speed` is simulated seconds per second."""
        self._platform = platform
        self._speed = speed
        self._sim = SimulatedTime(platform, spec, spec.seed if seed is None else seed)
        self._begun = False

    def step(self, seconds: float) -> None:
        """Simulate this many seconds in one transaction, at the platform's current time."""
        with self._platform.write():
            others, self._platform.new_id = self._platform.new_id, self._sim.new_id
            try:
                self._begin()
                self._sim.advance(seconds)
            finally:
                self._platform.new_id = others

    async def run(self, platform: Platform | None = None) -> None:
        """Simulate in step with the platform's clock until cancelled. Used as a job of the service's app."""
        clock = (platform or self._platform).clock
        last = clock.monotonic()
        while True:
            await clock.sleep(BEAT_SECONDS)
            now = clock.monotonic()
            seconds = min(now - last, LONGEST_BEAT) * self._speed
            await self._platform.database.run(partial(self.step, seconds), writing=True)
            last = now

    def _begin(self) -> None:
        if self._begun:
            return
        self._begun = True
        for play in (CallsPlay, PeoplePlay, ChatsPlay, AlertsPlay, ConferencesPlay, QualityPlay):
            play(self._sim).begin()


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
