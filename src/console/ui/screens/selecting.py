"""Which shown records no action on several can take."""

from __future__ import annotations

from collections.abc import Mapping

from console.commands.action import Situation
from console.commands.guards import blocked
from console.kinds.actions import for_kind
from console.ui.screens.list_pane import ListPane


def refused_by_all(pane: ListPane, situation: Situation) -> Mapping[str, str]:
    """Return the shown records that every action on several refuses, by key with the reason; empty if these are all."""
    actions = [action for action in for_kind(pane.kind) if action.kind == pane.kind and action.needs == "many"]
    refused: dict[str, str] = {}
    for key in pane.view.keys if actions else ():
        record = pane.view.record(key)
        reasons = [blocked(action, situation, [record]) for action in actions] if record is not None else []
        if reasons and all(reasons):
            refused[key] = reasons[0] or ""
    return refused if len(refused) < len(pane.view.keys) else {}
