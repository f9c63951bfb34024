"""In every theme, painted text has a contrast of at least 4.5 to 1, borders, scrollbars and cursors of 3 to 1."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from typing import Any

import pytest
import pytest_asyncio
from rich.segment import Segment
from textual.pilot import Pilot
from textual.screen import Screen

from console.config.paths import resource_dir
from console.live.command import Stage
from console.live.delta import Freshness, Health
from console.ui.app import ConsoleApp
from console.ui.screens.console_screen import ConsoleScreen
from console.ui.screens.navigation import go
from console.ui.screens.specs import SCREENS
from console.ui.textual_compat.testing import painted
from tests.contrast import BESIDE, TEXT, grounds, ratio
from tests.idle.backend import IdleBackend
from tests.idle.console import still_console
from tests.idle.world import StillWorld, StillWorlds

pytestmark = pytest.mark.asyncio(loop_scope="module")

THEMES = tuple(sorted(file.stem for file in resource_dir("themes").glob("*.toml")))
DRAWN = frozenset("─│┌┐└┘═║·░▒▓█▄▌→←↑↓►›●○◊≡■▬×√▲∆▼•…–")
"""Symbols and borders, which accompany words."""
OVER = ("question_mark", "f10", "ctrl+p", "M", "x")
"""The overlays by their key on the alerts."""


@pytest.fixture(scope="module")
def world(still_worlds: StillWorlds) -> StillWorld:
    return still_worlds.of("busy")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pilot(world: StillWorld, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Pilot[Any]]:
    app = still_console(
        IdleBackend(world, becomes=(Stage.REFUSED, "not the sender")), tmp_path_factory.mktemp("colours")
    )
    async with app.run_test(size=(120, 40)) as pilot:
        yield pilot


def segments(screen: Screen[Any]) -> Iterator[tuple[Segment, int, int]]:
    """Yield the painted segments in front with their position; with an overlay, only those of the overlay."""
    box = next(iter(screen.query("#box")), None) or next(iter(screen.query("#--container")), None)
    region = box.region if box is not None else screen.region
    strips = painted(screen)
    for y, strip in enumerate(strips):
        if region.y <= y < region.bottom:
            x = 0
            for segment in strip:
                if region.x <= x < region.right:
                    yield segment, x, y
                x += segment.cell_length


def hard_to_read(screen: Screen[Any]) -> list[str]:
    """Return the segments with too little contrast."""
    found: set[str] = set()
    for segment, _x, _y in segments(screen):
        words = segment.text.strip()
        style = segment.style
        if not words or style is None or style.color is None or style.bgcolor is None:
            continue
        pair = [each.get_truecolor().hex for each in (style.color, style.bgcolor)]
        drawn = set(words) <= DRAWN
        if ratio(*pair) < (BESIDE if drawn else TEXT):
            found.add(f"{words[:40]!r}: {pair[0]} on {pair[1]} is {ratio(*pair):.2f}")
    return sorted(found)


async def settle(pilot: Pilot[Any]) -> None:
    screen = pilot.app.screen
    while not getattr(screen, "listening", True):
        await pilot.pause()
    beat = getattr(screen, "beat", None)
    if beat is not None:
        beat(True)
    await pilot.pause()


async def looked_at(pilot: Pilot[Any], theme: str, where: str) -> list[str]:
    await settle(pilot)
    return [f"{theme}, {where}: {each}" for each in hard_to_read(pilot.app.screen)]


@pytest.mark.parametrize("theme", THEMES)
async def test_everything_painted_has_enough_contrast(pilot: Pilot[Any], theme: str) -> None:
    app = pilot.app
    assert isinstance(app, ConsoleApp)
    app.theme = theme
    found: list[str] = []
    for spec in SCREENS:
        go(app, app.context, spec.name)
        found += await looked_at(pilot, theme, spec.name)
    go(app, app.context, "alerts", "alerts")
    await settle(pilot)
    for key in ("space", "p", "slash"):
        await pilot.press(key)
        found += await looked_at(pilot, theme, f"alerts after {key}")
    await pilot.press("escape", "p", "escape")
    for key in OVER:
        await pilot.press(key)
        found += await looked_at(pilot, theme, f"alerts, {key}")
        for _ in range(4):
            if isinstance(app.screen, ConsoleScreen):
                break
            await pilot.press("escape")
            await settle(pilot)
        await pilot.press("escape")
    go(app, app.context, "admin", "domains")
    await settle(pilot)
    await pilot.press("n")
    found += await looked_at(pilot, theme, "a form")
    await pilot.press("escape")
    backend = app.context.backend
    assert isinstance(backend, IdleBackend)
    before = backend.link
    backend.link = Health(Freshness.OFFLINE, 42.0, "connection refused", retry_in=8.0)
    go(app, app.context, "calls")
    found += await looked_at(pilot, theme, "calls while offline")
    backend.link = before
    assert not found


async def test_rows_change_their_colours_with_the_theme(pilot: Pilot[Any]) -> None:
    app = pilot.app
    assert isinstance(app, ConsoleApp)
    go(app, app.context, "groups")
    for theme in ("light", "mono", "light", "dark"):
        app.theme = theme
        await settle(pilot)
        shown = {
            style.bgcolor.get_truecolor().hex
            for segment, _, _ in segments(app.screen)
            if (style := segment.style) and style.bgcolor
        }
        own = app.themes.get(theme)
        known = {*own.colours.values(), *grounds(own).values()}
        known |= {look.background for look in own.parts.values() if look.background}
        assert shown <= known


@pytest.mark.parametrize("theme", THEMES)
async def test_the_cursor_differs_visibly_from_the_rows_beside_it(pilot: Pilot[Any], theme: str) -> None:
    app = pilot.app
    assert isinstance(app, ConsoleApp)
    app.theme = theme
    go(app, app.context, "groups")
    await settle(pilot)
    seen: dict[str, set[str]] = {"►": set(), "›": set(), " ": set()}
    for segment, x, y in segments(app.screen):
        style = segment.style
        if y > 3 and x == 0 and segment.text[:1] in seen and style and style.bgcolor and style.color:
            seen[segment.text[:1]].add(style.bgcolor.get_truecolor().hex)
    (row,) = seen["►"]
    assert all(ratio(row, beside) >= BESIDE for beside in seen[" "])
