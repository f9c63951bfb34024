"""Whether an action can be taken now, and how strongly it is guarded: the same few questions for all of them.

How strongly a change is guarded follows from its requests, as `api/annotations.py` declares it. A key, the palette, a
form, a grid and several records at once come to the same steps, and so to the same guard.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from console.api.annotations import Effect, Guard, Role
from console.api.request import Operation
from console.commands.action import Action, Situation
from console.frozen import replace
from console.live.command import Command, Stage, Step, Ticket
from console.records.record import Record


def blocked(action: Action[Any], situation: Situation, records: Sequence[Record]) -> str | None:
    """Say in a sentence why an action cannot be taken now, or return None.

    Asked in this order: the profile, the caller's role, what the deployment has, what it would act on, and last what
    the action itself knows. The service decides in any case; this only spares people a refusal. Several records do not
    block an action that can take one of them: see `taken`.
    """
    reason = _reason(action, situation, records)
    if reason and _may_skip(action, records) and any(_reason(action, situation, [each]) is None for each in records):
        return None
    return reason


def taken(action: Action[Any], situation: Situation, records: Sequence[Record]) -> tuple[Sequence[Record], str]:
    """Return the records that an action can take, and why the others are skipped: a sentence, empty if none is."""
    if not _may_skip(action, records) or _reason(action, situation, records) is None:
        return records, ""
    reasons = [(each, _reason(action, situation, [each])) for each in records]
    fitting = [each for each, reason in reasons if reason is None]
    skipped = [reason for _, reason in reasons if reason is not None]
    return fitting, f"{len(skipped)} skipped: {skipped[0]}" if skipped else ""


def _may_skip(action: Action[Any], records: Sequence[Record]) -> bool:
    return action.needs == "many" and len(records) > 1


def _reason(action: Action[Any], situation: Situation, records: Sequence[Record]) -> str | None:
    operations = [request.operation for request in action.sends]
    reason = refused(operations, situation)
    if reason:
        return reason
    if action.needs == "none":
        return action.why_not(situation, ())
    if not records:
        return "No record selected."
    if action.needs == "one" and len(records) > 1:
        return "This works on one record at a time: clear the selection first."
    if not all(record.identified for record in records):
        return "This row cannot be read: the service sent it in an unknown form."
    return action.why_not(situation, records)


def refused(operations: Sequence[Operation], situation: Situation) -> str | None:
    """Say why the caller may not do any of this, whatever it is done to, or return None."""
    if situation.read_only and any(each.effect is Effect.CHANGE for each in operations):
        return "This profile is read-only."
    terms = [each.access.value for each in operations]
    if situation.role == "anonymous" and any(each.related or each.least > Role.ANONYMOUS for each in terms):
        return "Guests cannot do this: log in first."
    if not situation.is_admin and any(each.least is Role.ADMIN for each in terms):
        return "Only admins can do this."
    lacking = [situation.lacks(each) for each in operations]
    if lacking and lacking[0] and all(lacking):
        return f"{lacking[0][:1].upper()}{lacking[0][1:]}."
    return None


# -- guards ----------------------------------------------------------------------------------------------------------


def guard_of(step: Step) -> Guard:
    """Return how one step is guarded: as its request says; a reversible one without an inverse is not reversible."""
    found, change = step.request.guarded(), step.request.operation.change
    if found is Guard.REVERSIBLE and change is not None and not step.inverse:
        return change.irreversible
    return found


def guard(steps: Sequence[Step], *, stale: bool = False) -> Guard:
    """Return how a change is guarded: as its strongest step, and one class stronger on records that are out of date."""
    found = max(map(guard_of, steps), default=Guard.READ)
    wide = {step.key for step in steps if guard_of(step) >= Guard.WIDE and _is_mass(step)}
    if len(wide) > 1:
        found = Guard.MASS
    return Guard(found + 1) if stale and found not in {Guard.READ, Guard.MASS} else found


def _is_mass(step: Step) -> bool:
    change = step.request.operation.change
    return change is not None and change.mass


def guards(action: Action[Any]) -> tuple[Guard, ...]:
    """Return the guards that the steps of an action may have, the weakest first."""
    return tuple(sorted({request.operation.guard for request in action.sends}))


def is_listed(steps: Sequence[Step], guarded: Guard) -> bool:
    """Whether what a change is about is listed first: what is small one by one is not, where it is about several."""
    return guarded is Guard.SMALL and len({step.key for step in steps}) > 1


# -- deciding --------------------------------------------------------------------------------------------------------


def command(
    action: Action[Any],
    situation: Situation,
    records: Sequence[Record],
    answers: dict[str, Any],
    hold_seconds: float = 0.0,
    *,
    stale: bool = False,
) -> Command:
    """Decide: make the command that an action means for these records and answers.

    `hold_seconds` applies to small changes, and to any that are guarded like them because what is shown is `stale`.
    Raises ValueError with a sentence when the action is blocked, the answers do not allow it, or nothing would change.
    """
    reason = blocked(action, situation, records)
    if reason:
        raise ValueError(reason)
    fitting, skipped = taken(action, situation, records) if action.needs != "none" else ((), "")
    steps = tuple(action.plan(situation, fitting, answers))
    if not steps:
        raise ValueError("Nothing to change.")
    hold = hold_seconds if Guard.SMALL in {guard(steps), guard(steps, stale=stale)} else 0.0
    kind = action.subject or action.kind
    noun = action.noun or "record"
    return Command(action.id, kind, steps, action.title, hold, noun, skipped)


def not_under_way(decided: Command, tickets: Iterable[Ticket]) -> Command:
    """Leave out what is on its way already, so that a key hit twice sends a request once.

    Raises ValueError with a sentence when nothing is left.
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
