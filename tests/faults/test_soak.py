"""A long run with regular faults: the memory of a console does not grow. `make faults PART=soak MINUTES=30`."""

from __future__ import annotations

import asyncio
import gc
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from console.live.delta import Freshness
from tests.faults.figures import count, record
from tests.live.fake_service import Rig
from tests.live.until import settled, until
from tests.terminal.home import Home
from tests.terminal.served import Served
from tests.terminal.terminal import Terminal

MINUTES = count("FAULTS_SOAK", 0)
EVERY_SECONDS = 30.0
AWAY_SECONDS = 5.0
MORE_MIB, MORE_FILES = 64, 5


async def test_a_hundred_faults_leave_no_task_behind() -> None:
    async with Rig() as rig:
        rig.engine.followers["calls"].want(shown=True)
        await rig.pass_time(3)
        lot = random.Random(1)
        before = len(asyncio.all_tasks())
        for number in range(100):
            rig.service.put(f"c{number % 7}", state=f"{number}")
            match lot.randrange(4):
                case 0:
                    rig.service.hang_up()
                case 1:
                    rig.service.reset()
                case 2:
                    rig.service.begin_anew()
                case _:
                    rig.service.reachable = False
                    rig.service.hang_up()
                    await rig.pass_time(2, step=1.0)
                    rig.service.reachable = True
            await rig.pass_time(13, step=1.0)
        await settled()
        gc.collect()
        more = len(asyncio.all_tasks()) - before
        record("C12", more <= 0, f"{more} tasks more after 100 faults", "0 tasks more")
        assert more <= 0
        assert rig.engine.health("calls").state is Freshness.LIVE
        assert rig.shown() == rig.service.rows


def held_by(terminal: Terminal) -> tuple[float, int, int]:
    """Return the memory in MiB, the open files and the threads of a console."""
    process = Path(f"/proc/{terminal.process.pid}")
    said = dict(line.split(":", 1) for line in (process / "status").read_text().splitlines())
    files = len(list((process / "fd").iterdir()))
    return int(said["VmRSS"].split()[0]) / 1024, files, int(said["Threads"])


def passed(seconds: float) -> Callable[[], bool]:
    """Return a condition that is true once so many seconds have passed: this test is about time itself."""
    end = time.monotonic() + seconds
    return lambda: time.monotonic() >= end


@pytest.mark.skipif(not MINUTES, reason="takes as many minutes as FAULTS_SOAK says")
@pytest.mark.timeout(120 + 90 * MINUTES)
def test_memory_files_and_threads_do_not_grow_with_the_hours(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    with Served(tmp_path / "desk.db", home.environment(), speed=1) as served:
        home.configure(served.core)
        with home.seat() as eva:
            faults = 0
            first: tuple[float, int, int] | None = None
            end = time.monotonic() + 60 * MINUTES
            while time.monotonic() < end:
                eva.press("12345678"[faults % 8])
                until(passed(EVERY_SECONDS), seconds=2 * EVERY_SECONDS)
                faults += 1
                if faults % 3:
                    served.stop(signal.SIGKILL if faults % 2 else signal.SIGTERM)
                    until(passed(AWAY_SECONDS), seconds=2 * AWAY_SECONDS)
                    served.start()
                else:
                    eva.signal(signal.SIGSTOP)
                    until(passed(2 * AWAY_SECONDS), seconds=4 * AWAY_SECONDS)
                    eva.signal(signal.SIGCONT)
                eva.until("LIVE", seconds=60)
                # What every screen and every fault takes once does not count as growth.
                first = held_by(eva) if faults == min(8, MINUTES) else first
            assert first is not None
            last = held_by(eva)
            eva.press("q")
            assert eva.ended() == 0
    mib, files, threads = (after - before for after, before in zip(last, first, strict=True))
    value = f"{MINUTES} min, {faults} faults: {mib:+.0f} MiB, {files:+.0f} files, {threads:+.0f} threads, 0 restarts"
    held = mib <= MORE_MIB and files <= MORE_FILES and threads <= 0
    record("C12", held, value, f"+{MORE_MIB} MiB, +{MORE_FILES} files, +0 tasks")
    assert held, value
