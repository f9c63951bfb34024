"""Which screens there are, in which order, and how one gets from one to another and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.app import App

from console.frozen import Frozen

if TYPE_CHECKING:
    from console.screens.app_context import AppContext


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


def go(app: App[Any], context: AppContext, name: str, kind: str = "", key: str = "", filter_text: str = "") -> None:
    """Show a screen, and there a record or a filtered list; remembers where the operator was."""
    from console.screens.frame import ConsoleScreen

    while isinstance(here := app.screen, ConsoleScreen) and here.OVER:
        app.pop_screen()
    if isinstance(here, ConsoleScreen) and (kind or here.spec.name != name):
        context.jumps.append((here.spec.name, here.kind_in_focus(), _key_here(here), bool(key)))
        del context.jumps[:-50]
    _show(app, context, name, kind, key, filter_text)


def back(app: App[Any], context: AppContext) -> bool:
    """Return to where the operator came from; False if they came from nowhere."""
    if not context.jumps:
        return False
    name, kind, key, _ = context.jumps.pop()
    _show(app, context, name, kind, key, "")
    return True


def came_from(context: AppContext, kind_here: str) -> str:
    """Return which list the operator left to see a record of another; empty where they came otherwise."""
    from console.kinds.tables import TABLES

    name, kind, _, to_record = context.jumps[-1] if context.jumps else ("", "", "", False)
    if not to_record or kind == kind_here:
        return ""
    return (TABLES[kind].title if kind in TABLES else spec_of(name).title).lower()


def _show(app: App[Any], context: AppContext, name: str, kind: str, key: str, filter_text: str) -> None:
    from console.screens.frame import ConsoleScreen

    if app.current_mode != name:
        context.backend.send_held()  # Who goes on to something else has made up their mind.
    app.switch_mode(name)
    target = app.screen
    if isinstance(target, ConsoleScreen) and (key or filter_text or kind):
        # Asked of the screen itself, which answers only once it is complete.
        target.call_after_refresh(target.show_record, kind, key, filter_text)


def _key_here(screen: object) -> str:
    key = getattr(screen, "cursor_key", None)
    return key if isinstance(key, str) else ""
