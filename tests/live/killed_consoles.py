"""A program that runs, for each line it reads, a console that decides one change after the other until it is killed.

Each line names a folder. The console appends its requests to the file `sent` there, one per line, as they would be
sent; its journal is in the same folder. Consoles are forked, so that a hundred of them take a hundred milliseconds each
instead of a start of the interpreter.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from console.api.operations.support import AcceptAlert
from console.api.request import Request
from console.base.clock import SystemClock
from console.live.command import Command, Stage, Step
from console.live.journal import Journal
from console.records.record import Record
from console.records.responses import Acknowledgement
from console.records.traffic import Call
from tests.live.command_bench import OneRecord, commands_of


class Wire:
    """An engine, and its client, that writes requests to a file instead of the network."""

    username = "ana"

    def __init__(self, file: Path) -> None:
        self._loop = asyncio.get_running_loop()
        self.news = asyncio.Event()
        self._handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self.client = self

    async def send(self, request: Request[Any], once: str) -> Any:
        os.write(self._handle, f"{once}\n".encode())
        await asyncio.sleep(0)
        return Acknowledgement(message="OK")

    def why_not(self) -> str | None:
        return None

    def records(self, kind: str) -> Mapping[str, Record]:
        return OneRecord(Call(id="a", state="ringing"))

    def post(self, call: Callable[[], object]) -> bool:
        self._loop.call_soon_threadsafe(call)
        return True

    def read_back(self, kinds: Iterable[str]) -> None: ...

    def changed(self) -> None:
        self.news.set()


async def decide(folder: Path) -> None:
    """Decide changes without end, with one step and with three."""
    wire = Wire(folder / "sent")
    commands = commands_of(wire, Journal(folder / "journal"), SystemClock(), "killed")
    number = 0
    while True:
        number += 1
        steps = tuple(Step(AcceptAlert(alert_id=f"a{number}"), f"a{number}", "accepted") for _ in range(number % 3 + 1))
        command = Command("alerts.accept", "alerts", steps, "Accept")
        commands.submit(command)
        while next(each for each in commands.tickets() if each.command is command).stage is Stage.PENDING:
            wire.news.clear()
            await wire.news.wait()


def main() -> None:
    """Fork a console per line read and print its process id."""
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            asyncio.run(decide(Path(line.strip())))
        print(pid, flush=True)
        os.waitpid(pid, 0)
        print("gone", flush=True)


if __name__ == "__main__":
    main()
