"""The class of each screen, found by its name: the screen `calls` is `CallsScreen` in `screens/calls.py`."""

from __future__ import annotations

import importlib
from functools import cache

from console.screens.frame import ConsoleScreen


@cache
def class_of(name: str) -> type[ConsoleScreen]:
    """Return the class of a screen. Its module is imported when it is first asked for: the first screen to be shown
    must not wait for the others."""
    module = importlib.import_module(f"console.screens.{name}")
    found: type[ConsoleScreen] = getattr(module, f"{name.capitalize()}Screen")
    return found
