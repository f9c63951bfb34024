"""An idle screen is not drawn again, and reacts to changes as fast as ever."""

from __future__ import annotations

import math
import threading
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any, cast

import pytest
import pytest_asyncio

from console.live.delta import Freshness, Health
from console.ui.app import STILL_BEATS, ConsoleApp
from console.ui.screens.admin import AdminScreen
from console.ui.screens.console_screen import ConsoleScreen
from console.ui.screens.list_screen import ListScreen
from console.ui.screens.updating import FullScreen
from console.ui.textual_compat.testing import painted
from console.ui.widgets.frame import FooterKey
from console.ui.widgets.top_line import Paused, TopFacts
from console.views.render_context import RenderContext
from tests.behaviour.test_outdated_lists import sitting
from tests.idle.backend import IdleBackend
from tests.idle.console import still_console
from tests.idle.world import StillWorld, StillWorlds
from tests.manual_clock import ManualClock
from tests.patience import PATIENCE
from tests.snapshots.pictures import Sitter

pytestmark = pytest.mark.usefixtures("every_frame")


class Watched:
    """A console over an idle backend, with counts of what the screen did since the last call."""

    def __init__(self, backend: IdleBackend, sitter: Sitter) -> None:
        self.backend = backend
        self.sitter = sitter
        self.beats = 0
        self.said = 0

    async def said_in(self, beats: int) -> int:
        """Return how often the top line was set in `beats` refreshes."""
        first = self.beats + 1
        await self.sitter.until(lambda: self.beats >= first)
        self.said = 0
        await self.sitter.until(lambda: self.beats >= first + beats)
        return self.said

    async def says(self) -> None:
        """Wait until the top line is set."""
        self.said = 0
        await self.sitter.until(lambda: self.said > 0)


@pytest.fixture(scope="module")
def quiet(still_worlds: StillWorlds) -> StillWorld:
    return still_worlds.of("quiet")


@pytest_asyncio.fixture
async def idle(quiet: StillWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[Watched]:
    """A supervisor who does nothing on the list of calls."""
    backend = IdleBackend(quiet)
    async with sitting(backend, tmp_path) as eva:
        watched = Watched(backend, eva)
        facts, beat = FullScreen.top_facts, ConsoleScreen.beat

        def noted_facts(
            screen: FullScreen, render: RenderContext, health: Health, paused: Paused | None = None
        ) -> TopFacts:
            watched.said += 1
            return facts(screen, render, health, paused)

        def noted_beat(screen: ConsoleScreen, fresh: bool) -> None:
            beat(screen, fresh)
            watched.beats += 1

        await eva.press("2")
        monkeypatch.setattr(FullScreen, "top_facts", noted_facts)
        monkeypatch.setattr(ConsoleScreen, "beat", noted_beat)
        monkeypatch.setattr("console.ui.app.WAKEFUL_SECONDS", -math.inf)
        yield watched


async def test_a_tick_a_change_and_an_outdated_list_are_reported_and_nothing_else(idle: Watched) -> None:
    clock = idle.backend.world.clock
    assert isinstance(clock, ManualClock)

    def outdated() -> None:
        idle.backend.healths = {"calls": Health(Freshness.STALE, 7.0, "no sign of life")}

    assert await idle.said_in(beats=4) == 0
    for happens in (lambda: clock.advance(1.0), lambda: idle.backend.change("calls"), outdated):
        happens()
        await idle.says()
        assert await idle.said_in(beats=1) == 0


async def test_everything_is_reported_right_after_a_key(idle: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    assert await idle.said_in(beats=1) == 0
    monkeypatch.setattr("console.ui.app.WAKEFUL_SECONDS", math.inf)
    await idle.sitter.press("down")
    assert await idle.said_in(beats=2) >= 2


async def test_the_availability_of_keys_is_recomputed_only_after_changes_of_their_records(
    idle: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    keys = ListScreen.footer_keys

    def noted_keys(screen: ListScreen) -> list[FooterKey]:
        asked.append(screen.cursor_key)
        return keys(screen)

    monkeypatch.setattr(ListScreen, "footer_keys", noted_keys)
    screen = idle.sitter.app.screen
    assert isinstance(screen, ListScreen)
    under_cursor, *_, last = screen.pane.view.keys
    calls = idle.backend.records("calls")
    idle.backend.change("calls", calls[last].model_copy(update={"target": "sip:other@desk.example"}))
    await idle.says()
    assert not asked
    idle.backend.change("calls", calls[under_cursor].model_copy(update={"target": "sip:other@desk.example"}))
    await idle.sitter.until(lambda: asked == [under_cursor])


async def test_a_still_screen_is_looked_at_once_a_second_and_shows_a_change_with_the_next_beat(idle: Watched) -> None:
    app, clock = cast("Any", idle.sitter.app), idle.backend.world.clock
    assert isinstance(clock, ManualClock)
    for _ in range(2 * STILL_BEATS):
        app._beat()
    looked = idle.beats
    for _ in range(5 * STILL_BEATS):
        app._beat()
    assert idle.beats - looked == 5
    clock.advance(1.0)
    app._beat()
    assert idle.beats - looked == 6
    app._beat()
    assert idle.beats - looked == 6
    idle.backend.change("calls")
    app._beat()
    assert idle.beats - looked == 7


async def test_under_endless_changes_the_frame_is_drawn_once_a_second_and_rows_and_keys_at_once(
    idle: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("console.ui.app.BUSY_BEATS", -1)
    monkeypatch.setattr("console.ui.app.WAKEFUL_SECONDS", math.inf)
    screen, clock = idle.sitter.app.screen, idle.backend.world.clock
    assert isinstance(screen, ListScreen)
    assert isinstance(clock, ManualClock)
    first = idle.backend.records("calls")[screen.pane.view.keys[0]]
    assert await idle.said_in(beats=1) == 0
    idle.backend.change("calls", first.model_copy(update={"caller": "+34600000001"}))
    await idle.sitter.until(lambda: any("+34600000001" in strip.text for strip in painted(screen)))
    await idle.sitter.press("slash")
    await idle.sitter.until(lambda: "keep the filter" in offered(screen))
    assert await idle.said_in(beats=3) == 0
    clock.advance(1.0)
    await idle.says()


async def test_the_footer_follows_the_focus_between_two_ticks(idle: Watched) -> None:
    await idle.sitter.press("8")
    screen = idle.sitter.app.screen
    assert isinstance(screen, AdminScreen)
    await idle.sitter.until(lambda: screen.pane.live_table.has_focus and "show the list" not in offered(screen))
    assert await idle.said_in(beats=2) == 0
    screen.do_pane()
    await idle.sitter.until(lambda: "show the list" in offered(screen))


def offered(screen: ConsoleScreen) -> str:
    """Return the line of keys."""
    return screen.footer.render_line(0).text


async def test_an_application_that_has_ended_leaves_no_thread_of_any_profile(quiet: StillWorld, tmp_path: Path) -> None:
    before = set(threading.enumerate())
    async with sitting(IdleBackend(quiet), tmp_path) as eva:
        assert isinstance(eva.app, ConsoleApp)
        hidden = still_console(IdleBackend(quiet), tmp_path / "hidden").context
        eva.app.profiles.show_past(hidden, eva.app.current_mode)
        eva.app.profiles.show_present()
        for context in (eva.app.context, hidden):
            context.worker.submit(int).result()
        mine = [each for each in threading.enumerate() if each not in before and "worker" in each.name]
        assert len(mine) == 2
    for each in mine:
        each.join(PATIENCE)
    assert not any(each.is_alive() for each in mine)
