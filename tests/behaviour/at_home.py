"""Open Home over an idle backend."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from console.ui.screens.home import HomeScreen
from console.ui.widgets.concerns import ConcernList
from tests.behaviour.idle_console import SharedSitter
from tests.idle.backend import IdleBackend
from tests.idle.console import still_console
from tests.snapshots.pictures import USUAL, Sitter, Size


async def at_home(sitter: SharedSitter, size: Size = USUAL, **deviations: Any) -> HomeScreen:
    """Return Home of a shared console as it is at the start, with the cursor in what needs attention."""
    await sitter.restart(size, **deviations)
    screen = sitter.app.screen
    assert isinstance(screen, HomeScreen)
    screen.query_one(ConcernList).focus()
    await sitter.press("home")
    return screen


@asynccontextmanager
async def home_screen(
    backend: IdleBackend, folder: Path, size: Size = USUAL
) -> AsyncGenerator[tuple[Sitter, HomeScreen]]:
    app = still_console(backend, folder)
    async with app.run_test(size=size) as pilot:
        sitter = Sitter(pilot)
        await sitter.hold_still()
        screen = app.screen
        assert isinstance(screen, HomeScreen)
        yield sitter, screen


@asynccontextmanager
async def home(backend: IdleBackend, folder: Path, size: Size = USUAL) -> AsyncGenerator[Sitter]:
    app = still_console(backend, folder, hold_seconds=0)
    async with app.run_test(size=size) as pilot:
        sitter = Sitter(pilot)
        await sitter.hold_still()
        yield sitter
