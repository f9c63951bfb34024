"""Modules that the first frame does not need: each is imported with the first use of its name here.

Importing them takes several times as long as the first frame. `preload` imports most of them after the first rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

PATHS: Mapping[str, str] = {
    "actions": "console.kinds.actions",
    "activity": "console.ui.screens.activity",
    "combined_pane": "console.ui.screens.combined_pane",
    "comparison": "console.ui.screens.comparison",
    "dialogs": "console.ui.dialogs",
    "episodes": "console.ui.screens.episodes",
    "list_screen": "console.ui.screens.list_screen",
    "login": "console.ui.screens.login",
    "next_steps": "console.ui.screens.next_steps",
    "notice_teller": "console.ui.screens.notice_teller",
    "outcome_dialogs": "console.ui.screens.outcome_dialogs",
    "overlays": "console.ui.screens.overlays",
    "palette": "console.ui.screens.palette",
    "past": "console.ui.screens.past",
    "report": "console.ui.screens.report",
    "run_action": "console.ui.screens.run_action",
    "tables": "console.kinds.tables",
    "wallboard": "console.ui.screens.wallboard",
}
"""The modules by their names here. Static tests read uses of these names as imports."""

if TYPE_CHECKING:
    from console.kinds import actions as actions
    from console.kinds import tables as tables
    from console.ui import dialogs as dialogs
    from console.ui.screens import activity as activity
    from console.ui.screens import combined_pane as combined_pane
    from console.ui.screens import comparison as comparison
    from console.ui.screens import episodes as episodes
    from console.ui.screens import list_screen as list_screen
    from console.ui.screens import login as login
    from console.ui.screens import next_steps as next_steps
    from console.ui.screens import notice_teller as notice_teller
    from console.ui.screens import outcome_dialogs as outcome_dialogs
    from console.ui.screens import overlays as overlays
    from console.ui.screens import palette as palette
    from console.ui.screens import past as past
    from console.ui.screens import report as report
    from console.ui.screens import run_action as run_action
    from console.ui.screens import wallboard as wallboard
else:
    from importlib import import_module

    def __getattr__(name: str) -> object:
        """Import a module on the first use of its name."""
        if name not in PATHS:
            raise AttributeError(name)
        module = globals()[name] = import_module(PATHS[name])
        return module
