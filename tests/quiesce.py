"""Wait until a pressed key has had its effect.

After every key and in every pause, Textual's pilot waits until the whole process is nearly idle for 20 ms. If a service
and a backend share the process, such a moment is rare, and most of the time of a test was spent waiting; on a busy
machine it comes too early. This module asks the application instead whether work is pending.

Frames are painted only when no other work is pending. The program paints each at once; the intermediate frames took a
quarter of the time of all tests that press keys. Style sheets are parsed once for all consoles of a process with the
same theme, which took a twelfth of the time of opening a console.
"""

from __future__ import annotations

import asyncio
import importlib
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakSet

from textual.app import App, ScreenStackError
from textual.screen import Screen

from console.cli.program import FRAMES

LOOK_SECONDS = 0.004
"""How long no work must have been pending, and the process nearly idle."""
WORK_SECONDS = 0.0005
"""Processor time allowed meanwhile, so that background work ends as well."""

_context: Any = importlib.import_module("textual._context")
_usual: Any = importlib.import_module("textual._wait").wait_for_idle
_paint: Any = importlib.import_module("textual.screen").Screen._compositor_refresh
_parse: Any = importlib.import_module("textual.css.stylesheet").Stylesheet._parse_rules
_rules: dict[object, Any] = {}


def wait_with_care() -> None:
    """Replace the waiting of the pilot, and allow tests as many frames as the program."""
    screen: Any = importlib.import_module("textual.screen")
    # A pytest plugin has imported Textual already, so the environment variable has no effect any more.
    screen.UPDATE_PERIOD = 1 / int(FRAMES)
    for name in ("textual.app", "textual.pilot"):
        module: Any = importlib.import_module(name)
        assert module.wait_for_idle is _usual
        module.wait_for_idle = _rest
    screen.Screen._compositor_refresh = _owe_frame
    importlib.import_module("textual.css.stylesheet").Stylesheet._parse_rules = _parsed


@contextmanager
def painting_every_frame() -> Generator[None]:
    """Paint every frame at once, as the program does."""
    before, _painting.at_rest = _painting.at_rest, False
    try:
        yield
    finally:
        _painting.at_rest = before


@dataclass
class _Painting:
    """When screens are painted, and which screens are waiting for it."""

    at_rest: bool = True
    owed: WeakSet[Screen[Any]] = field(default_factory=WeakSet[Screen[Any]])


_painting = _Painting()


def _owe_frame(screen: Screen[Any]) -> None:
    """Skip a frame that the next one overwrites: a dialog that opens paints ten, all equally expensive."""
    app = _app_of(screen)
    if not _painting.at_rest or not app.is_headless or screen is not app.screen:
        _paint(screen)
        return
    _painting.owed.add(screen)
    within: Any = screen
    within._dirty_widgets.clear()
    app._update_mouse_over(screen)


def _app_of(screen: Any) -> Any:
    return screen.app


def _parsed(sheet: Any, *css: Any, **more: Any) -> Any:
    key = frozenset(sheet._variables.items()), css, frozenset(more.items())
    if key not in _rules:
        _rules[key] = _parse(sheet, *css, **more)
    return _rules[key]


async def _rest(min_sleep: float = 0.0, max_sleep: float = 1.0) -> None:
    app = _context.active_app.get(None)
    if app is None:
        await _usual(min_sleep, max_sleep)
        return
    end, worked = time.monotonic() + max_sleep, time.process_time()
    while time.monotonic() < end:
        before = worked
        await asyncio.sleep(LOOK_SECONDS)
        worked = time.process_time()
        if worked - before < WORK_SECONDS:
            if not _something_left(app):
                if app.screen not in _painting.owed:
                    return
                _painting.owed.discard(app.screen)
                _paint(app.screen)
            worked = time.process_time()


def _something_left(app: App[Any]) -> bool:
    """Return whether messages are pending, or their changes have not been laid out and painted yet."""
    try:
        screen: Any = app.screen
    except ScreenStackError:
        return False
    within: Any = app
    if within._batch_count or screen._layout_required or screen._repaint_required or screen._dirty_widgets:
        return True
    pumps: list[Any] = [app, *screen.walk_children(with_self=True)]
    return any(each._next_callbacks or not each._message_queue.empty() for each in pumps)
