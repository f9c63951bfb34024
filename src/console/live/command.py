"""Commands: their steps, states, outcomes and inverses, and all commands of one console."""

from __future__ import annotations

import asyncio
import itertools
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

from console.base.frozen import Frozen, field

if TYPE_CHECKING:
    from console.api.request import Request
    from console.records.record import Record

TAKES_BACK = "undo."
"""Prefix of the action of a command that undoes another."""
KEPT = 1_000
"""Number of tickets that are stored, in addition to those in progress or with a secret that was not shown yet."""
_RECENT_MS = 10_000
_numbers = itertools.count(1)


class Stage(StrEnum):
    """State of a change. Only an answer of the service makes it done."""

    HELD = "held"
    """Decided, but not sent: it can be undone without a request."""
    PENDING = "pending"
    DONE = "done"
    REFUSED = "refused"
    UNKNOWN = "unknown"
    """Sent, without an answer: the record is read back, and the change is never repeated automatically."""
    TAKEN_BACK = "taken back"


class Basis(Frozen):
    """The values on which a change was decided, compared with the record just before it is sent."""

    read: Request[Any]
    """Reads the record."""
    before: Mapping[str, Any]
    """The values at the time of the decision, by the field names that record and request share.

    Includes fields that must be sent although they are not changed.
    """
    key: str = ""
    """The record's key if `read` lists several, for records that cannot be read alone."""
    field: str = ""
    """The field of the request that takes the whole record as its value, if there is one.

    Nothing before means that there was no record.
    """

    @property
    def names_one(self) -> bool:
        """Whether `read` names one record: that it is not found means that there is none."""
        return not self.key and any(input_.required for input_ in self.read.inputs())


class Disputed(Frozen):
    """A field that two people changed to different values."""

    field: str
    before: Any
    mine: Any
    """The new value; None if the request clears it."""
    theirs: Any
    """The current value."""


class Replaced(Frozen):
    """A value of a field that a change of this console replaced."""

    before: Any
    """The value at the time of the decision."""
    after: Any
    """The value that was sent; None if it was cleared."""


class Clash(Frozen):
    """A conflict with a change by somebody else; nothing was sent."""

    disputed: tuple[Disputed, ...]
    record: Record | None
    """The record as it is now; None if it no longer exists."""


class Step(Frozen):
    """One request of a change, the key of its record, and its inverse, if any."""

    request: Request[Any]
    key: str
    words: str
    """Description of the step: a past participle and the record's name, such as `accepted Line down`. Clean."""
    inverse: tuple[Request[Any], ...] = ()
    basis: Basis | None = None
    """For a request that replaces values: the values on which it was decided."""
    shown_by: Callable[[Record], bool] | None = None
    """Returns whether the listed record shows the change, for a request without values to compare."""
    watching: bool = False
    """Whether the change is only for the time this console runs, and is undone when it quits."""
    leaves: Basis | None = None
    """For an inverse that replaces values: the values after this step, if `basis` does not contain them."""
    follows: bool = False
    """Whether it belongs to the previous step: the two count as one."""


class Command(Frozen, dict=True):
    """The decision of one key press. Refers to keys, never to row numbers."""

    action: str
    kind: str
    steps: tuple[Step, ...]
    title: str
    hold: float = 0.0
    """Seconds for which it is held, to be cancelled by `u`."""
    noun: str = "record"
    """Word for the record of a step, in the singular: `alert`, `member`."""
    skipped: str = ""
    """Number of selected records that were skipped, with the reason; empty without any. Clean."""
    number: int = field(default_factory=lambda: next(_numbers))

    @property
    def count(self) -> int:
        """Number of records or things concerned."""
        return sum(not step.follows for step in self.steps)

    @cached_property
    def touches(self) -> frozenset[str]:
        """The kinds whose records it may change."""
        changes = (step.request.operation.change for step in self.steps)
        return frozenset({self.kind, *(kind for change in changes if change is not None for kind in change.touches)})

    @property
    def takes_back(self) -> bool:
        """Whether it undoes another command."""
        return self.action.startswith(TAKES_BACK)


class Outcome(Frozen):
    """The result of one step."""

    step: Step
    stage: Stage
    reason: str = ""
    """Why it was refused or is unknown: remote text, clean before painting."""
    answer: object = None
    """The answer of the service, with masked secrets unless they are still to be shown."""
    says: str = ""
    """The relevant part of the answer on one line: remote text, clean before painting. Never a secret."""
    made: tuple[str, ...] = ()
    """The ids of created records, as far as the service assigned them."""
    clash: Clash | None = None
    """The conflict that prevented it, if any."""
    at: int = 0
    """When the result was known, in ms since the epoch."""
    accepted: bool = False
    """Whether the service accepted it without having done it: later steps do not depend on it."""
    sent: bool = True
    """Whether it was sent; if not, `reason` says why."""
    secret: bool = False
    """Whether `answer` contains a secret that is returned only once, and that was not shown yet."""


