"""All actions. Keys, footer, help, palette and guards are derived from this list."""

from __future__ import annotations

from functools import cache
from typing import Any

from console.base.frozen import replace
from console.commands.action import Action
from console.kinds.catalogue import KINDS
from console.kinds.tables import TABLES


def _named(action: Action[Any]) -> Action[Any]:
    """Set the noun of an action to that of its kind's table, if it has none."""
    table = TABLES.get(action.subject or action.kind)
    return action if action.noun or table is None else replace(action, noun=table.one)


ACTIONS: tuple[Action[Any], ...] = tuple(_named(action) for kind in KINDS for action in kind.load_actions())


def by_id(action_id: str) -> Action[Any]:
    """Return the action with this id. Raise KeyError."""
    return _by_id()[action_id]


@cache
def _by_id() -> dict[str, Action[Any]]:
    return {action.id: action for action in ACTIONS}


@cache
def for_kind(kind: str) -> tuple[Action[Any], ...]:
    """Return the actions for records of a kind, and those that are always available, the most used first.

    The actions of the kind that it acts like are included: for members, all actions on their group.
    """
    kinds = {kind, "everywhere", *(each.acts_like for each in KINDS if each.name == kind)}
    actions = (action for action in ACTIONS if action.kind in kinds)
    return tuple(sorted(actions, key=lambda action: (action.footer, action.kind == "everywhere")))
