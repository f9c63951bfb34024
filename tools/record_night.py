"""Record an hour of a night in which the carrier fails, played at speed, for `make demo-replay`.

    python -m tools.record_night FILE [HOURS]

Everything between the service's database and the file is real, except sockets, threads and the clock; scenarios, seed
and clock determine all of it. A person accepts alerts and takes chats, the connection is lost now and then, and the
service restarts.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
import tempfile
from pathlib import Path

from console.service.scenarios.spec import load_spec
from console.service.simulator.simulator import Simulator
from tests.night.console import Console
from tests.night.night import play
from tests.night.recording import NightRecorder
from tests.night.service import NightService

SEED, WHO, HOURS = 4, "eva", 1.0
CALM, TROUBLE = "quiet", "incident"
BEGINS, ENDS = 34 * 60, 46 * 60
"""When the desk gets the calls, failures and alerts of the other scenario, in seconds of the night."""


async def record_night(file: Path, hours: float = HOURS) -> None:
    """Play a night, and write the recording of one console."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder, "night.rec")
        recorders: list[NightRecorder] = []

        def happens(service: NightService) -> None:
            recorders[0].step()
            if service.seconds in {BEGINS, ENDS}:
                spec = load_spec(TROUBLE if service.seconds == BEGINS else CALM)
                service.simulator = Simulator(service.platform, spec, SEED)
            if sys.stderr.isatty() and not service.seconds % 60:
                print(f"\rplaying a night: {service.seconds / 36 / hours:.0f} %", end="", file=sys.stderr, flush=True)

        def begins(console: Console) -> None:
            recorders.append(NightRecorder(console, made))

        await play(CALM, SEED, hours, people=[WHO], begins=begins, happens=happens)
        recorders[0].end()
        await asyncio.to_thread(shutil.move, made, file)


if __name__ == "__main__":
    asyncio.run(record_night(Path(sys.argv[1]), *map(float, sys.argv[2:])))
