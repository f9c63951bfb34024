"""The screens: their order, their names, and the kinds of records that they list."""

from __future__ import annotations

from importlib.util import find_spec

from console.base.frozen import Frozen
from console.kinds.catalogue import FEEDS, KINDS, RESOURCES
from console.kinds.kind import Kind, Screen, module_name


class ScreenSpec(Frozen):
    """A screen: its name and digit, the kinds of records it shows, and the kind counted in its tab."""

    name: str
    digit: str
    title: str
    short: str
    kinds: tuple[str, ...]
    counted: str = ""


def _spec(kind: Kind, screen: Screen) -> ScreenSpec:
    kinds = (kind.name, *(other.name for other in KINDS if other.shown_on == kind.name))
    return ScreenSpec(kind.name, screen.digit, screen.title, screen.short, kinds, kind.name)


SCREENS: tuple[ScreenSpec, ...] = tuple(
    sorted(
        (
            ScreenSpec("home", "1", "Home", "Home", ()),
            *(_spec(kind, kind.screen) for kind in KINDS if kind.screen is not None),
            ScreenSpec("admin", "8", "Admin", "Admin", tuple(name for name in RESOURCES if name in FEEDS)),
        ),
        key=lambda spec: "1234567890".index(spec.digit),
    )
)
"""Every screen, in the order of its tabs."""


def spec_of(name: str) -> ScreenSpec:
    """Return a screen by name. Raise KeyError if there is none."""
    return {screen.name: screen for screen in SCREENS}[name]


def screen_of(kind: str) -> ScreenSpec | None:
    """Return the screen that lists a kind of record."""
    screen_spec = next((screen for screen in SCREENS if kind in screen.kinds), None)
    return spec_of("admin") if screen_spec is None and kind in RESOURCES else screen_spec


def module_of(spec: ScreenSpec) -> str | None:
    """Return the module with the class of a screen, None for a screen without a class of its own."""
    module = f"console.ui.screens.{module_name(spec.name)}"
    return module if find_spec(module) is not None else None
