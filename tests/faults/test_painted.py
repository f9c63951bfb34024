"""A fault on a console in use; afterwards its screen is compared with a fresh list, cell by cell."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import AsyncGenerator, Generator
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio

from console.base.frozen import replace
from console.ui.screens.list_screen import ListScreen
from tests.background import Running, start_background
from tests.behaviour.driver import Seat, seat
from tests.faults.clock import UnsteadyClock
from tests.faults.figures import count, record
from tests.faults.kinds import KINDS, LIVE_OR_POLLING, FaultKind
from tests.faults.painted import expected, painted
from tests.faults.proxy import Proxy
from tests.faults.story import WATCHED
from tests.faults.world import World, two_admins

ROUNDS = count("FAULTS_COUNT", 0)
ONLY = os.environ.get("FAULTS_ONLY", "")
FEW = ("reset",)
"""The kinds of a short run."""
OF_THE_CLOCK = ("wall clock ahead", "wall clock back", "asleep")
"""Kinds that need a console with a clock of its own; see `test_every_kind`."""
TRIED = [
    kind
    for kind in KINDS
    if kind.name not in OF_THE_CLOCK and (kind.name == ONLY if ONLY else ROUNDS or kind.name in FEW)
]
LONGEST = 40.0
CHANGE_SECONDS = 0.2


@dataclass
class Struck:
    """The objects that a kind of fault may change."""

    proxy: Proxy
    lot: random.Random
    clock: UnsteadyClock


@pytest.fixture(scope="module")
def service() -> Generator[Running]:
    with start_background(two_admins) as running:
        yield running


@pytest_asyncio.fixture
async def world(service: Running) -> AsyncGenerator[World]:
    found = World(service, random.Random(1))
    await found.open()
    yield found
    await found.close()


async def healed(service: Running, world: World, kind: FaultKind, seed: int, folder: Path) -> float:
    """Run one fault on one console; return the seconds from its end until the screen equals a fresh list."""
    lot = random.Random(f"{kind.name} {seed}")
    shown = WATCHED[seed % len(WATCHED)]
    async with Proxy(int(service.base_url.rpartition(":")[2]), lot) as proxy:
        behind = replace(service, base_url=f"http://127.0.0.1:{proxy.port}")
        async with seat(behind, folder, who="ana") as ana:
            await ana.look_at(shown)
            struck = kind.strike(Struck(proxy, lot, UnsteadyClock()))
            if struck is not None:
                await struck
            end = time.monotonic() + (kind.least and kind.least + lot.random())
            while time.monotonic() < end:
                world.burst()
                await ana.pilot.pause()
                await asyncio.get_running_loop().run_in_executor(None, time.sleep, CHANGE_SECONDS)
            world.burst()
            proxy.heal()
            await proxy.refuse()
            await proxy.listen()
            since = time.monotonic()
            await _true(ana, world, shown)
            return time.monotonic() - since


async def _true(ana: Seat, world: World, shown: str) -> None:
    """Wait until the screen shows the current list: nothing changes any more."""
    fresh = (await world.truth())[shown]
    screen = ana.app.screen
    assert isinstance(screen, ListScreen)

    def same() -> bool:
        # Polled rows are as good as live ones here.
        settled = ana.backend.health(shown).state in LIVE_OR_POLLING
        return settled and painted(screen) == expected(screen, fresh)

    await ana.until(same, seconds=LONGEST)


@pytest.mark.timeout(120 + 60 * len(KINDS) * max(1, ROUNDS))
async def test_after_a_fault_the_screen_equals_a_fresh_list(service: Running, world: World, tmp_path: Path) -> None:
    taken: dict[tuple[str, int], float] = {}
    failed: list[str] = []
    for seed in range(max(1, ROUNDS)):
        for kind in TRIED:
            try:
                taken[kind.name, seed] = await healed(service, world, kind, seed, tmp_path)
            except AssertionError as error:
                failed.append(f"{kind.name} (seed {seed}): {error}")
    times = sorted(taken.values())
    if ROUNDS and not ONLY:
        middle, most = times[len(times) // 2], times[int(len(times) * 0.99)]
        slowest = max(taken, key=lambda each: taken[each])
        load = f"one console at a time, load {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores"
        value = f"p50 {middle:.2f} s, p99 {most:.2f} s, slowest {times[-1]:.1f} s ({slowest[0]}); {load}"
        held = middle <= 1.0 and most <= 5.0 and times[-1] <= 20.0
        record("C2", held and not failed, value, "p50 1 s, p99 5 s, each 20 s")
        record("C1", not failed, f"painted: {len(failed)} failures in {len(TRIED)} kinds x {ROUNDS}", "0 failures")
    assert not failed, "\n".join(failed)
    assert times[-1] <= LONGEST
