"""The class of each screen: the screen `calls` is the class in `screens/calls.py` with the spec of that name."""

from __future__ import annotations

import importlib
from functools import cache

from console.screens.console_screen import ConsoleScreen


@cache
def class_of(name: str) -> type[ConsoleScreen]:
    """Return the class of a screen. Its module is imported when it is first asked for: the first screen to be shown
    must not wait for the others."""
    importlib.import_module(f"console.screens.{name}")
    return ConsoleScreen.by_name[name]
