"""Modules that the first frame does not need: each is imported with the first use of its name here.

Importing them takes several times as long as the first frame. `preload` imports most of them after the first rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

_OTHER_PATHS = {
    "actions": "console.kinds.actions",
    "dialogs": "console.ui.dialogs",
    "tables": "console.kinds.tables",
}


def path_of(name: str) -> str:
    """Return the module that a name here stands for. Static tests read uses of these names as imports."""
    return _OTHER_PATHS.get(name, f"console.ui.screens.{name}")


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
    from console.ui.screens import notice_presenter as notice_presenter
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
        if name.startswith("_"):
            raise AttributeError(name)
        module = globals()[name] = import_module(path_of(name))
        return module
