"""Availability of actions, and guards of changes.

The guard of a change follows from its requests, as declared in `api/annotations.py`. Keys, palette, forms, grid and
bulk actions produce the same steps, and so have the same guard.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from console.api.annotations import Effect, Guard, Role
from console.api.request import Operation
from console.base.frozen import replace
from console.commands.action import IN_THE_PAST, Action, Situation
from console.live.command import Command, Stage, Step, Ticket
from console.records.record import Record
from console.views.wording import capitalized, plural


def blocked(action: Action[Any], situation: Situation, records: Sequence[Record]) -> str | None:
    """Return why an action is not available, as a sentence, or None.

    Checked in this order: the profile, the caller's role, the deployment, the records, the action itself. The service
    decides in any case; this only avoids refusals. Several records do not block an action that applies to one of them:
    see `applicable`.
    """
    reason = _reason(action, situation, records)
    if (
        reason
        and _may_skip(action, records)
        and any(_reason(action, situation, [record]) is None for record in records)
    ):
        return None
    return reason


def applicable(action: Action[Any], situation: Situation, records: Sequence[Record]) -> tuple[Sequence[Record], str]:
    """Return the records to which an action applies, and why others are skipped: a sentence, or empty.

    Raise ValueError with a sentence if it is `blocked`.
    """
    reason = _reason(action, situation, records)
    if reason is None:
        return records if action.needs != "none" else (), ""
    reasons = [_reason(action, situation, [record]) for record in records] if _may_skip(action, records) else []
    fitting = [record for record, why in zip(records, reasons, strict=False) if why is None]
    if not fitting:
        raise ValueError(reason)
    skipped = [why for why in reasons if why is not None]
    return fitting, f"{len(skipped)} skipped: {skipped[0]}" if skipped else ""


def _may_skip(action: Action[Any], records: Sequence[Record]) -> bool:
    return action.needs == "many" and len(records) > 1


def _reason(action: Action[Any], situation: Situation, records: Sequence[Record]) -> str | None:
    operations = [request.operation for request in action.sends]
    reason = refused(operations, situation)
    if reason:
        return reason
    if action.needs == "none":
        records = ()
    elif not records:
        return "No record selected."
    elif action.needs == "one" and len(records) > 1:
        return "This works on one record at a time: clear the selection first."
    elif not all(record.identified for record in records):
        return "This row cannot be read: the service sent it in an unknown form."
    return None if action.why_not is None else action.why_not(situation, records)


def refused(operations: Sequence[Operation], situation: Situation) -> str | None:
    """Return why the caller may not use these operations on any record, or None."""
    if situation.render.past and any(operation.effect is Effect.CHANGE for operation in operations):
        return IN_THE_PAST
    if situation.read_only and any(operation.effect is Effect.CHANGE for operation in operations):
        return "This profile is read-only."
    terms = [operation.access.value for operation in operations]
    if situation.role == "anonymous" and any(term.related or term.least > Role.ANONYMOUS for term in terms):
        return "Guests cannot do this: log in first."
    if not situation.is_admin and any(term.least is Role.ADMIN for term in terms):
        return "Only admins can do this."
    lacking = [situation.lacking.get(operation.name) for operation in operations]
    if lacking and lacking[0] and all(lacking):
        return f"{capitalized(lacking[0])}."
    return None


# -- guards ----------------------------------------------------------------------------------------------------------


def guard_of(step: Step) -> Guard:
    """Return the guard of a step: the guard of its request, but stronger for a reversible one without an inverse."""
    return step.request.guarded(undoable=bool(step.inverse))


def guard(steps: Sequence[Step], *, stale: bool = False) -> Guard:
    """Return the guard of a change: the strongest of its steps, and one class stronger if records are out of date."""
    strongest = max(map(guard_of, steps), default=Guard.READ)
    wide = {step.key for step in steps if guard_of(step) >= Guard.WIDE and _is_mass(step)}
    if len(wide) > 1:
        strongest = Guard.MASS
    return Guard(strongest + 1) if stale and strongest not in {Guard.READ, Guard.MASS} else strongest


def _is_mass(step: Step) -> bool:
    change = step.request.operation.change
    return change is not None and change.mass


def guards(action: Action[Any]) -> tuple[Guard, ...]:
    """Return the possible guards of an action's steps, the weakest first."""
    return tuple(sorted({request.operation.guard for request in action.sends}))


def is_listed(steps: Sequence[Step], guarded: Guard) -> bool:
    """Return whether the records of a change are listed first: for small changes of several records."""
    return guarded is Guard.SMALL and len({step.key for step in steps}) > 1


# -- commands --------------------------------------------------------------------------------------------------------


def command(
    action: Action[Any],
    situation: Situation,
    records: Sequence[Record],
    answers: dict[str, Any],
    hold_seconds: float = 0.0,
    *,
    stale: bool = False,
    skipped: str = "",
) -> Command:
    """Return the command of an action for these answers, and the records to which it is `applicable`.

    `hold_seconds` applies to small changes, and to others with this guard because the data is `stale`. Raise ValueError
    with a sentence if an answer is invalid, or nothing would change.
    """
    steps = tuple(action.plan(situation, records, answers))
    if not steps:
        raise ValueError("Nothing to change.")
    left = {record.key for record in records} - {step.key for step in steps}
    if left and action.needs == "many" and not action.subject:
        skipped = f"{skipped} {plural(len(left), action.noun or 'record')} left unchanged.".strip()
    # Otherwise the steps before it would be sent.
    for request in dict.fromkeys(type(step.request) for step in steps):
        lacking = situation.lacking.get(request.operation.name)
        if lacking:
            raise ValueError(f"{capitalized(lacking)}: {request.operation.name}.")
    hold = hold_seconds if Guard.SMALL in {guard(steps), guard(steps, stale=stale)} else 0.0
    kind = action.subject or action.kind
    noun = action.noun or "record"
    return Command(action.id, kind, steps, action.title, hold, noun, skipped)


def not_under_way(decided: Command, tickets: Iterable[Ticket]) -> Command:
    """Remove steps that are being sent already, so that a repeated key sends a request once.

    Raise ValueError with a sentence if no step remains.
    """
    sent = [
        step.request
        for ticket in tickets
        if ticket.stage in {Stage.HELD, Stage.PENDING} and ticket.command.action == decided.action
        for step in ticket.command.steps
    ]
    steps = tuple(step for step in decided.steps if step.request not in sent)
    if not steps:
        raise ValueError("Already being sent.")
    return replace(decided, steps=steps)
