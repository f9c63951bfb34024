"""Deferred imports: actions, and the screens that are not shown first.

Importing actions, tables, dialogs and the other screens takes longer than everything that the first rows need. They are
imported on the context's worker after the first rows are shown; a key pressed earlier waits for the import.
"""

from __future__ import annotations

import importlib
import sys

from console.ui.screens.specs import SCREENS, module_of

_ACTIONS = "console.kinds.actions"
_MODULES = (
    _ACTIONS,
    "console.ui.screens.run_action",
    "console.ui.screens.list_screen",
    "console.ui.screens.next_steps",
    "console.ui.screens.notice_presenter",
)


def is_loaded() -> bool:
    """Return whether the actions are imported, so that the available keys are known."""
    return hasattr(sys.modules.get(_ACTIONS), "ACTIONS")


def load() -> None:
    """Import all deferred modules."""
    for name in (*_MODULES, *filter(None, map(module_of, SCREENS))):
        importlib.import_module(name)
