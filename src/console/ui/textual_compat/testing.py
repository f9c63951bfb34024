"""Private parts of Textual that only tests use. They have no check and no replacement: a test that needs them fails.

Written for the version of Textual in `pieces.py`.
"""

from __future__ import annotations

import asyncio
import importlib
import io
from collections.abc import Awaitable, Callable
from typing import Any

from textual.app import App, ScreenStackError
from textual.screen import Screen
from textual.strip import Strip

from console.ui.textual_compat.frames import FRAMES

Wait = Callable[..., Awaitable[None]]
"""Waits until nothing is left to do: a shortest and a longest time in seconds."""

_compositor: Any = importlib.import_module("textual._compositor")
_context: Any = importlib.import_module("textual._context")
_keys: Any = importlib.import_module("textual.keys")
_screens: Any = importlib.import_module("textual.screen")
_pilot: Any = importlib.import_module("textual.pilot").Pilot
_sheets: Any = importlib.import_module("textual.css.stylesheet")
_usual_wait: Wait = importlib.import_module("textual._wait").wait_for_idle
_usual_refresh: Callable[[Screen[Any]], None] = _screens.Screen._compositor_refresh


def painted(screen: Screen[Any]) -> list[Strip]:
    """Return the lines of a screen as last composed.

    A screen has the size of the active app, which may be another one of several open consoles.
    """
    compositor = compositor_of(screen)
    return compositor.render_strips(compositor.size)


def painted_by_textual(screen: Screen[Any]) -> list[Strip]:
    """Return the lines of a screen as Textual's compositor composes them."""
    return _compositor.Compositor.render_strips(compositor_of(screen))


def compositor_of(screen: Screen[Any]) -> Any:
    """Return the compositor of a screen."""
    within: Any = screen
    return within._compositor


def key_of(character: str) -> str:
    """Return Textual's name of the key of a character."""
    return _keys._character_to_key(character)


class FrameRecorder(App[Any]):
    """An application that is told of its frames."""

    def on_frame(self, screen: Screen[Any], frame: object) -> None:
        """Note a frame, which is None if nothing has changed."""

    def _display(self, screen: Any, renderable: Any) -> None:
        self.on_frame(screen, renderable)
        stock: Any = super()
        stock._display(screen, renderable)


def queue_output(app: App[Any]) -> Any:
    """Give an application the driver of a terminal, and return its thread, not started yet, that writes."""
    driver: Any = object.__new__(importlib.import_module("textual.drivers.linux_driver").LinuxDriver)
    driver._writer_thread = importlib.import_module("textual.drivers._writer_thread").WriterThread(io.StringIO())
    within: Any = app
    within._driver = driver
    return driver._writer_thread


def before_closing(app: App[Any], act: Callable[[], Awaitable[None]]) -> None:
    """Do something when an application starts to close its screens."""
    within: Any = app
    close_all = within._close_all

    async def act_and_close() -> None:
        await act()
        await close_all()

    within._close_all = act_and_close


def replace_waiting(wait: Callable[[App[Any], float], Awaitable[None]]) -> None:
    """Let the pilot wait for an application, for at most some seconds, in another way."""

    async def chosen(min_sleep: float = 0.0, max_sleep: float = 1.0) -> None:
        app = _context.active_app.get(None)
        await (_usual_wait(min_sleep, max_sleep) if app is None else wait(app, max_sleep))

    for name in ("textual.app", "textual.pilot"):
        module: Any = importlib.import_module(name)
        assert module.wait_for_idle is _usual_wait
        module.wait_for_idle = chosen

    async def press(pilot: Any, *keys: str) -> None:
        await pilot.app._press_keys(keys)

    async def pause(pilot: Any, delay: float | None = None) -> None:
        await (chosen() if delay is None else asyncio.sleep(delay))
        pilot.app.screen._on_timer_update()

    # Textual's also send a message to each widget of the screen, and wait until all have been handled.
    _pilot.press, _pilot.pause = press, pause


def replace_painting(paints: Callable[[Screen[Any]], bool]) -> None:
    """Paint a frame only if `paints` returns True. Allow as many frames as the program.

    A plugin of pytest has imported Textual already, so that the environment variable has no effect any more.
    """

    def refresh(screen: Screen[Any]) -> None:
        if paints(screen):
            paint(screen)
        else:
            within: Any = screen
            within._dirty_widgets.clear()
            within.app._update_mouse_over(screen)

    _screens.Screen._compositor_refresh = refresh
    _screens.UPDATE_PERIOD = 1 / int(FRAMES)


def paint(screen: Screen[Any]) -> None:
    """Paint a frame."""
    _usual_refresh(screen)


def share_parsed_rules() -> None:
    """Parse a style sheet once for all applications with the same theme."""
    parse, rules = _sheets.Stylesheet._parse_rules, dict[object, Any]()

    def variables_of(sheet: Any) -> frozenset[Any]:
        # A sheet parses all its parts whenever one is added; its variables are replaced as a whole.
        before = sheet.__dict__.get("hashed_variables")
        if before is None or before[0] is not sheet._variables:
            before = sheet.hashed_variables = sheet._variables, frozenset(sheet._variables.items())
        return before[1]

    def parsed(sheet: Any, *css: Any, **more: Any) -> Any:
        key = variables_of(sheet), css, frozenset(more.items())
        if key not in rules:
            rules[key] = parse(sheet, *css, **more)
        return rules[key]

    _sheets.Stylesheet._parse_rules = parsed


def is_busy(app: App[Any]) -> bool:
    """Return whether messages are pending, or their changes have not been laid out and painted yet."""
    within: Any = app
    try:
        screen = within.screen
    except ScreenStackError:
        return False
    if within._batch_count or screen._layout_required or screen._repaint_required or screen._dirty_widgets:
        return True
    pumps = [within, *screen.walk_children(with_self=True)]
    return any(pump._next_callbacks or not pump._message_queue.empty() for pump in pumps)
