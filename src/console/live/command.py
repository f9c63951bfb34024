"""A change on its way: what was decided, about what, how to take it back, and what became of it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

from console.frozen import Frozen, field

if TYPE_CHECKING:
    from console.api.request import Request
    from console.records.record import Record

TAKES_BACK = "undo."
"""What stands before the action in the command that takes it back."""
_numbers = itertools.count(1)


class Stage(StrEnum):
    """How far a change has come. Only an answer of the service makes it done."""

    HELD = "held"
    """Decided, not sent yet: it can be taken back without a trace at the service."""
    PENDING = "pending"
    DONE = "done"
    REFUSED = "refused"
    UNKNOWN = "unknown"
    """Sent, but no answer came: it is read back, never sent again by itself."""
    TAKEN_BACK = "taken back"


class Basis(Frozen):
    """What a change was decided on. Just before it is sent, the record is read anew and compared with this."""

    read: Request[Any]
    """Asks for the record."""
    before: Mapping[str, Any]
    """What stood there when it was decided, by the python names that record and request have for it.

    Fields that must be sent along, though nobody means to change them, belong here too.
    """


class Disputed(Frozen):
    """A field that two people changed, each to something else."""

    field: str
    before: Any
    mine: Any
    """What was to stand there; None where the request clears it."""
    theirs: Any
    """What stands there now."""


class Clash(Frozen):
    """Somebody else changed the same meanwhile, so that nothing was sent."""

    disputed: tuple[Disputed, ...]
    record: Record
    """The record as the service has it now."""


class Step(Frozen):
    """One request of a change, the record it is about, and the request that undoes it, if there is one."""

    request: Request[Any]
    key: str
    words: str
    """Says what this step does: a verb in the past tense, then the record's name, as `accepted Line down`. Clean."""
    inverse: tuple[Request[Any], ...] = ()
    basis: Basis | None = None
    """For a request that replaces what is there: what it was decided on."""
    watching: bool = False
    """Whether it is only wanted as long as this console looks, and is taken back when the console is left."""
    leaves: Basis | None = None
    """For an inverse that replaces what is there: how this step leaves it, where `basis` does not tell."""
    follows: bool = False
    """Whether it belongs to the step before it: the two are counted as one."""


class Command(Frozen, dict=True):
    """What one key press decided. Bound to keys, never to row numbers."""

    action: str
    kind: str
    steps: tuple[Step, ...]
    title: str
    hold: float = 0.0
    """Seconds it is held back for `u` (reversibility class R2)."""
    noun: str = "record"
    """What one of its steps is about, in the singular: `alert`, `member`."""
    skipped: str = ""
    """How many of the marked records it could not take, and why not; empty if it took all. Clean."""
    number: int = field(default_factory=lambda: next(_numbers))

    @property
    def count(self) -> int:
        """How many things it is about."""
        return sum(not step.follows for step in self.steps)

    @cached_property
    def touches(self) -> frozenset[str]:
        """The kinds whose records it may change."""
        changes = (step.request.operation.change for step in self.steps)
        return frozenset({self.kind, *(kind for change in changes if change is not None for kind in change.touches)})

    @property
    def takes_back(self) -> bool:
        """Whether it takes another command back."""
        return self.action.startswith(TAKES_BACK)


class Outcome(Frozen):
    """What became of one step."""

    step: Step
    stage: Stage
    reason: str = ""
    """Why it was refused or is unknown: remote text, clean before painting."""
    answer: object = None
    """What the service answered, with a mask in place of secrets unless they are still to be shown."""
    says: str = ""
    """What the answer says that is worth saying, on one line: remote text, clean before painting. Never a secret."""
    made: tuple[str, ...] = ()
    """The ids of what was made, as far as the service chose them."""
    clash: Clash | None = None
    """What stood in the way, if it was a change by somebody else."""
    at: int = 0
    """When this was known, in ms since the epoch."""
    sent: bool = True
    """Whether it was sent; if not, `reason` says why."""
    secret: bool = False
    """Whether `answer` holds a secret that is said only once and that nobody has seen yet."""


def unsent(step: Step, reason: str, clash: Clash | None = None) -> Outcome:
    """Return the outcome of a step that was not sent."""
    return Outcome(step, Stage.REFUSED, reason, clash=clash, sent=False)


def sum_up(outcomes: Sequence[Outcome]) -> tuple[Stage, str]:
    """Say where the whole stands. Done in part is DONE with a reason, so that the part can be taken back."""
    failed = [outcome for outcome in outcomes if outcome.stage is not Stage.DONE]
    unknown = next((outcome for outcome in outcomes if outcome.stage is Stage.UNKNOWN), None)
    if unknown is not None:
        return Stage.UNKNOWN, unknown.reason
    if not failed:
        return Stage.DONE, ""
    if len(failed) == len(outcomes):
        return Stage.REFUSED, failed[0].reason
    became = "were refused" if any(outcome.sent for outcome in failed) else "were not sent"
    return Stage.DONE, f"{len(failed)} of {len(outcomes)} {became}: {failed[0].reason}"


class Ticket(Frozen):
    """A command and where it stands now. A new Ticket replaces it at every change."""

    command: Command
    stage: Stage
    outcomes: tuple[Outcome, ...] = ()
    seconds_left: float = 0.0
    """How much of the hold is left."""
    reason: str = ""
    decided_at: int = 0
    """When it was decided, in ms since the epoch."""

    @property
    def sent(self) -> bool:
        """Whether any step of it left this console."""
        return any(outcome.sent for outcome in self.outcomes)

    @property
    def under_way(self) -> bool:
        """Whether it has yet to come to an end."""
        return self.stage in {Stage.HELD, Stage.PENDING}

    @property
    def can_undo(self) -> bool:
        """Whether `u` would do something."""
        if self.stage is Stage.HELD:
            return True
        return self.stage is Stage.DONE and any(
            outcome.stage is Stage.DONE and outcome.step.inverse for outcome in self.outcomes
        )


def clashing(ticket: Ticket) -> tuple[Outcome, ...]:
    """Return the steps of a command that clashed with somebody else's changes."""
    return tuple(each for each in ticket.outcomes if each.clash is not None)


def secret_of(ticket: Ticket) -> bool:
    """Return whether a command that has ended was answered a secret that nobody has seen yet."""
    return not ticket.under_way and any(each.secret for each in ticket.outcomes)


Listener = Callable[[Ticket], None]
