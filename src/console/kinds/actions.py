"""All actions. Keys, footer, help, palette and guards are derived from this list."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from console.base.frozen import replace
from console.commands.action import Action
from console.kinds.catalogue import KINDS
from console.kinds.tables import TABLES


def _named(action: Action[Any]) -> Action[Any]:
    """Set the noun of an action to its table's noun, if it has none."""
    table = TABLES.get(action.subject or action.kind)
    return action if action.noun or table is None else replace(action, noun=table.one)


ACTIONS: tuple[Action[Any], ...] = tuple(_named(action) for kind in KINDS for action in kind.load_actions())


by_id: Callable[[str], Action[Any]] = {action.id: action for action in ACTIONS}.__getitem__
"""Returns the action with an id. Raises KeyError for an unknown one."""


@cache
def for_kind(kind: str) -> tuple[Action[Any], ...]:
    """Return the actions for records of a kind, and those that are always available, the most used first.

    The actions of the kind that it acts like are included: for members, all actions on their group.
    """
    kinds = {kind, "everywhere", *(each.acts_like for each in KINDS if each.name == kind)}
    actions = (action for action in ACTIONS if action.kind in kinds)
    return tuple(sorted(actions, key=lambda action: (action.footer, action.kind == "everywhere")))