class Ticket(Frozen):
    """A command with its current state. A new Ticket replaces it at every change."""

    command: Command
    stage: Stage
    outcomes: tuple[Outcome, ...] = ()
    seconds_left: float = 0.0
    """Remaining seconds of the hold."""
    reason: str = ""
    decided_at: int = 0
    """When it was decided, in ms since the epoch."""
    undone: bool = False
    """Whether a command that undoes it was submitted, and not refused."""

    @property
    def sent(self) -> bool:
        """Whether any step was sent."""
        return any(outcome.sent for outcome in self.outcomes)

    @property
    def answered_at(self) -> int:
        """When its last outcome was known, otherwise when it was decided, in ms since the epoch; 0 if not known."""
        return max((outcome.at for outcome in self.outcomes), default=0) or self.decided_at

    def is_recent(self, now_ms: int) -> bool:
        """Whether it is not finished, or finished in the last few seconds; not after a clock was set back."""
        return self.under_way or not self.answered_at or abs(now_ms - self.answered_at) <= _RECENT_MS

    @property
    def under_way(self) -> bool:
        """Whether it is not finished."""
        return self.stage in {Stage.HELD, Stage.PENDING}

    @property
    def can_undo(self) -> bool:
        """Whether `u` has an effect."""
        if self.stage is Stage.HELD:
            return True
        return (
            self.stage is Stage.DONE
            and not self.undone
            and any(outcome.stage is Stage.DONE and outcome.step.inverse for outcome in self.outcomes)
        )


class NextUndo(Frozen):
    """The command that an undo refers to."""

    ticket: Ticket | None
    """The newest command that can be undone, or None."""
    final: Ticket | None = None
    """The newest command, if it took effect after that one and cannot be undone."""


def next_undo(tickets: Iterable[Ticket]) -> NextUndo:
    """Return which of some commands, the newest first, an undo refers to."""
    final: Ticket | None = None
    for ticket in tickets:
        if ticket.command.takes_back or ticket.undone:
            continue
        if ticket.stage is Stage.PENDING:
            return NextUndo(None)  # The key refers to the command being sent, not to an earlier one.
        if ticket.can_undo:
            return NextUndo(ticket, final)
        if final is None and ticket.stage in {Stage.DONE, Stage.UNKNOWN}:
            final = ticket
    return NextUndo(None, final)


def clashing(ticket: Ticket) -> tuple[Outcome, ...]:
    """Return the steps of a command that are in conflict with changes by others."""
    return tuple(outcome for outcome in ticket.outcomes if outcome.clash is not None)


def secret_of(ticket: Ticket) -> bool:
    """Return whether the answer to a finished command contains a secret that was not shown yet."""
    return not ticket.under_way and any(outcome.secret for outcome in ticket.outcomes)


class DueTime(Frozen, order=True):
    """A time on both clocks: the monotonic one stops while the machine is suspended."""

    monotonic: float = 0.0
    wall: float = 0.0


@dataclass
class CommandEntry:
    """A command with the state of its execution."""

    ticket: Ticket
    due: DueTime = dataclass_field(default_factory=DueTime)
    """When to send it: when it was decided, or at the end of its hold."""
    go: asyncio.Event = dataclass_field(default_factory=asyncio.Event)
    """Set when it need not be held any longer: it is to be sent, or was undone."""
    after: tuple[CommandEntry, ...] = ()
    """Earlier commands about the same records, which are sent first."""
    over: asyncio.Event = dataclass_field(default_factory=asyncio.Event)
    undoes: int | None = None

    @property
    def watching(self) -> bool:
        """Whether to undo it when the console quits."""
        steps = self.ticket.command.steps
        return any(step.watching for step in steps) and self.ticket.can_undo


class CommandEntries(OrderedDict[int, CommandEntry]):
    """Entries by number of the command, the newest last. Not safe for threads."""

    def undoable(self, number: int | None) -> CommandEntry | None:
        """Return the command of a number, or the newest one, if it can be undone."""
        if number is not None:
            entry = self.get(number)
            return entry if entry is not None and entry.ticket.can_undo else None
        ticket = next_undo(entry.ticket for entry in reversed(self.values())).ticket
        return self[ticket.command.number] if ticket is not None else None

    def replaced(self, basis: Basis) -> dict[str, Replaced]:
        """Return what the latest changes of a record replaced, by field; without changes that were refused."""
        replaced: dict[str, Replaced] = {}
        for ticket in (entry.ticket for entry in reversed(self.values())):
            # Until a command is finished, only its first steps have an outcome.
            for decided, outcome in reversed(tuple(zip(ticket.command.steps, ticket.outcomes, strict=False))):
                if decided.basis is None or (decided.basis.read, decided.basis.key) != (basis.read, basis.key):
                    continue
                if outcome.stage is Stage.REFUSED:
                    continue
                for name, before in decided.basis.before.items():
                    if name in outcome.step.request.model_fields_set:
                        replaced.setdefault(name, Replaced(before, getattr(outcome.step.request, name)))
        return replaced

    def forget_old(self) -> None:
        """Remove the oldest commands beyond `KEPT`."""
        for number in list(self):
            if len(self) <= KEPT:
                return
            entry = self[number]
            if not entry.ticket.under_way and not entry.watching and not secret_of(entry.ticket):
                del self[number]
