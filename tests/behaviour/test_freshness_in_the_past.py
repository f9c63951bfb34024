"""Nothing that is shown of the past says that it is live: no screen, no overlay and no board of the wall."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from console.live.delta import Freshness
from console.recording.past import Past
from console.recording.recording import ListRecording
from console.ui.screens.specs import SCREENS
from console.ui.screens.wall_boards import BOARDS
from console.ui.screens.wallboard import WallboardScreen
from console.ui.textual_compat.testing import painted
from console.ui.widgets.top_line import badge
from tests.behaviour.idle_console import SharedSitter
from tests.behaviour.past import go_back
from tests.behaviour.test_replay import replayed
from tests.behaviour.test_wallboard import says
from tests.recording.film import AT, MINUTE, film, incident
from tests.snapshots.pictures import Sitter

pytestmark = pytest.mark.asyncio(loop_scope="module")

OVERLAYS = ("question_mark", "ctrl+p", "ctrl+l", "ctrl+e", "ctrl+o", "M", "f10", "R", "K", "V", "enter", "equals_sign")
"""Keys that open something over a screen, where it has them. Over each screen it is the same, but for the last two."""
SAYS_LIVE = re.compile(r"\b(LIVE|POLLING)\b")


def text_of(sitter: Sitter) -> str:
    return "\n".join(strip.text for strip in painted(sitter.app.screen))


async def look_everywhere(sitter: Sitter) -> None:
    """Open all screens, their overlays and the boards."""
    opened: set[str] = set()
    for spec in SCREENS:
        await sitter.press(spec.digit)
        assert not SAYS_LIVE.search(text_of(sitter)), spec.name
        for key in OVERLAYS if spec is SCREENS[1] else OVERLAYS[-2:]:
            below = sitter.app.screen
            await sitter.press(key)
            assert not SAYS_LIVE.search(text_of(sitter)), (spec.name, key)
            opened |= {type(sitter.app.screen).__name__} if sitter.app.screen is not below else set()
            while sitter.app.screen is not below and len(sitter.app.screen_stack) > 2:
                await sitter.press("escape")
    assert len(opened) > 3, opened
    await sitter.press("W")
    assert isinstance(sitter.app.screen, WallboardScreen)
    for _ in BOARDS:
        for scale in (1, 2, 3):
            assert not says(sitter, "live", scale)
            assert not says(sitter, "polling", scale)
        await sitter.press("right")


@asynccontextmanager
async def replayed_incident(folder: Path) -> AsyncGenerator[Sitter]:
    async with replayed(incident(folder / "incident.rec"), folder / "home", at=6 * MINUTE) as sitter:
        yield sitter


async def test_nothing_is_live_in_the_past(recorded_eva: SharedSitter) -> None:
    await recorded_eva.press("W")
    assert any(says(recorded_eva, "live", scale) for scale in (1, 2, 3)), "the present is"
    await recorded_eva.press("escape")
    await go_back(recorded_eva, "-20s")
    await look_everywhere(recorded_eva)
    assert any(says(recorded_eva, "past", scale) for scale in (1, 2, 3))


async def test_no_screen_is_live_in_a_replay(tmp_path: Path) -> None:
    async with replayed_incident(tmp_path) as sitter:
        for spec in SCREENS:
            await sitter.press(spec.digit)
            assert not SAYS_LIVE.search(text_of(sitter)), spec.name


async def test_the_past_of_every_list_and_of_the_connection_is_not_current(tmp_path: Path) -> None:
    with film(tmp_path / "a.rec") as made:
        made.known(0, "calls", "alerts")
        made.span(0, MINUTE)
    with ListRecording.open(tmp_path / "a.rec", finished=True) as recording:
        past = Past(recording, 0)
        past.move(AT + MINUTE // 2, 0)
        shown = [past.link, *(past.health(kind) for kind in ("calls", "alerts", "queues", "episodes"))]
    assert past.health("calls").state is Freshness.PAST
    assert not [each for each in shown if SAYS_LIVE.search("".join(piece.text for piece in badge(each)))]
