"""The screens: their order, their names, and the kinds of records that they list."""

from __future__ import annotations

from console.frozen import Frozen


class ScreenSpec(Frozen):
    """A screen: its name and digit, the kinds of records it shows, and the kind counted in its tab."""

    name: str
    digit: str
    title: str
    short: str
    kinds: tuple[str, ...]
    counted: str = ""


SCREENS: tuple[ScreenSpec, ...] = (
    ScreenSpec("home", "1", "Home", "Home", ()),
    ScreenSpec("calls", "2", "Calls", "Calls", ("calls",), "calls"),
    ScreenSpec("conferences", "3", "Conferences", "Conf", ("conferences",), "conferences"),
    ScreenSpec("presence", "4", "Presence", "Pres", ("presence",), "presence"),
    ScreenSpec("agents", "5", "Agents", "Agents", ("agents", "skills", "chats", "notifications"), "agents"),
    ScreenSpec("alerts", "6", "Alerts", "Alerts", ("alerts", "templates"), "alerts"),
    ScreenSpec("groups", "7", "Groups", "Groups", ("groups", "members"), "groups"),
    ScreenSpec("admin", "8", "Admin", "Admin", ("users", "sessions", "alarms", "missed-calls", "deliveries")),
)
"""Every screen, in the order of its tabs. Each is a class in a module of its own, both named after it."""


def spec_of(name: str) -> ScreenSpec:
    """Return the screen of that name. Raises KeyError."""
    return {each.name: each for each in SCREENS}[name]


def screen_of(kind: str) -> ScreenSpec | None:
    """Return the screen that lists a kind of record."""
    from console.kinds.resources import by_name

    found = next((each for each in SCREENS if kind in each.kinds), None)
    return spec_of("admin") if found is None and kind in by_name() else found
