"""Every action there is. Keys, footer, help, palette and guards are made from this list."""

from __future__ import annotations

from functools import cache
from typing import Any

from console.actions import (
    agents,
    alerts,
    calls,
    chats,
    following,
    groups,
    leaving,
    members,
    missed_calls,
    notifications,
    phonebooks,
    presence,
    sessions,
    sip,
    templates,
)
from console.actions.action import Action

ACTIONS: tuple[Action[Any], ...] = (
    *calls.ACTIONS,
    *alerts.ACTIONS,
    *templates.ACTIONS,
    *groups.ACTIONS,
    *members.ACTIONS,
    *leaving.ACTIONS,
    *agents.ACTIONS,
    *chats.ACTIONS,
    *notifications.ACTIONS,
    *missed_calls.ACTIONS,
    *following.ACTIONS,
    *presence.ACTIONS,
    *sessions.ACTIONS,
    *phonebooks.ACTIONS,
    *sip.ACTIONS,
)


def by_id(action_id: str) -> Action[Any]:
    """Return the action of that id. Raises KeyError."""
    return _by_id()[action_id]


@cache
def _by_id() -> dict[str, Action[Any]]:
    return {action.id: action for action in ACTIONS}


@cache
def for_kind(kind: str) -> tuple[Action[Any], ...]:
    """Return what may be done to records of a kind and what may be done anywhere, the most used first.

    In the member pane everything that may be done to the group works as well.
    """
    kinds = {kind, "everywhere", "groups"} if kind == "members" else {kind, "everywhere"}
    found = (action for action in ACTIONS if action.kind in kinds)
    return tuple(sorted(found, key=lambda action: (action.footer, action.kind == "everywhere")))
