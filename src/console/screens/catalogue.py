"""The class of each screen, found by its name: the screen `calls` is `CallsScreen` in `screens/calls.py`."""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from console.screens.frame import DeskScreen
from console.screens.navigation import SCREENS


def _class_of(name: str) -> type[DeskScreen]:
    module = importlib.import_module(f"console.screens.{name}")
    found: type[DeskScreen] = getattr(module, f"{name.capitalize()}Screen")
    return found


CLASSES: Mapping[str, type[DeskScreen]] = {spec.name: _class_of(spec.name) for spec in SCREENS}
