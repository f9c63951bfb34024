"""Execution of commands: hold, journal, send, report. Never twice, never silently."""

from __future__ import annotations

import asyncio
import threading
import uuid
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from console.api.errors import (
    Accepted,
    ApiError,
    BadAnswer,
    NotOffered,
    ServerFault,
    TimedOut,
    Unreachable,
)
from console.base.clock import Clock
from console.base.frozen import replace
from console.live.command import (
    Basis,
    Command,
    CommandEntries,
    CommandEntry,
    DueTime,
    Outcome,
    Replaced,
    Stage,
    Step,
    Ticket,
)
from console.live.journal import Journal, JournalFault
from console.live.merging import inverse_of, rebased, removes, shows, shows_removal
from console.live.paging import find_row
from console.live.responses import answered, intent_entry, outcome_entry, sum_up, unsent, without
from console.live.waiting import wait_or_sleep
from console.records.record import Record

if TYPE_CHECKING:
    from console.live.engine import Engine

LATEST_SECONDS = 10.0
"""A change that could not be sent within this time is not sent: the situation may have changed."""
READ_BACK_SECONDS = 1.0
READ_BACK_TIMES = 10
"""How often the records of accepted changes are read, one time each `READ_BACK_SECONDS`."""


class Commands:
    """All commands of one console. Public methods may be called from any thread."""

    def __init__(
        self,
        engine: Engine,
        journal: Journal,
        clock: Clock,
        *,
        post: Callable[[Callable[[], object]], bool],
        why_not: Callable[[], str | None],
        where: str,
        console: str = "",
    ) -> None:
        """`where` and `console` are the names of the service and of this console in the journal.

        `post` runs a function on the engine's loop soon, and returns False if there is none. `why_not` returns why no
        change is possible at present, as a sentence, or None.
        """
        self._engine = engine
        self._post = post
        self._why_not = why_not
        self._where = where
        self._console = console
        self._journal = journal
        self._clock = clock
        self._lock = threading.Lock()
        self._entries = CommandEntries()
        self._running: set[asyncio.Task[None]] = set()

    def submit(self, command: Command, *, undoes: int | None = None) -> Ticket:
        """Submit a command and return its first ticket; see `CommandsApi.submit`."""
        why_not = self._why_not()
        if why_not is not None:
            return self._refuse(command, why_not)
        held, keys = command.hold > 0, {step.key for step in command.steps}
        entry = CommandEntry(
            Ticket(
                command,
                Stage.HELD if held else Stage.PENDING,
                seconds_left=max(0.0, command.hold),
                decided_at=self._clock.now_ms(),
            ),
            due=self._moment(max(0.0, command.hold)),
            undoes=undoes,
        )
        with self._lock:
            if command.number in self._entries:
                return self._entries[command.number].ticket
            entry.after = tuple(
                earlier
                for earlier in self._entries.values()
                if earlier.ticket.under_way and any(step.key in keys for step in earlier.ticket.command.steps)
            )
            self._entries[command.number] = entry
            self._entries.forget_old()
        self._release(entry.after)
        if not self._post(lambda: self._start(entry)):
            with self._lock:
                del self._entries[command.number]
            return self._refuse(command, "the console is closing")
        self._engine.changed()
        return entry.ticket

    def undo(self, number: int | None = None) -> Ticket | None:
        """Undo a command, or the newest one that does not undo another itself; see `CommandsApi.undo`."""
        with self._lock:
            entry = self._entries.undoable(number)
            if entry is None:
                return None
            ticket = entry.ticket
            if ticket.stage is Stage.HELD:
                entry.ticket = replace(ticket, stage=Stage.TAKEN_BACK, seconds_left=0.0)
                taken_back = entry.ticket
            else:
                entry.ticket = replace(ticket, undone=True)
                taken_back = None
        if taken_back is not None:
            self._post(entry.go.set)
            self._engine.changed()
            return taken_back
        answer = self.submit(inverse_of(ticket), undoes=ticket.command.number)
        if answer.stage is Stage.REFUSED:
            with self._lock:
                entry.ticket = replace(entry.ticket, undone=False)
        return answer

    def send_held(self) -> None:
        """Send held commands."""
        with self._lock:
            entries = tuple(self._entries.values())
        self._release(entries)

    def leave(self) -> None:
        """Send held commands, and undo changes that are only for the time this console runs."""
        self.send_held()
        with self._lock:
            watching = [entry.ticket.command for entry in self._entries.values() if entry.watching]
        for command in watching:
            if any(step.key in self._engine.records(command.kind) for step in command.steps):
                self.undo(command.number)

    def _release(self, entries: Iterable[CommandEntry]) -> None:
        """Send the held ones: from now on, undoing them requires a request."""
        with self._lock:
            held = [entry for entry in entries if entry.ticket.stage is Stage.HELD]
            for entry in held:
                entry.ticket = replace(entry.ticket, stage=Stage.PENDING, seconds_left=0.0)
                entry.due = min(entry.due, self._moment())
        for entry in held:
            self._post(entry.go.set)
        if held:
            self._engine.changed()

    def tickets(self) -> tuple[Ticket, ...]:
        """Return the latest tickets, the newest first, with the remaining time of their holds."""
        if not self._entries:
            return ()
        now = self._clock.monotonic()
        with self._lock:
            entries = list(reversed(self._entries.values()))
            return tuple(
                replace(entry.ticket, seconds_left=max(0.0, entry.due.monotonic - now))
                if entry.ticket.stage is Stage.HELD
                else entry.ticket
                for entry in entries
            )

    def forget_secrets(self, number: int) -> None:
        """Mask the secrets in the answer to a command; see `CommandsApi.forget_secrets`."""
        with self._lock:
            entry = self._entries.get(number)
            if entry is not None:
                seen = (
                    replace(outcome, answer=without(outcome.step.request, outcome.answer), secret=False)
                    if outcome.secret
                    else outcome
                    for outcome in entry.ticket.outcomes
                )
                entry.ticket = replace(entry.ticket, outcomes=tuple(seen))
        self._engine.changed()

    async def settle(self) -> None:
        """Wait for commands in progress."""
        while self._running:
            await asyncio.wait(set(self._running))

    # -- on the engine's loop ---------------------------------------------------------------------------------------

    def _start(self, entry: CommandEntry) -> None:
        task = asyncio.get_running_loop().create_task(self._run(entry))
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _run(self, entry: CommandEntry) -> None:
        try:
            if await self._held(entry):
                await self._carry_out(entry)
        finally:
            entry.over.set()

    async def _held(self, entry: CommandEntry) -> bool:
        """Wait for the end of the hold, then for earlier commands; return False if the command was undone."""
        if entry.ticket.stage is Stage.HELD:
            await wait_or_sleep(entry.go, self._clock, entry.due.monotonic - self._clock.monotonic())
            self._release((entry,))
        if entry.ticket.stage is Stage.TAKEN_BACK:
            return False
        earlier, entry.after = entry.after, ()
        for command_entry in earlier:
            await command_entry.over.wait()
        return True

    async def _carry_out(self, entry: CommandEntry) -> None:
        command = entry.ticket.command
        why_not = self._why_not() or self._too_late(entry.due)
        if why_not is not None:
            self._finish(entry, Stage.REFUSED, (), why_not)
            return
        name, undo = f"{uuid.uuid4()}", entry.undoes is not None
        known = self._engine.records(command.kind)
        before = {step.key: known.get(step.key) for step in command.steps}
        try:
            await asyncio.to_thread(self._journal.append, self._intent(name, command, before, undo=undo))
        except JournalFault as fault:
            self._finish(entry, Stage.REFUSED, (), str(fault))
            return
        outcomes: list[Outcome] = []
        unwritten, due = "", entry.due
        for number, step in enumerate(command.steps):
            outcome = replace(await self._step(name, number, step, outcomes, due, undo=undo), at=self._clock.now_ms())
            outcomes.append(outcome)
            due = self._moment()
            with self._lock:
                entry.ticket = replace(entry.ticket, outcomes=tuple(outcomes))
            if not outcome.accepted:
                unwritten = await self._write(outcome_entry(name, number, outcome.at, step, outcome)) or unwritten
            self._engine.changed()
        accepted = [number for number, outcome in enumerate(outcomes) if outcome.accepted]
        if accepted:
            await self._confirm(command.kind, before, outcomes)
        for number in accepted:
            outcome = outcomes[number] = replace(outcomes[number], at=self._clock.now_ms())
            noted = outcome_entry(name, number, outcome.at, command.steps[number], outcome)
            unwritten = await self._write(noted) or unwritten
        stage, reason = sum_up(outcomes)
        unwritten = await self._write({"what": "result", "command": name, "stage": stage.value}) or unwritten
        self._finish(entry, stage, tuple(outcomes), reason or unwritten)
        self._engine.read_back(command.touches)

    async def _step(
        self, name: str, number: int, step: Step, before: list[Outcome], due: DueTime, *, undo: bool
    ) -> Outcome:
        """Send one step. Steps after a failed one of the same record, and all after a lost connection, are not sent."""
        for earlier in before:
            if earlier.stage is Stage.UNKNOWN and not earlier.accepted:
                return unsent(step, "the outcome of an earlier step is unknown")
            if earlier.stage is Stage.REFUSED and earlier.step.key == step.key:
                return unsent(step, "an earlier step was refused")
        based = step if step.basis is None else await rebased(step, step.basis, self._read_again, self._own)
        if isinstance(based, Outcome):
            return based
        step, too_late = based, self._too_late(due)
        if too_late is not None:
            return unsent(step, too_late)
        try:
            answer = await self._engine.client.send(step.request, once=f"{name}-{number}")
        except Accepted as error:
            return Outcome(step, Stage.UNKNOWN, error.reason, accepted=True)
        except (TimedOut, BadAnswer) as error:
            return Outcome(step, Stage.UNKNOWN, error.reason)
        except ServerFault as error:
            # 503 means that nothing was changed; other errors may have occurred after the change.
            stage = Stage.REFUSED if error.status == 503 else Stage.UNKNOWN
            return Outcome(step, stage, error.reason)
        except (Unreachable, NotOffered) as error:
            # TimedOut, after a possible effect, is an Unreachable that was handled before.
            sent = isinstance(error, NotOffered) and error.status is not None
            return Outcome(step, Stage.REFUSED, error.reason, sent=sent)
        except ApiError as error:
            return Outcome(step, Stage.REFUSED, error.in_full)
        return answered(step, answer, shown=not undo)

    async def _confirm(self, kind: str, before: Mapping[str, Record | None], outcomes: list[Outcome]) -> None:
        """Read the records of accepted changes back until they show them, for a few seconds.

        `before` are the records as they were listed when the changes were sent.
        """
        waiting = [
            number
            for number, outcome in enumerate(outcomes)
            if outcome.accepted
            and (
                outcome.step.basis is not None
                or (before[outcome.step.key] is not None and (outcome.step.shown_by or removes(outcome.step, kind)))
            )
        ]
        for _ in range(READ_BACK_TIMES if waiting else 0):
            for number in tuple(waiting):
                is_shown = await self._shows(kind, before, outcomes[number].step)
                if is_shown:
                    outcomes[number] = Outcome(outcomes[number].step, Stage.DONE)
                if is_shown is not False:
                    waiting.remove(number)
            if not waiting:
                return
            self._engine.read_back((kind,))
            await self._clock.sleep(READ_BACK_SECONDS)
        for number in waiting:
            reason = f"{outcomes[number].reason} after {READ_BACK_TIMES * READ_BACK_SECONDS:.0f} s"
            outcomes[number] = replace(outcomes[number], reason=reason)

    async def _shows(self, kind: str, before: Mapping[str, Record | None], step: Step) -> bool | None:
        """Return whether the record of a change shows it; None if that cannot be read."""
        if step.basis is None:
            now = self._engine.records(kind).get(step.key)
            if step.shown_by is not None:
                return now is not None and step.shown_by(now)
            return shows_removal(before[step.key], now)
        try:
            record = await self._read_again(step.basis)
        except ApiError:
            return None
        return None if record is None else shows(step, record)

    async def _read_again(self, basis: Basis) -> Any:
        """Return the record as it is now; None if the list that has it lacks it. Raise `api.errors`."""
        client = self._engine.client
        if not basis.key:
            return await client.send(basis.read)
        return await find_row(client.send, basis.read, basis.key, self._clock.sleep)

    def _own(self, basis: Basis) -> Mapping[str, Replaced]:
        """Return what the latest changes of this console replaced in a record."""
        with self._lock:
            return self._entries.replaced(basis)

    def _moment(self, seconds: float = 0.0) -> DueTime:
        return DueTime(self._clock.monotonic() + seconds, self._clock.now_ms() / 1000 + seconds)

    def _too_late(self, due: DueTime) -> str | None:
        now = self._moment()
        late = max(now.monotonic - due.monotonic, now.wall - due.wall)
        return f"too late: decided {late:.0f} s ago" if late > LATEST_SECONDS else None

    def _finish(self, entry: CommandEntry, stage: Stage, outcomes: tuple[Outcome, ...], reason: str) -> None:
        with self._lock:
            entry.ticket = replace(entry.ticket, stage=stage, outcomes=outcomes, reason=reason, seconds_left=0.0)
            undone = self._entries.get(entry.undoes) if entry.undoes is not None else None
            if undone is not None and stage is Stage.DONE:
                undone.ticket = replace(undone.ticket, stage=Stage.TAKEN_BACK)
            elif undone is not None and stage is Stage.REFUSED:
                undone.ticket = replace(undone.ticket, undone=False)
        self._engine.changed()

    # -- the journal ------------------------------------------------------------------------------------------------

    def _intent(
        self, name: str, command: Command, before: Mapping[str, Record | None], *, undo: bool
    ) -> dict[str, Any]:
        circumstances = {
            "at": self._clock.now_ms(),
            "who": self._engine.username,
            "where": self._where,
            "console": self._console,
            "undo": undo,
        }
        return intent_entry(name, command, circumstances, [before[step.key] for step in command.steps])

    async def _write(self, entry: dict[str, Any]) -> str:
        """Write an outcome; an error is returned, not raised, because the change was made."""
        try:
            await asyncio.to_thread(self._journal.append, entry)
        except JournalFault as fault:
            return str(fault)
        return ""

    # -- bookkeeping --------------------------------------------------------------------------------------------------

    def _refuse(self, command: Command, reason: str) -> Ticket:
        ticket = Ticket(command, Stage.REFUSED, reason=reason, decided_at=self._clock.now_ms())
        with self._lock:
            self._entries[command.number] = CommandEntry(ticket)
            self._entries.forget_old()
        self._engine.changed()
        return ticket
