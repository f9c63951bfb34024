"""What the first frame does without: what keys lead to, and the screens that are not shown.

Actions, tables, dialogs and the other screens take longer to import than everything that the first rows need. They
come in on the context's worker when those rows are there; who presses a key before that waits for what it leads to.
"""

from __future__ import annotations

import importlib
import sys

from console.screens.specs import SCREENS, module_of

_ACTIONS = "console.kinds.actions"
_MODULES = (_ACTIONS, "console.screens.run_action", "console.screens.list_screen")


def is_loaded() -> bool:
    """Say whether what keys lead to is there, so that it can be told which work."""
    return hasattr(sys.modules.get(_ACTIONS), "ACTIONS")


def load() -> None:
    """Import all of it."""
    for name in (*_MODULES, *filter(None, map(module_of, SCREENS))):
        importlib.import_module(name)
