"""Go from one screen to another, and back."""

from __future__ import annotations

from typing import Any

from textual.app import App

from console.ui.screens import deferred
from console.ui.screens.app_context import AppContext
from console.ui.screens.frame import FrameScreen
from console.ui.screens.specs import screen_of, spec_of
from console.ui.screens.updating import FullScreen
from console.views.wording import in_sentence


def go(app: App[Any], context: AppContext, name: str, kind: str = "", key: str = "", filter_text: str = "") -> None:
    """Show a screen, and on it a record or a filtered list; remember the previous position."""
    while isinstance(here := app.screen, FullScreen) and here.OVER:
        app.pop_screen()
    if isinstance(here, FrameScreen) and (kind or here.spec.name != name):
        context.jumps.append((here.spec.name, here.kind_in_focus(), here.cursor_key, bool(key)))
        del context.jumps[:-50]
    show(app, context, name, kind, key, filter_text, linked=True)


def go_to_record(app: App[Any], context: AppContext, kind: str, key: str, filter_text: str = "") -> None:
    """Show a record, or a filtered list, on the screen that lists its kind, if there is one."""
    spec = screen_of(kind)
    if spec is not None:
        go(app, context, spec.name, kind, key, filter_text)


def back(app: App[Any], context: AppContext) -> bool:
    """Return to the previous position; False if there is none."""
    if not context.jumps:
        return False
    name, kind, key, _ = context.jumps.pop()
    show(app, context, name, kind, key, "")
    return True


def came_from(context: AppContext, kind_here: str) -> str:
    """Return the list from which the operator followed a link to a record of another list, empty otherwise."""
    name, kind, _, to_record = context.jumps[-1] if context.jumps else ("", "", "", False)
    if not to_record or kind == kind_here:
        return ""
    return in_sentence(deferred.tables.TABLES[kind].title if kind in deferred.tables.TABLES else spec_of(name).title)


def show(
    app: App[Any], context: AppContext, name: str, kind: str, key: str, filter_text: str, *, linked: bool = False
) -> None:
    """Show a screen, and on it a record or a filtered list. With `linked`, tell about a record that is gone."""
    mode = context.mode_of(name)
    arrives = app.current_mode != mode
    if arrives:
        context.backend.commands.send_held()  # Going to another screen confirms the held commands.
    app.switch_mode(mode)
    target = app.screen
    if isinstance(target, FrameScreen) and arrives and not (key or filter_text or kind):
        target.call_after_refresh(target.arrived)
    if isinstance(target, FrameScreen) and (key or filter_text or kind):
        # Queued on the screen itself, which handles it once it is mounted.
        target.call_after_refresh(target.show_record, kind, key, filter_text)
        if linked and key:
            target.call_after_refresh(target.seek_gone, kind, key)
