"""A wallboard that nobody attends comes back from every fault. `make faults PART=wallboard HOURS=12`."""

from __future__ import annotations

import gc
import time
from pathlib import Path

import pytest

from console.live import memory
from console.service.events import stream
from console.ui.screens.wallboard import WallboardScreen
from tests.faults.figures import count, record
from tests.faults.wallboard import FAULTS, struck, wallboard

HOURS = count("FAULTS_HOURS", 0)
MANY = 30
"""Faults of the long run."""
WARM_UP = 6
"""Faults after which memory is measured first: what every part takes once is no growth."""
MOST_GROWTH = 0.05


@pytest.fixture(autouse=True)
def fast_heartbeats(monkeypatch: pytest.MonkeyPatch) -> None:
    """Send heartbeats, which follow no clock, as often as the clock of the test moves."""
    monkeypatch.setattr(stream, "CHECK_SECONDS", 0.005)
    monkeypatch.setattr(stream, "HEARTBEAT_SECONDS", 0.005)


def held_mib() -> float:
    """Return the memory of this process: wallboard, service and test."""
    gc.collect()
    memory.give_back()
    said = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(said["VmRSS"].split()[0]) / 1024


async def test_a_wallboard_comes_back_from_each_fault_by_itself(tmp_path: Path) -> None:
    async with wallboard(tmp_path) as wall:
        await wall.recovered()
        for fault in FAULTS:
            await struck(wall, fault)
            assert isinstance(wall.app.screen, WallboardScreen)


@pytest.mark.skipif(not HOURS, reason="takes forty seconds for each of FAULTS_HOURS")
@pytest.mark.timeout(900 * max(1, HOURS))
async def test_a_wallboard_runs_for_hours_with_faults_and_nobody_attends(tmp_path: Path) -> None:
    between, began = 3600 * HOURS / MANY, time.monotonic()
    recoveries: list[float] = []
    first = 0.0
    async with wallboard(tmp_path) as wall:
        await wall.recovered()
        start = wall.clock.monotonic()
        for number in range(MANY):
            due = start + between * (number + 1)
            recoveries.append(await struck(wall, FAULTS[number % len(FAULTS)]))
            await wall.pass_time(due - wall.clock.monotonic())
            await wall.recovered()
            if number + 1 == WARM_UP:
                first = held_mib()
        last, passed = held_mib(), wall.clock.monotonic() - start
    growth = last / first - 1
    value = (
        f"{passed / 3600:.1f} simulated hours, {MANY} faults: 0 restarts by hand, live and correct after at most "
        f"{max(recoveries):.0f} s, memory {growth:+.1%} ({first:.0f} to {last:.0f} MiB), "
        f"{time.monotonic() - began:.0f} s"
    )
    record("C14", growth <= MOST_GROWTH, value, "0 restarts, memory +5%")
    assert growth <= MOST_GROWTH, value
