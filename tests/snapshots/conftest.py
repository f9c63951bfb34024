"""Fixtures: scenarios that are created once, and functions that take and compare pictures."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import partialmethod
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from syrupy.assertion import SnapshotAssertion

from console.ui.app import ConsoleApp
from console.ui.dialogs import dialog
from tests.idle.backend import IdleBackend
from tests.idle.console import still_console
from tests.idle.world import StillWorld, StillWorlds
from tests.snapshots.accepted import Accepted
from tests.snapshots.pictures import USUAL, Sitter, Size, Steps


@pytest.fixture(scope="session")
def busy(still_worlds: StillWorlds) -> StillWorld:
    return still_worlds.of("busy")


@pytest.fixture(scope="session")
def at_anas(still_worlds: StillWorlds) -> StillWorld:
    """The scenario `busy` as a support agent sees it."""
    return still_worlds.of("busy", "ana")


@pytest.fixture(scope="session")
def empty(still_worlds: StillWorlds) -> StillWorld:
    return still_worlds.of("empty")


@pytest.fixture(scope="session")
def hostile(still_worlds: StillWorlds) -> StillWorld:
    return still_worlds.of(Path(__file__).parents[1] / "data" / "hostile.toml")


class Picture:
    """Opens a console, presses keys, runs further steps, and compares a picture in each theme with the accepted one.

    The theme is part of a picture's name if there are several. `walk` takes several pictures in the same console: its
    steps, by the names of the pictures, follow each other.
    """

    def __init__(self, accepted: Accepted, folder: Path) -> None:
        self._accepted = accepted
        self._folder = folder

    def __call__(
        self,
        backend: IdleBackend,
        *keys: str,
        size: Size = USUAL,
        themes: Sequence[str] = ("dark",),
        steps: Steps | None = None,
        walk: Mapping[str, Steps] | None = None,
        **config: Any,
    ) -> None:
        async def both(sitter: Sitter) -> None:
            await sitter.press(*keys)
            if steps is not None:
                await steps(sitter)

        app = still_console(backend, self._folder, themes[0], **config)
        asyncio.run(self._take(app, size, themes, walk or {"": both}))
        self._accepted.hold()

    async def _take(self, app: ConsoleApp, size: Size, themes: Sequence[str], walk: Mapping[str, Steps]) -> None:
        async with app.run_test(size=size, tooltips=True, notifications=True) as pilot:
            sitter = Sitter(pilot)
            await sitter.settle()
            for name, steps in walk.items():
                await steps(sitter)
                for theme in themes:
                    app.theme = theme
                    await sitter.hold_still()
                    shown = app.export_screenshot(title=app.TITLE, simplify=True)
                    self._accepted.compare(shown, *filter(None, (name, theme if len(themes) > 1 else "")))


@pytest.fixture
def picture(snapshot: SnapshotAssertion, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Picture:
    monkeypatch.setattr(dialog, "DEAF_SECONDS", 0.001)
    for name in ("NO_COLOR", "TEXTUAL_COLOR_SYSTEM", "UNICODE_VERSION"):
        monkeypatch.delenv(name, raising=False)
    # Otherwise Rich computes one from all segments of the picture, and `slim` removes it.
    monkeypatch.setattr(Console, "export_svg", partialmethod(Console.export_svg, unique_id="terminal-0"))
    return Picture(Accepted(snapshot), tmp_path)
