"""Carrying out what was decided: hold, journal, send, and say what became of it. Never twice, never in silence."""

from __future__ import annotations

import asyncio
import json
import threading
import uuid
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from console.api.errors import ApiError, BadAnswer, ServerFault, TimedOut
from console.api.request import Request
from console.clock import Clock
from console.live.command import TAKES_BACK, Command, Outcome, Stage, Step, Ticket
from console.live.feeds import touched
from console.live.journal import Journal, JournalFault
from console.live.waiting import wait_or_sleep
from console.records.record import Record
from console.records.secrets import MASK, without_secrets

KEPT = 200
"""How many tickets are remembered besides those that are still under way."""
LARGEST_ANSWER = 4_000
"""Characters of a record or an answer that the journal keeps."""


class Desk(Protocol):
    """What carrying out needs from around it."""

    async def send(self, request: Request[Any], once: str) -> Any:
        """Send a change. Raises `api.errors`."""
        ...

    def why_not(self) -> str | None:
        """Say why no change may be made at all at the moment, as a sentence."""
        ...

    def who(self) -> str:
        """Name the caller, for the journal."""
        ...

    def where(self) -> str:
        """Name the service, for the journal."""
        ...

    def record(self, kind: str, key: str) -> Record | None:
        """Return what is known of a record now."""
        ...

    def post(self, call: Callable[[], object]) -> bool:
        """Run something on the engine's loop soon; False when there is no engine."""
        ...

    def read_back(self, kinds: Iterable[str]) -> None:
        """List these kinds again."""
        ...

    def changed(self) -> None:
        """A ticket changed."""
        ...


