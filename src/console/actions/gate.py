"""Whether an action can be taken now, and how strongly it is guarded: the same few questions for all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from console.actions.action import Action, Guard, Situation
from console.api.marks import Effect, Role
from console.frozen import replace
from console.live.command import Command, Stage, Ticket
from console.records.record import Record
from console.tables.words import short


def blocked(action: Action[Any], situation: Situation, records: Sequence[Record]) -> str | None:
    """Say in a sentence why an action cannot be taken now, or return None.

    Asked in this order: the profile, the caller's role, what the deployment has, what it would act on, and last what
    the action itself knows. The service decides in any case; this only spares people a refusal.
    """
    operations = [request.operation for request in action.sends]
    if situation.read_only and any(each.effect is Effect.CHANGE for each in operations):
        return "This profile is read-only."
    terms = [each.access.value for each in operations]
    if situation.role == "anonymous" and any(each.related or each.least > Role.ANONYMOUS for each in terms):
        return "Guests may not do this; log in first."
    if not situation.is_admin and any(each.least is Role.ADMIN for each in terms):
        return "Only an admin may do this."
    lacking = [situation.lacks(each) for each in operations]
    if lacking and lacking[0] and all(lacking):
        return f"{lacking[0][:1].upper()}{lacking[0][1:]}."
    if action.needs == "none":
        return action.why_not(situation, ())
    if not records:
        return "There is nothing here to act on."
    if action.needs == "one" and len(records) > 1:
        return "This works on one record at a time; take the marks off."
    if not all(record.identified for record in records):
        return "The service sent this row in a form that cannot be read."
    return action.why_not(situation, records)


def guard(action: Action[Any], records: Sequence[Record], stale: bool = False) -> Guard:
    """Return how the action is guarded on these records: one class stronger when what is shown is out of date."""
    found = Guard.MASS if action.mass and len(records) > 1 else action.guard
    if not stale or found in {Guard.READ, Guard.MASS} or (found is Guard.WIDE and not records):
        return found
    return Guard(found + 1)


def to_type(records: Sequence[Record]) -> str:
    """Return what must be typed before a mass action: how many there are, or the key of the only one, raw.

    Of a key that nobody would type it is the beginning, as tables show it.
    """
    return short(records[0].key) if len(records) == 1 else str(len(records))


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

    `hold_seconds` applies to small actions without inverse, and to any that are guarded like them because what is
    shown is `stale`. Raises ValueError with a sentence when the action is
    blocked, the answers do not allow it, or nothing would change.
    """
    reason = blocked(action, situation, records)
    if reason:
        raise ValueError(reason)
    steps = tuple(action.plan(situation, records if action.needs != "none" else (), answers))
    if not steps:
        raise ValueError("Nothing would change.")
    hold = hold_seconds if Guard.SMALL in {action.guard, guard(action, records, stale)} else 0.0
    return Command(action.id, action.subject or action.kind, steps, action.title, hold)


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
        raise ValueError("It is on its way already.")
    return replace(decided, steps=steps)
