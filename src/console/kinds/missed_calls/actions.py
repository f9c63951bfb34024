"""Action on missed calls: mark as read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from console.api.operations.meetings import MarkMissedCallsRead
from console.commands.action import Action, Answers, Situation
from console.commands.lookup import is_me, person
from console.kinds.missed_calls.columns import name
from console.live.command import Step
from console.records.meetings import MissedCall
from console.views import wording


def _may(situation: Situation, records: Sequence[MissedCall]) -> str | None:
    if all(record.read for record in records):
        return "Already read."
    if situation.is_admin or all(is_me(situation, record.user_id) for record in records):
        return None
    return "Only admins can mark missed calls of others as read."


def _mark(situation: Situation, records: Sequence[MissedCall], _answers: Answers) -> list[Step]:
    """Return steps for the newest call of each user: earlier ones are marked with it."""
    newest: dict[str, MissedCall] = {}
    for record in sorted(records, key=lambda missed: wording.at(missed.created_at) or 0):
        if record.user_id and not record.read:
            newest[record.user_id] = record
    return [
        Step(
            MarkMissedCallsRead(user_id=user, last=missed_call.id),
            missed_call.key,
            f"marked as read: {name(missed_call, situation.render)} and earlier ones "
            f"for {person(situation.render, user)}",
        )
        for user, missed_call in newest.items()
    ]


ACTIONS: tuple[Action[Any], ...] = (
    Action[MissedCall](
        id="missed.mark-read",
        title="mark as read",
        key="K",
        verb="mark as seen",
        kind="missed-calls",
        plan=_mark,
        why_not=_may,
        needs="many",
        footer=2,
        about="Marks a missed call, and all earlier ones of the same user, as read.",
        sends=(MarkMissedCallsRead,),
    ),
)
