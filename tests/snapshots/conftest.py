"""Worlds that are drawn once, and how a picture is taken and compared."""

from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, Protocol

import pytest
from textual.pilot import Pilot

from tests.snapshots.pictures import USUAL, Sitter, Size, Steps, slim
from tests.still.console import still_console
from tests.still.desk import StillDesk
from tests.still.world import StillWorld, still_world


def _drawn(world: str | Path, who: str = "eva") -> Generator[StillWorld]:
    found = still_world(world, who)
    yield found
    found.platform.close()


@pytest.fixture(scope="session")
def busy() -> Generator[StillWorld]:
    yield from _drawn("busy")


@pytest.fixture(scope="session")
def at_anas() -> Generator[StillWorld]:
    """The busy world as a support agent sees it."""
    yield from _drawn("busy", "ana")


@pytest.fixture(scope="session")
def empty() -> Generator[StillWorld]:
    yield from _drawn("empty")


@pytest.fixture(scope="session")
def hostile() -> Generator[StillWorld]:
    yield from _drawn(Path(__file__).parents[1] / "data" / "hostile.toml")


class Picture(Protocol):
    """Presses keys, takes further steps, takes the picture, and fails if it is not the accepted one."""

    def __call__(
        self,
        desk: StillDesk,
        *keys: str,
        size: Size = USUAL,
        theme: str = "dark",
        steps: Steps | None = None,
        **config: Any,
    ) -> None: ...


@pytest.fixture
def picture(snap_compare: Callable[..., bool], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Picture:
    for name in ("NO_COLOR", "TEXTUAL_COLOR_SYSTEM", "UNICODE_VERSION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pytest_textual_snapshot.normalize_svg", slim)

    def take(
        desk: StillDesk,
        *keys: str,
        size: Size = USUAL,
        theme: str = "dark",
        steps: Steps | None = None,
        **config: Any,
    ) -> None:
        async def before(pilot: Pilot[Any]) -> None:
            sitter = Sitter(pilot)
            await sitter.settle()
            await sitter.press(*keys)
            if steps is not None:
                await steps(sitter)
            await sitter.hold_still()

        assert snap_compare(still_console(desk, tmp_path, theme, **config), terminal_size=size, run_before=before)

    return take
