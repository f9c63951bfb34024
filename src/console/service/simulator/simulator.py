"""The simulation of a working day: the same seed, scenario and clock give the same events."""

from __future__ import annotations

from functools import partial

from console.service.platform import Platform
from console.service.scenarios.spec import WorldSpec
from console.service.simulator.calls import CallsPlay
from console.service.simulator.people import PeoplePlay
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
