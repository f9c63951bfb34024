"""A backend in memory for commands: requests are recorded and answered as instructed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from console.api.errors import ApiError
from console.api.operations.people import AddParticipant, RemoveParticipant
from console.api.operations.support import AcceptAlert
from console.api.request import Request
from console.base.clock import Clock
from console.live.command import Command, Stage, Step, Ticket
from console.live.commands import Commands
from console.live.journal import Journal
from console.records.people import Group
from console.records.record import Record
from console.records.responses import Acknowledgement
from console.records.traffic import Call
from tests.live.until import until_async
from tests.manual_clock import ManualClock


class OneRecord(Mapping[str, Record]):
    """A list that has the same record under each key, or none."""

    def __init__(self, record: Record | None) -> None:
        self._record = record

    def __getitem__(self, key: str) -> Record:
        if self._record is None:
            raise KeyError(key)
        return self._record

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


class FakeEngine:
    """What commands need of an engine and of its client. Records the requests."""

    username = "ana"

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.sent: list[Request[Any]] = []
        self.keys: list[str] = []
        self.errors: list[ApiError | None] = []
        self.answer: object = Acknowledgement(message="OK")
        self.again: list[str] = []
        self.refusal: str | None = None
        self.there: Record | ApiError = Group(group_id="night", name="Night", participants=("a", "b", "c"))
        """The answer when a record is read again."""
        self.listed: Record | None = Call(id="a", state="ringing")
        """The record that the lists have."""
        self.closed = False
        self.pause: asyncio.Event | None = None
        self.client = self

    async def send(self, request: Request[Any], once: str | None = None) -> Any:
        return await (self.ask(request) if once is None else self.change(request, once))

    async def change(self, request: Request[Any], once: str) -> Any:
        """Answer a change."""
        self.sent.append(request)
        if self.pause is not None:
            await self.pause.wait()
        self.keys.append(once)
        error = self.errors.pop(0) if self.errors else None
        if error is not None:
            raise error
        return self.answer

    async def ask(self, request: Request[Any]) -> Any:
        """Answer a read."""
        if isinstance(self.there, ApiError):
            raise self.there
        return self.there

    def why_not(self) -> str | None:
        return self.refusal

    def records(self, kind: str) -> Mapping[str, Record]:
        return OneRecord(self.listed)

    def post(self, call: Callable[[], object]) -> bool:
        if self.closed:
            return False
        self.loop.call_soon_threadsafe(call)
        return True

    def read_back(self, kinds: Iterable[str]) -> None:
        self.again.extend(kinds)

    def changed(self) -> None:
        pass


def commands_of(around: Any, journal: Journal, clock: Clock, console: str = "") -> Commands:
    """Return commands that use an object like `FakeEngine`."""
    return Commands(
        around, journal, clock, post=around.post, why_not=around.why_not, where="http://fake", console=console
    )


class Bench:
    def __init__(self, path: Path, around: FakeEngine | None = None) -> None:
        self.clock = ManualClock()
        self.around = around or FakeEngine()
        self.path = path
        self.commands = commands_of(self.around, Journal(path), self.clock)

    def ticket(self, command: Command) -> Ticket:
        return next(ticket for ticket in self.commands.tickets() if ticket.command.number == command.number)

    async def done(self, command: Command) -> Ticket:
        over = {Stage.DONE, Stage.REFUSED, Stage.UNKNOWN, Stage.TAKEN_BACK}
        await until_async(lambda: self.ticket(command).stage in over)
        await self.commands.settle()
        return self.ticket(command)

    async def run(self, command: Command) -> Ticket:
        """Submit a command and wait for its end."""
        self.commands.submit(command)
        return await self.done(command)

    async def undo(self, number: int | None = None) -> Ticket:
        """Undo a change, by default the last one, and wait for the end of what undoes it."""
        ticket = self.commands.undo(number)
        assert ticket is not None
        return await self.done(ticket.command)

    def journal(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.path.read_text().splitlines()] if self.path.exists() else []


def accept(*alerts: str, hold: float = 0.0) -> Command:
    steps = tuple(Step(AcceptAlert(alert_id=alert), alert, f"accepted {alert}") for alert in alerts)
    return Command("alerts.accept", "alerts", steps, "Accept", hold=hold)


def add(*users: str) -> Command:
    steps = tuple(
        Step(
            AddParticipant(group_id="night", target_user_id=user),
            "night",
            f"added {user}",
            (RemoveParticipant(group_id="night", target_user_id=user),),
        )
        for user in users
    )
    return Command("groups.add", "groups", steps, "Add")
