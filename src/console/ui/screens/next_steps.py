"""Offer what usually follows the newest change, for a minute."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from console.base.frozen import Frozen, field
from console.commands.action import Action
from console.commands.guards import blocked
from console.kinds.actions import by_id
from console.kinds.catalogue import RESOURCES
from console.kinds.next_steps import next_steps
from console.kinds.operating import change
from console.live.command import Ticket
from console.records.record import Record
from console.ui.screens.app_context import AppContext

_OFFERED_MS = 60_000


class Offer(Frozen):
    """An action that can follow a change, with its records and what its form starts with."""

    action: Action[Any]
    records: tuple[Record, ...] = ()
    draft: Mapping[str, Any] = field(default_factory=dict[str, Any])


def offer(context: AppContext) -> Offer | None:
    """Return the action that follows the newest change; None if it is old, or no action is available."""
    tickets = context.backend.commands.tickets()
    if not tickets or abs(context.clock.now_ms() - tickets[0].answered_at) > _OFFERED_MS:
        return None
    return offer_after(context, tickets[0])


def why_none(context: AppContext) -> str:
    """Return why the newest change is followed by nothing."""
    tickets = context.backend.commands.tickets()
    if tickets and tickets[0].under_way:
        return "The last change is not confirmed yet."
    return "The last change has no next step."


def offer_after(context: AppContext, ticket: Ticket) -> Offer | None:
    """Return the action that follows a change; None if there is none, or it is not available yet."""
    following = next_steps(ticket)
    if not following:
        return None
    situation = context.situation()
    for step, key in following:
        if step.draft is not None:
            resource = RESOURCES[step.action.rpartition(".")[0]]
            draft = step.draft(ticket.outcomes[0].step.request, key)
            offered = Offer(change(step.action, resource, anew=True), draft=draft)
        else:
            action = by_id(step.action)
            record = situation.render.find(action.kind, key)
            offered = Offer(action, () if record is None else (record,))
        if not blocked(offered.action, situation, offered.records):
            return offered
    return None
