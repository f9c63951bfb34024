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
from console.views import words


def _may(situation: Situation, records: Sequence[MissedCall]) -> str | None:
    if all(each.read for each in records):
        return "Already read."
    if situation.is_admin or all(is_me(situation, each.user_id) for each in records):
        return None
    return "Only admins can mark missed calls of others as read."


def _mark(situation: Situation, records: Sequence[MissedCall], _answers: Answers) -> list[Step]:
    """Return steps for the newest call of each user: earlier ones are marked with it."""
    newest: dict[str, MissedCall] = {}
    for each in sorted(records, key=lambda missed: words.at(missed.created_at) or 0):
        if each.user_id and not each.read:
            newest[each.user_id] = each
    return [
        Step(
            MarkMissedCallsRead(user_id=user, last=each.id),
            each.key,
            f"marked as read: {name(each, situation.render)} and earlier ones for {person(situation.render, user)}",
        )
        for user, each in newest.items()
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
