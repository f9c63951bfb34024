"""Open a console over fixed records, press keys, and wait until the screen is stable."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from console.config.paths import resource_dir
from console.ui.dialogs import ReadingDialog
from console.ui.screens.console_screen import ConsoleScreen
from console.ui.screens.list_screen import ListScreen
from console.ui.screens.specs import SCREENS, spec_of
from console.ui.textual_compat.testing import painted
from tests.patience import PATIENCE

Size = tuple[int, int]
SMALL: Size = (80, 24)
USUAL: Size = (120, 40)
LARGE: Size = (200, 60)
SIZES = (SMALL, USUAL, LARGE)
EVERY_SCREEN = tuple(spec.name for spec in SCREENS)
IN_LOOKS = pytest.mark.parametrize(
    ("size", "theme"), [(SMALL, "mono"), (USUAL, "dark")], ids=["80x24-mono", "120x40-dark"]
)
"""One picture at each of the two usual sizes: without colours, where there is little room, and with them."""
EVERY_THEME = tuple(sorted(file.stem for file in resource_dir("themes").glob("*.toml")))
FURTHER_THEMES = tuple(theme for theme in EVERY_THEME if theme != "dark")
"""Themes that are drawn on two screens only, beside mono."""


def named(size: Size) -> str:
    """Return a size as part of a picture's name."""
    return f"{size[0]}x{size[1]}"


class Sitter:
    """Presses the keys before a picture. Each step returns when all its effects have been painted."""

    def __init__(self, pilot: Pilot[Any]) -> None:
        self.app = pilot.app
        self._pilot = pilot

    def text(self) -> str:
        """Return the text of the screen, one string per row."""
        return "\n".join(line.text.rstrip() for line in painted(self.app.screen))

    async def press(self, *keys: str) -> None:
        """Press keys one after the other, and paint what each changed: the screen below a dialog is not painted."""
        for key in keys:
            await self._listening()
            await self._pilot.press(key)
            await self.settle()

    async def click(self, widget: str, x: int) -> None:
        """Click on a widget of the current screen, `x` cells from its left."""
        await self._pilot.click(widget, offset=(x, 0))
        await self.settle()

    async def type(self, text: str) -> None:
        """Insert a text into the focused input at once."""
        self.app.post_message(events.Paste(text))
        await self.settle()

    async def goto(self, name: str) -> None:
        """Go to a screen, or to a list of one, by its name."""
        await self.press("colon")
        await self.dialog()
        await self.type(name)
        await self.press("enter")
        await self.until(lambda: isinstance(self.app.screen, ConsoleScreen))
        await self.settle()

    async def dialog(self) -> None:
        """Wait until a dialog is open: it may read something first."""
        await self.until(lambda: not isinstance(self.app.screen, ConsoleScreen | ReadingDialog))
        await self.settle()

    async def leave(self) -> ConsoleScreen:
        """Close what covers a screen, clear its filter and selection, and return it."""
        while not isinstance(screen := self.app.screen, ConsoleScreen) or _is_narrowed(screen):
            await self.press("escape")
        return screen

    async def settle(self) -> None:
        """Paint pending changes."""
        await self._listening()
        beat = getattr(self.app.screen, "beat", None)
        if beat is not None:
            beat(True)
        await self._pilot.pause()

    async def _listening(self) -> None:
        """Wait until the screen accepts keys: a dialog ignores them at first."""
        await self.until(lambda: getattr(self.app.screen, "listening", True))

    async def until(self, condition: Callable[[], bool], seconds: float = PATIENCE, missing: str = "it") -> None:
        """Wait for a condition. If it does not come, name what is missing, and the screen in front."""
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, f"{missing} did not come within {seconds} s: {self.app.screen}"
            await self._pilot.pause()

    async def hold_still(self) -> None:
        """Stop the cursor from blinking, and paint until the layout is stable."""
        for field in (*self.app.screen.query(Input), *self.app.screen.query(TextArea)):
            field.cursor_blink = False
        shown = painted(self.app.screen)
        for _ in range(_ROUNDS):
            await self.settle()
            if (lines := painted(self.app.screen)) == shown:
                break
            shown = lines


def _is_narrowed(screen: ConsoleScreen) -> bool:
    """Return whether Escape has something to clear before it leaves the screen."""
    if not isinstance(screen, ListScreen):
        return False
    return bool(screen.pane.view.selection or screen.filter_text or isinstance(screen.focused, Input))


_ROUNDS = 3
"""A layout may show or hide a part, which changes the layout again."""

Steps = Callable[[Sitter], Awaitable[None]]


def pressed(*keys: str) -> Steps:
    """Press keys."""
    return lambda sitter: sitter.press(*keys)


def typed(*keys: str, text: str, then: Sequence[str] = ()) -> Steps:
    """Press keys, insert a text, and press further keys."""

    async def steps(sitter: Sitter) -> None:
        await sitter.press(*keys)
        await sitter.type(text)
        await sitter.press(*then)

    return steps


def apart(walk: Mapping[str, Steps]) -> dict[str, Steps]:
    """Close what the steps before opened, and clear filters and selections, before each of these steps."""

    def after_leaving(steps: Steps) -> Steps:
        async def both(sitter: Sitter) -> None:
            await sitter.leave()
            await steps(sitter)

        return both

    return {name: after_leaving(steps) for name, steps in walk.items()}


def on_screens(*names: str) -> dict[str, Steps]:
    """Go from screen to screen by their digits."""
    return {name: pressed(spec_of(name).digit) for name in names}
