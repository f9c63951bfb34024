"""A console over an idle backend that the tests of a module share: opening one takes longer than most of them."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Input

from console.screens.console_screen import ConsoleScreen
from console.screens.list_screen import ListScreen
from tests.idle.backend import IdleBackend
from tests.idle.console import still_console
from tests.snapshots.pictures import SMALL, Sitter, Size


class SharedSitter(Sitter):
    """Presses the keys of one test after the other on the same console."""

    def __init__(self, pilot: Pilot[Any], backend: IdleBackend, size: Size) -> None:
        super().__init__(pilot)
        self.backend = backend
        self._pilot = pilot
        self._size = size

    async def restart(self, size: Size | None = None) -> None:
        """Restore the records and the size, and go to Home from whatever the test before left open."""
        self.backend.restore()
        size = size or self._size
        if self.app.size != size:
            await self._pilot.resize_terminal(*size)
        screen = await self._leave()
        if screen.context.past is not None:
            screen.context.past.mark_ms = None
            await self.press("1", "T")
            screen = await self._leave()
        if isinstance(screen, ListScreen) and screen.pane.view.paused:
            await self.press("p")
        await self.press("1")

    async def _leave(self) -> ConsoleScreen:
        """Close what covers a screen, clear its filter and selection, and return it."""
        while not isinstance(screen := self.app.screen, ConsoleScreen) or _is_narrowed(screen):
            await self.press("escape")
        return screen


def _is_narrowed(screen: ConsoleScreen) -> bool:
    """Return whether Escape has something to clear before it leaves the screen."""
    if not isinstance(screen, ListScreen):
        return False
    return bool(screen.pane.live_table.selection or screen.filter_text or isinstance(screen.focused, Input))


@asynccontextmanager
async def shared_console(
    backend: IdleBackend, folder: Path, size: Size = SMALL, **config: Any
) -> AsyncGenerator[SharedSitter]:
    """Open a console; `folder` contains its files, `config` overrides its configuration."""
    async with still_console(backend, folder, **config).run_test(size=size) as pilot:
        sitter = SharedSitter(pilot, backend, size)
        await sitter.settle()
        yield sitter
