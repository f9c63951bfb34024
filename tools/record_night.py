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
import threading
from pathlib import Path
from typing import cast

from console import __version__
from console.live.backend import Backend
from console.recording.recorder import Plan
from console.recording.writing import Writing
from console.service.simulator.simulator import Simulator
from console.service.world.spec import load_spec
from tests.night.console import ZONE, Console
from tests.night.night import play
from tests.night.service import NightService

SEED, WHO, HOURS = 4, "eva", 1.0
CALM, TROUBLE = "quiet", "incident"
BEGINS, ENDS = 34 * 60, 46 * 60
"""When the desk gets the calls, failures and alerts of the other scenario, in seconds of the night."""


class _Steps(threading.Event):
    """Lets the writer write once in each step of the night, and the night wait until it has."""

    def __init__(self) -> None:
        super().__init__()
        self._turn = threading.Condition()
        self._writes = False

    def wait(self, timeout: float | None = None) -> bool:
        """The writer has written; wait for the next step."""
        with self._turn:
            self._writes = False
            self._turn.notify_all()
            self._turn.wait_for(lambda: self._writes)
        return self.is_set()

    def step(self) -> None:
        """Let the writer write, and wait for it."""
        with self._turn:
            self._writes = True
            self._turn.notify_all()
            self._turn.wait_for(lambda: not self._writes)

    def end(self) -> None:
        """Let the writer write for the last time."""
        self.set()
        with self._turn:
            self._writes = True
            self._turn.notify_all()


def _record(console: Console, folder: Path, file: Path) -> tuple[_Steps, threading.Thread]:
    """Start to record all lists of a console."""
    console.follow_all()
    plan = Plan(file, "night", ZONE.key, "http://night.example/core", __version__, folder / "journal.jsonl")
    steps = _Steps()
    writing = Writing(cast("Backend", console), plan, console.clock, steps)
    thread = threading.Thread(target=writing.run, args=("", lambda: None))
    thread.start()
    return steps, thread


async def record_night(file: Path, hours: float = HOURS) -> None:
    """Play a night, and write the recording of one console."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder, "night.rec")
        recording: list[tuple[_Steps, threading.Thread]] = []

        def begins(console: Console) -> None:
            recording.append(_record(console, Path(folder), made))

        def happens(service: NightService) -> None:
            recording[0][0].step()
            if service.seconds in {BEGINS, ENDS}:
                spec = load_spec(TROUBLE if service.seconds == BEGINS else CALM)
                service.simulator = Simulator(service.platform, spec, SEED)
            if sys.stderr.isatty() and not service.seconds % 60:
                print(f"\rplaying a night: {service.seconds / 36 / hours:.0f} %", end="", file=sys.stderr, flush=True)

        await play(CALM, SEED, hours, people=[WHO], begins=begins, happens=happens)
        ((steps, thread),) = recording
        steps.end()
        thread.join()
        await asyncio.to_thread(shutil.move, made, file)


if __name__ == "__main__":
    asyncio.run(record_night(Path(sys.argv[1]), *map(float, sys.argv[2:])))
