"""Sitting down at a console where nothing moves, pressing keys, and holding still for a picture."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Any

from textual import events
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from console.paths import resource_dir
from console.screens.specs import SCREENS, spec_of

Size = tuple[int, int]
SMALL: Size = (80, 24)
USUAL: Size = (120, 40)
LARGE: Size = (200, 60)
SIZES = (SMALL, USUAL, LARGE)
EVERY_SCREEN = tuple(spec.name for spec in SCREENS)
EVERY_THEME = tuple(sorted(file.stem for file in resource_dir("themes").glob("*.toml")))
MAIN_THEMES = ("dark", "mono", "colour-blind")
"""Themes in which every screen is looked at in every size; the others are looked at on two screens."""
FURTHER_THEMES = tuple(theme for theme in EVERY_THEME if theme not in MAIN_THEMES)


def named(size: Size) -> str:
    """Name a size in the name of a picture."""
    return f"{size[0]}x{size[1]}"


class Sitter:
    """Whoever presses the keys before a picture is taken. Each step returns when all it caused has been drawn."""

    def __init__(self, pilot: Pilot[Any]) -> None:
        self.app = pilot.app
        self._pilot = pilot

    async def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            await self._pilot.press(key)
            await self.settle()

    async def click(self, widget: str, x: int) -> None:
        """Click on a widget of the screen in front, so many cells from its left."""
        await self._pilot.click(widget, offset=(x, 0))
        await self.settle()

    async def type(self, text: str) -> None:
        """Put a text where typing goes, all at once."""
        self.app.post_message(events.Paste(text))
        await self.settle()

    async def goto(self, name: str) -> None:
        """Go to a screen, or to a list of one, by its name."""
        await self.press("colon")
        await self.type(name)
        await self.press("enter")
        await self.settle()

    async def settle(self) -> None:
        """Draw what was caused, and hear again."""
        await self.until(lambda: getattr(self.app.screen, "listening", True))
        beat = getattr(self.app.screen, "beat", None)
        if beat is not None:
            beat(True)
        await self._pilot.pause()

    async def until(self, condition: Callable[[], bool], seconds: float = 20.0) -> None:
        """Wait for what comes in its own time."""
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, f"it did not come within {seconds} s"
            await self._pilot.pause()

    async def hold_still(self) -> None:
        """Let no cursor blink, and draw until all has found its place."""
        for field in (*self.app.screen.query(Input), *self.app.screen.query(TextArea)):
            field.cursor_blink = False
        for _ in range(_ROUNDS):
            await self.settle()


_ROUNDS = 3
"""A layout may show or hide a part, which changes the layout, on which depends what is drawn."""

Steps = Callable[[Sitter], Awaitable[None]]


def on_screens(*names: str) -> dict[str, Steps]:
    """Go from screen to screen, by their digits."""

    def to(digit: str) -> Steps:
        return lambda sitter: sitter.press(digit)

    return {name: to(spec_of(name).digit) for name in names}
