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
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast
from weakref import WeakSet

from textual.app import App
from textual.screen import Screen

from console.ui.textual_compat import testing

LOOK_SECONDS = 0.004
"""How long no work must have been pending, and the process nearly idle."""
WORK_SECONDS = 0.0005
"""Processor time allowed meanwhile, so that background work ends as well."""

STARVED = 5
"""How many times longer a wait lasts if the process was not given the processor time for it."""


def wait_with_care() -> None:
    """Replace the waiting of the pilot, and allow tests as many frames as the program."""
    testing.replace_waiting(_rest)
    testing.replace_painting(_paints_now)
    testing.share_parsed_rules()


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


def _paints_now(screen: Screen[Any]) -> bool:
    """Skip a frame that the next one overwrites: a dialog that opens paints ten, all equally expensive."""
    app = cast("App[Any]", cast("Any", screen).app)
    if not _painting.at_rest or not app.is_headless or screen is not app.screen:
        return True
    _painting.owed.add(screen)
    return False


async def _rest(app: App[Any], seconds: float) -> None:
    """Wait until the application rests, for at most so much processor time: a busy machine gives little of it."""
    began, worked_before = time.monotonic(), time.process_time()
    worked = worked_before
    while (waited := time.monotonic() - began) < seconds or (
        worked - worked_before < seconds and waited < STARVED * seconds
    ):
        before = worked
        await asyncio.sleep(LOOK_SECONDS)
        worked = time.process_time()
        if worked - before < WORK_SECONDS:
            if not testing.is_busy(app):
                if app.screen not in _painting.owed:
                    return
                _paint_owed(app)
            worked = time.process_time()
    if app.screen_stack:
        _paint_owed(app)


def _paint_owed(app: App[Any]) -> None:
    if app.screen in _painting.owed:
        _painting.owed.discard(app.screen)
        testing.paint(app.screen)
