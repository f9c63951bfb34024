"""The simulation of a working day: the same seed, scenario and clock give the same events."""

from __future__ import annotations

from console.service.platform import Platform
from console.service.simulator.calls import CallsPlay
from console.service.simulator.people import PeoplePlay
from console.service.simulator.rooms import ConferencesPlay, QualityPlay
from console.service.simulator.simulated_time import SimulatedTime
from console.service.simulator.support import AlertsPlay, ChatsPlay
from console.service.world.spec import WorldSpec

BEAT_SECONDS = 0.25
"""How often `run` lets time pass, in seconds of the platform's clock."""
LONGEST_BEAT = 5.0
"""After a pause, a suspended machine's for one, no more than this is made up for at once."""


class Simulator:
    """Plays a world's day on a platform. Not before the world is filled in."""

    def __init__(self, platform: Platform, spec: WorldSpec, seed: int | None = None, speed: float = 1.0) -> None:
        """Prepare the day. `seed` defaults to the world's; `speed` is how many simulated seconds a second has."""
        self._platform = platform
        self._speed = speed
        self._sim = SimulatedTime(platform, spec, spec.seed if seed is None else seed)
        self._begun = False

    def step(self, seconds: float) -> None:
        """Let that many simulated seconds pass, as one transaction at the platform's present time."""
        with self._platform.write():
            others, self._platform.new_id = self._platform.new_id, self._sim.new_id
            try:
                self._begin()
                self._sim.advance(seconds)
            finally:
                self._platform.new_id = others

    async def run(self, platform: Platform | None = None) -> None:
        """Let time pass as it does on the platform's clock, until cancelled. Fits as a job of the service's app."""
        clock = (platform or self._platform).clock
        last = clock.monotonic()
        while True:
            await clock.sleep(BEAT_SECONDS)
            now = clock.monotonic()
            self.step(min(now - last, LONGEST_BEAT) * self._speed)
            last = now

    def _begin(self) -> None:
        if self._begun:
            return
        self._begun = True
        for play in (CallsPlay, PeoplePlay, ChatsPlay, AlertsPlay, ConferencesPlay, QualityPlay):
            play(self._sim).begin()