@dataclass
class _Entry:
    ticket: Ticket
    deadline: float = 0.0
    go: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when it need not be held any longer, because it is to be sent or was taken back."""
    after: tuple[_Entry, ...] = ()
    """What was decided before about the same records, and is sent first."""
    over: asyncio.Event = field(default_factory=asyncio.Event)
    undoes: int | None = None
    undone: bool = False

    @property
    def keys(self) -> frozenset[str]:
        """The records it is about."""
        return frozenset(step.key for step in self.ticket.command.steps)


class Commands:
    """All commands of one desk. Every public method may be called from any thread."""

    def __init__(self, desk: Desk, journal: Journal, clock: Clock, console: str = "") -> None:
        """`console` is what this console is called in the journal."""
        self._console = console
        self._desk = desk
        self._journal = journal
        self._clock = clock
        self._lock = threading.Lock()
        self._entries: OrderedDict[int, _Entry] = OrderedDict()
        self._running: set[asyncio.Task[None]] = set()

    def submit(self, command: Command, *, undoes: int | None = None) -> Ticket:
        """Take a decision and return its first ticket; see `Desk.submit`."""
        why_not = self._desk.why_not()
        if why_not is not None:
            return self._refuse(command, why_not)
        held = command.hold > 0
        entry = _Entry(
            Ticket(command, Stage.HELD if held else Stage.PENDING, seconds_left=max(0.0, command.hold)),
            deadline=self._clock.monotonic() + command.hold,
            undoes=undoes,
        )
        with self._lock:
            if command.number in self._entries:
                return self._entries[command.number].ticket
            entry.after = tuple(
                each
                for each in self._entries.values()
                if each.ticket.under_way and not each.keys.isdisjoint(entry.keys)
            )
            self._entries[command.number] = entry
            self._forget_old()
        self._release(entry.after)
        if not self._desk.post(lambda: self._start(entry)):
            with self._lock:
                del self._entries[command.number]
            return self._refuse(command, "the console is not running")
        self._desk.changed()
        return entry.ticket

    def undo(self, number: int | None = None) -> Ticket | None:
        """Take back a command, or the newest that is no taking back itself; see `Desk.undo`."""
        with self._lock:
            entry = self._undoable(number)
            if entry is None:
                return None
            ticket = entry.ticket
            if ticket.stage is Stage.HELD:
                entry.ticket = replace(ticket, stage=Stage.TAKEN_BACK, seconds_left=0.0)
                taken_back = entry.ticket
            else:
                entry.undone = True
                taken_back = None
        if taken_back is not None:
            self._desk.post(entry.go.set)
            self._desk.changed()
            return taken_back
        answer = self.submit(_inverse(ticket), undoes=ticket.command.number)
        if answer.stage is Stage.REFUSED:
            entry.undone = False
        return answer

    def send_held(self) -> None:
        """Send what is still held back."""
        with self._lock:
            entries = tuple(self._entries.values())
        self._release(entries)

    def _release(self, entries: Iterable[_Entry]) -> None:
        """Send those of them that are held: from now on they cannot be taken back without a trace."""
        with self._lock:
            held = [entry for entry in entries if entry.ticket.stage is Stage.HELD]
            for entry in held:
                entry.ticket = replace(entry.ticket, stage=Stage.PENDING, seconds_left=0.0)
        for entry in held:
            self._desk.post(entry.go.set)
        if held:
            self._desk.changed()

    def tickets(self) -> tuple[Ticket, ...]:
        """Return the latest tickets, the newest first, with what is left of their holds."""
        now = self._clock.monotonic()
        with self._lock:
            entries = list(reversed(self._entries.values()))
            return tuple(
                replace(entry.ticket, seconds_left=max(0.0, entry.deadline - now))
                if entry.ticket.stage is Stage.HELD
                else entry.ticket
                for entry in entries
            )

    async def settle(self) -> None:
        """Wait for what is on its way."""
        while self._running:
            await asyncio.wait(set(self._running))

    # -- on the engine's loop ---------------------------------------------------------------------------------------

    def _start(self, entry: _Entry) -> None:
        task = asyncio.get_running_loop().create_task(self._run(entry))
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _run(self, entry: _Entry) -> None:
        try:
            if await self._held(entry):
                await self._carry_out(entry)
        finally:
            entry.over.set()

    async def _held(self, entry: _Entry) -> bool:
        """Wait for the end of the hold, then for what comes first; False if it was taken back meanwhile."""
        if entry.ticket.stage is Stage.HELD:
            await wait_or_sleep(entry.go, self._clock, entry.deadline - self._clock.monotonic())
            self._release((entry,))
        if entry.ticket.stage is Stage.TAKEN_BACK:
            return False
        earlier, entry.after = entry.after, ()
        for each in earlier:
            await each.over.wait()
        return True

    async def _carry_out(self, entry: _Entry) -> None:
        command = entry.ticket.command
        why_not = self._desk.why_not()
        if why_not is not None:
            self._finish(entry, Stage.REFUSED, (), why_not)
            return
        name = f"{uuid.uuid4()}"
        try:
            await asyncio.to_thread(self._journal.append, self._intent(name, command, entry.undoes))
        except JournalFault as fault:
            self._finish(entry, Stage.REFUSED, (), str(fault))
            return
        outcomes: list[Outcome] = []
        unwritten = ""
        for number, step in enumerate(command.steps):
            outcome = await self._step(name, number, step, outcomes)
            outcomes.append(outcome)
            with self._lock:
                entry.ticket = replace(entry.ticket, outcomes=tuple(outcomes))
            unwritten = await self._note(name, number, outcome) or unwritten
            self._desk.changed()
        stage, reason = _sum_up(outcomes)
        unwritten = await self._write({"what": "result", "command": name, "stage": stage.value}) or unwritten
        self._finish(entry, stage, tuple(outcomes), reason or unwritten)
        self._desk.read_back({kind for step in command.steps for kind in touched(step.request)} | {command.kind})

    async def _step(self, name: str, number: int, step: Step, before: list[Outcome]) -> Outcome:
        """Send one step. What builds on a step that failed, and all after a lost connection, stays unsent."""
        for earlier in before:
            if earlier.stage is Stage.UNKNOWN:
                return Outcome(step, Stage.REFUSED, "not sent, because it is unknown what became of an earlier step")
            if earlier.stage is Stage.REFUSED and earlier.step.key == step.key:
                return Outcome(step, Stage.REFUSED, "not sent, because an earlier step was refused")
        try:
            answer = await self._desk.send(step.request, f"{name}-{number}")
        except (TimedOut, BadAnswer) as error:
            return Outcome(step, Stage.UNKNOWN, error.reason)
        except ServerFault as error:
            # 503 says that nothing was done; other failures may have come after the deed.
            stage = Stage.REFUSED if error.status == 503 else Stage.UNKNOWN
            return Outcome(step, stage, error.reason)
        except ApiError as error:
            return Outcome(step, Stage.REFUSED, error.in_full)
        return Outcome(step, Stage.DONE, answer=answer)

    def _finish(self, entry: _Entry, stage: Stage, outcomes: tuple[Outcome, ...], reason: str) -> None:
        with self._lock:
            entry.ticket = replace(entry.ticket, stage=stage, outcomes=outcomes, reason=reason, seconds_left=0.0)
            undone = self._entries.get(entry.undoes) if entry.undoes is not None else None
            if undone is not None and stage is Stage.DONE:
                undone.ticket = replace(undone.ticket, stage=Stage.TAKEN_BACK)
            elif undone is not None and stage is Stage.REFUSED:
                undone.undone = False
        self._desk.changed()

    # -- the journal ------------------------------------------------------------------------------------------------

    def _intent(self, name: str, command: Command, undoes: int | None) -> dict[str, Any]:
        return {
            "what": "intent",
            "command": name,
            "at": self._clock.now_ms(),
            "who": self._desk.who(),
            "where": self._desk.where(),
            "console": self._console,
            "action": command.action,
            "title": command.title,
            "undo": undoes is not None,
            "steps": [
                {
                    "words": step.words,
                    "operation": step.request.operation.name,
                    "key": step.key,
                    "inputs": shown_inputs(step.request),
                    "before": self._known(command.kind, step.key),
                }
                for step in command.steps
            ],
        }

    async def _note(self, name: str, number: int, outcome: Outcome) -> str:
        entry: dict[str, Any] = {
            "what": "outcome",
            "command": name,
            "step": number,
            "at": self._clock.now_ms(),
            "stage": outcome.stage.value,
        }
        if outcome.reason:
            entry["reason"] = outcome.reason
        if isinstance(outcome.answer, Record):
            entry["after"] = _short(outcome.answer)
        return await self._write(entry)

    async def _write(self, entry: dict[str, Any]) -> str:
        """Write an outcome; it happened all the same when that fails, so the fault is told, not raised."""
        try:
            await asyncio.to_thread(self._journal.append, entry)
        except JournalFault as fault:
            return str(fault)
        return ""

    def _known(self, kind: str, key: str) -> Any:
        record = self._desk.record(kind, key)
        return None if record is None else _short(record)

    # -- bookkeeping --------------------------------------------------------------------------------------------------

    def _refuse(self, command: Command, reason: str) -> Ticket:
        ticket = Ticket(command, Stage.REFUSED, reason=reason)
        with self._lock:
            self._entries[command.number] = _Entry(ticket)
            self._forget_old()
        self._desk.changed()
        return ticket

    def _undoable(self, number: int | None) -> _Entry | None:
        if number is not None:
            entry = self._entries.get(number)
            return entry if entry is not None and entry.ticket.can_undo and not entry.undone else None
        for entry in reversed(self._entries.values()):
            if entry.undoes is None and entry.ticket.can_undo and not entry.undone:
                return entry
        return None

    def _forget_old(self) -> None:
        for number in list(self._entries):
            if len(self._entries) <= KEPT:
                return
            if not self._entries[number].ticket.under_way:
                del self._entries[number]


def shown_inputs(request: Request[Any]) -> dict[str, Any]:
    """Return a request's inputs by wire name, with every secret hidden, also those inside of records."""
    values = request.model_dump(by_alias=True, mode="json", exclude_unset=True)
    secret = {each.wire for each in request.inputs() if each.secret}
    return {name: MASK if name in secret else without_secrets(value) for name, value in values.items()}


