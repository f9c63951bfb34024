"""A console over an idle backend that the tests of a module share: opening one takes longer than most of them."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from console.ui.screens.console_screen import ConsoleScreen
from console.ui.screens.list_screen import ListScreen
from console.ui.screens.specs import ScreenSpec, screen_of
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

    async def restart(self, size: Size | None = None, **deviations: Any) -> None:
        """Restore the backend and the size, and go to Home from whatever the test before left open.

        `deviations` from a healthy backend are in force afterwards.
        """
        self.backend.restore()
        size = size or self._size
        if self.app.size != size:
            await self._pilot.resize_terminal(*size)
        screen = await self.leave()
        if screen.context.past is not None:
            screen.context.past.mark_ms = None
            await self.press("1", "T")
            screen = await self.leave()
        if isinstance(screen, ListScreen) and screen.pane.view.paused:
            await self.press("p")
        await self.press("1")
        if deviations:
            self.backend.restore(**deviations)
            await self.settle()

    async def go_to(self, spec: ScreenSpec) -> ConsoleScreen:
        """Go to a screen from whatever is open, and wait until it is in front."""
        screen = await self.leave()
        if screen.spec.name != spec.name:
            await self.press(spec.digit)
            await self.until(lambda: getattr(self.app.screen, "spec", None) is spec, missing=f"screen {spec.name}")
            screen = self.app.screen
            assert isinstance(screen, ConsoleScreen)
        return screen

    async def look_at(self, kind: str) -> ListScreen:
        """Go to a list from whatever is open. Its records, order and columns stay."""
        spec = screen_of(kind)
        assert spec is not None, kind
        screen = await self.go_to(spec)
        assert isinstance(screen, ListScreen)
        if screen.pane.kind != kind:
            screen.switch_pane(kind)
        if screen.pane.view.paused:
            await self.press("p")
        screen.pane.live_table.focus()
        await self.settle()
        return screen


@asynccontextmanager
async def shared_console(
    backend: IdleBackend, folder: Path, size: Size = SMALL, **config: Any
) -> AsyncGenerator[SharedSitter]:
    """Open a console; `folder` contains its files, `config` overrides its configuration."""
    async with still_console(backend, folder, **config).run_test(size=size) as pilot:
        sitter = SharedSitter(pilot, backend, size)
        await sitter.settle()
        yield sitter
