"""The screens by name: the class in the module of that name, otherwise a screen with the lists of its kinds."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from console.ui.screens import deferred
from console.ui.screens.console_screen import ConsoleScreen
from console.ui.screens.specs import module_of, spec_of


@cache
def class_of(name: str) -> type[ConsoleScreen]:
    """Return the class of a screen.

    Its module is imported on first use, so that the first screen does not wait for the others.
    """
    module = module_of(spec_of(name))
    if module is not None:
        import_module(module)
        return ConsoleScreen.by_name[name]
    return type("PlainScreen", (deferred.list_screen.ListScreen,), {"spec": spec_of(name)})