def _short(record: Record) -> Any:
    told = record.model_dump(by_alias=True, exclude_none=True, exclude={"credential", "avatar"}, mode="json")
    wire = json.dumps(without_secrets(told), ensure_ascii=False, separators=(",", ":"))
    return wire if len(wire) <= LARGEST_ANSWER else wire[:LARGEST_ANSWER] + "…"


def _sum_up(outcomes: list[Outcome]) -> tuple[Stage, str]:
    """Say where the whole stands. Done in part is DONE with a reason, so that the part can be taken back."""
    failed = [outcome for outcome in outcomes if outcome.stage is not Stage.DONE]
    unknown = next((outcome for outcome in outcomes if outcome.stage is Stage.UNKNOWN), None)
    if unknown is not None:
        return Stage.UNKNOWN, unknown.reason
    if not failed:
        return Stage.DONE, ""
    if len(failed) == len(outcomes):
        return Stage.REFUSED, failed[0].reason
    return Stage.DONE, f"{len(failed)} of {len(outcomes)} were refused: {failed[0].reason}"


def _inverse(ticket: Ticket) -> Command:
    """Make the command that takes back what was done, the last first; where that is plain, it can be taken back too."""
    steps: list[Step] = []
    for outcome in reversed(ticket.outcomes):
        step = outcome.step
        if outcome.stage is not Stage.DONE:
            continue
        again = (step.request,) if len(step.inverse) == 1 else ()
        steps.extend(
            Step(request=request, key=step.key, words=f"took back: {step.words}", inverse=again)
            for request in step.inverse
        )
    command = ticket.command
    return Command(
        action=f"{TAKES_BACK}{command.action}",
        kind=command.kind,
        steps=tuple(steps),
        title=f"Take back: {command.title}",
    )
