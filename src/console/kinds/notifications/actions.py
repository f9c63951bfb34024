"""Actions on offered alerts and chats: accept, reject."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from console.api.operations.support import ResolveNotification
from console.commands.action import Action, Answers, Situation
from console.kinds.consequences import NO_UNDO, Consequence, Consequences, sender_and_age
from console.kinds.notifications.columns import name
from console.live.command import Step
from console.records.notifications import Notification
from console.views.wording import plural

GONE = "This offer has ended: it was accepted or cancelled, or it expired."


def _offered(situation: Situation, records: Sequence[Notification]) -> str | None:
    known = situation.render.lookup("notifications")
    return GONE if all(record.key not in known for record in records) else None


def _accept(situation: Situation, records: Sequence[Notification], _answers: Answers) -> list[Step]:
    return [
        Step(
            ResolveNotification(id=record.id, action="accept"),
            record.key,
            f"accepted {name(record, situation.render)}{', now one of your chats' if record.kind == 'chat' else ''}",
        )
        for record in records
    ]


def _reject(situation: Situation, records: Sequence[Notification], _answers: Answers) -> list[Step]:
    return [
        Step(
            ResolveNotification(id=record.id, action="dismiss"),
            record.key,
            f"rejected {name(record, situation.render)}",
        )
        for record in records
    ]


def _effect_of_resolving(situation: Situation, requests: Sequence[ResolveNotification]) -> Consequence:
    """Return what becomes of offers, and sender and age of each."""
    these = "this offer" if len(requests) == 1 else f"these {plural(len(requests), 'offer')}"
    accepts = requests[0].action == "accept"
    verb, effect = ("accept", "nobody else can accept") if accepts else ("reject", "others can still accept")
    facts = {
        request.id: fact
        for request in requests
        if isinstance(offer := situation.render.find("notifications", request.id), Notification)
        and (fact := sender_and_age(situation, offer.from_user, offer.created_at))
    }
    it = "it" if len(requests) == 1 else "them"
    return Consequence(f"You {verb} {these}; {effect} {it}. {NO_UNDO}", facts=facts)


CONSEQUENCES: Consequences = {ResolveNotification: _effect_of_resolving}


ACTIONS: tuple[Action[Any], ...] = (
    Action[Notification](
        id="notifications.accept",
        title="accept",
        key="a",
        kind="notifications",
        plan=_accept,
        why_not=_offered,
        needs="many",
        takes=True,
        footer=2,
        about="Accepts the chat, or the alert for everybody. The first acceptance counts.",
        sends=(ResolveNotification,),
    ),
    Action[Notification](
        id="notifications.reject",
        title="reject",
        key="x",
        verb="cancel",
        kind="notifications",
        plan=_reject,
        why_not=_offered,
        needs="many",
        footer=2,
        about="Removes the offer from your list only; others can still accept it.",
        sends=(ResolveNotification,),
    ),
)
