"""Fixtures: scenarios that are created once, and functions that take and compare pictures."""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from console.app import ConsoleApp
from tests.idle.backend import IdleBackend
from tests.idle.console import still_console
from tests.idle.world import StillWorld, still_world
from tests.snapshots.accepted import Accepted
from tests.snapshots.pictures import USUAL, Sitter, Size, Steps


def _drawn(world: str | Path, who: str = "eva") -> Generator[StillWorld]:
    found = still_world(world, who)
    yield found
    found.platform.close()


@pytest.fixture(scope="session")
def busy() -> Generator[StillWorld]:
    yield from _drawn("busy")


@pytest.fixture(scope="session")
def at_anas() -> Generator[StillWorld]:
    """The scenario `busy` as a support agent sees it."""
    yield from _drawn("busy", "ana")


@pytest.fixture(scope="session")
def empty() -> Generator[StillWorld]:
    yield from _drawn("empty")


@pytest.fixture(scope="session")
def hostile() -> Generator[StillWorld]:
    yield from _drawn(Path(__file__).parents[1] / "data" / "hostile.toml")


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
    for name in ("NO_COLOR", "TEXTUAL_COLOR_SYSTEM", "UNICODE_VERSION"):
        monkeypatch.delenv(name, raising=False)
    return Picture(Accepted(snapshot), tmp_path)
