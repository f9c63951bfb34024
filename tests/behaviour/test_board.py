"""Home is a board: queues, and charts where there is room."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from console.api.operations.support import AcceptAlert
from console.base.text import clean
from console.live.command import Command, Outcome, Stage, Step
from console.live.history import History
from console.records.queues import Queue
from console.ui.screens.agents import AgentsScreen
from console.ui.screens.board import HomeList, Tile, plan
from console.ui.screens.calls import CallsScreen
from console.ui.screens.home import HomeScreen
from console.ui.widgets.chart import ChartView
from console.ui.widgets.concerns import ConcernList
from console.ui.widgets.styled_line import StyledLine
from tests.behaviour.at_home import at_home, home_screen
from tests.behaviour.idle_console import SharedSitter, shared_console
from tests.for_each import for_each
from tests.idle.backend import IdleBackend
from tests.idle.world import NOW_MS, StillWorld
from tests.manual_clock import ManualClock
from tests.snapshots.pictures import LARGE, SMALL, USUAL, Size

LEAST: Size = (60, 16)
WALL: Size = (300, 80)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def eva(busy: StillWorld, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[SharedSitter]:
    async with shared_console(IdleBackend(busy), tmp_path_factory.mktemp("board"), USUAL) as sitter:
        yield sitter


def charts(screen: HomeScreen) -> list[ChartView]:
    return [each for each in screen.query(ChartView) if each.display and each.size.height]


@pytest.mark.asyncio(loop_scope="module")
async def test_charts_are_shown_where_there_is_room_and_a_key_says_where_there_is_none(eva: SharedSitter) -> None:
    for size, many in ((LEAST, 0), (SMALL, 0), (USUAL, 4), (LARGE, 6), (WALL, 6)):
        screen = await at_home(eva, size)
        assert len(charts(screen)) == many, size
        titles = [each.said.splitlines()[0] for each in charts(screen)]
        assert all(title in said for title, said in zip(("Calls a minute", "Waiting  16"), titles, strict=False))
        lists = [screen.query_one("#queues", HomeList), screen.query_one(ConcernList), *charts(screen)]
        area = sum(each.size.area for each in lists)
        assert area > 0.7 * size[0] * (size[1] - 13), f"half of the screen is empty: {size}"
        if size == SMALL:
            await eva.press("i")
            assert "too small" in screen.message_line.said
            await eva.press("i")


@pytest.mark.asyncio(loop_scope="module")
async def test_a_key_shows_a_day_with_its_gap(eva: SharedSitter) -> None:
    screen = await at_home(eva)
    view = screen.query_one("#chart-active", ChartView)
    assert view.said.splitlines()[-1].split() == ["1", "h", "09:42", "now"]
    bottom = view.said.splitlines()[-2][5:]
    assert " " not in bottom
    await eva.press("i")
    assert view.said.startswith("Active calls  58  peak 75"), "the current value, not the highest of its interval"
    assert view.said.splitlines()[-1].split() == ["24", "h", "10:42", "now"]
    assert len(view.said.splitlines()[-2][5:].split()) == 2, "known, unknown, known"
    await eva.press("i")
    assert view.said.splitlines()[-2][5:] == bottom


async def test_charts_mark_own_changes_that_took_effect_and_say_what_the_last_one_was(
    busy: StillWorld, tmp_path: Path
) -> None:
    backend = IdleBackend(replace(busy, clock=ManualClock(NOW_MS - 1_200_000)))
    for words, stage in (("accepted Fire", Stage.DONE), ("ended a call", Stage.REFUSED)):
        step = Step(AcceptAlert(alert_id="a"), "a", clean(words))
        backend.became(Command("alerts.accept", "alerts", (step,), "Accept"), Outcome(step, stage, ""))
    backend.world = busy
    async with home_screen(backend, tmp_path, LARGE) as (_, screen):
        for chart in charts(screen):
            lines = chart.said.splitlines()
            assert "• accepted Fire 10:22" in lines[0] or "change" in lines[-1]
            assert sum(line.count("•") for line in lines[1:]) == 1
            assert "ended" not in chart.said
        assert any("• accepted Fire 10:22" in chart.said for chart in charts(screen))


async def test_in_the_first_minutes_a_terminal_without_room_for_charts_promises_none(
    busy: StillWorld, tmp_path: Path
) -> None:
    clock = ManualClock(NOW_MS)
    async with home_screen(IdleBackend(replace(busy, clock=clock, history=History(clock))), tmp_path, SMALL) as (
        eva,
        screen,
    ):
        await eva.press("i")
        assert screen.message_line.said == "The charts show 1d 00h; this terminal is too small for them."


@pytest.mark.asyncio(loop_scope="module")
async def test_keys_on_a_queue_show_its_calls_and_its_free_agents_and_back_returns_to_it(eva: SharedSitter) -> None:
    screen = await at_home(eva)
    await eva.press("tab", "home", "down", "enter")
    calls = eva.app.screen
    assert isinstance(calls, CallsScreen)
    assert (calls.pane.filter_text, calls.pane.view.matched) == ("waiting:yes queue-name=français", 2)
    await eva.press("escape", "escape")
    assert eva.app.screen is screen
    assert screen.kind_in_focus() == "queues"
    assert screen.cursor_key == "français"
    await eva.press("up", "f")
    agents = eva.app.screen
    assert isinstance(agents, AgentsScreen)
    assert (agents.pane.kind, agents.pane.filter_text) == ("agents", "skills:support")
    assert agents.pane.view.sort == ("turn", False)


@for_each("size", [LEAST, SMALL, USUAL, LARGE, WALL])
@for_each("queues", [0, 1, 9, 500])
@for_each("concerns", [0, 11])
@for_each("crowded", [False, True])
def test_the_parts_fit_at_every_size(size: Size, queues: int, concerns: int, crowded: bool) -> None:
    width, height = size[0], size[1] - (6 if size[1] < 20 else 11)
    found = plan(width, height, queues, concerns, crowded=crowded)
    gap = 1 if found.charts else 0
    beside = width >= 160
    assert found.queues + found.charts + gap <= height - (0 if beside else 4)
    assert not found.charts or found.charts // found.grid[1] >= 7


async def test_the_longest_waits_stay_visible_until_somebody_moves_the_cursor_to_the_queues(
    busy: StillWorld, tmp_path: Path
) -> None:
    backend = IdleBackend(busy)
    async with shared_console(backend, tmp_path, LEAST) as sitter:
        queues = (await at_home(sitter, LEAST)).query_one("#queues", HomeList)
        first, pane = queues.current, queues.pane
        assert isinstance(first, Queue)
        assert pane is not None
        backend.change("queues", first.model_copy(update={"waiting": 0, "longest_at": None}))
        await sitter.settle()
        assert first.key not in pane.view.keys[:4]
        assert pane.visible_records[0].key == pane.view.keys[0]
        await sitter.press("tab", "end")
        await sitter.settle()
        assert pane.visible_records[0].key != pane.view.keys[0], "the cursor is followed where somebody moved it"


@for_each("height", [16, 18, 20, 21])
def test_no_queue_is_hidden_while_what_needs_attention_has_room_to_spare(height: int) -> None:
    assert plan(120, height, 9, 0, crowded=False).queues == 11
    assert plan(120, height, 500, 0, crowded=False).queues == height - 5, "three lines are left for what comes"


def test_charts_have_the_lines_for_which_there_are_no_queues_and_nothing_that_needs_attention() -> None:
    heights = [plan(120, 32, queues, concerns, crowded=False).charts for queues, concerns in ((2, 0), (9, 6), (9, 20))]
    assert heights == [19, 12, 8]


async def test_home_without_queues_says_so_below_their_titles(empty: StillWorld, tmp_path: Path) -> None:
    async with shared_console(IdleBackend(empty), tmp_path) as eva:
        for size in (LEAST, SMALL, USUAL, LARGE):
            await at_home(eva, size)
            assert "There are no queues." in eva.text(), size


@pytest.mark.parametrize("size", [USUAL, LARGE, WALL], ids=str)
async def test_in_the_first_minutes_one_line_says_when_there_are_charts(
    busy: StillWorld, tmp_path: Path, size: Size
) -> None:
    clock = ManualClock(NOW_MS)
    history = History(clock)
    async with home_screen(IdleBackend(replace(busy, clock=clock, history=history)), tmp_path, size) as (
        eva,
        screen,
    ):
        to_come = screen.query_one("#charts-to-come", StyledLine)
        assert not charts(screen)
        assert to_come.said == "Charts  no samples yet"
        assert to_come.region.bottom >= size[1] - 3, "the lists have the lines of the charts"
        await eva.press("i")
        assert screen.message_line.said == "The charts will show 1d 00h; there are none yet."
        await eva.press("i")
        history.add({"active_calls": 58.0, "calls_since_reboot": 100.0})
        clock.advance(30)
        screen.beat(True)
        assert to_come.said == "Charts  from 10:46"
        assert not any("1h" in tile.said for tile in screen.query(Tile)), "one sample is no history"
        clock.advance(151)
        history.add({"active_calls": 59.0, "calls_since_reboot": 130.0})
        screen.beat(True)
        await eva.hold_still()
        assert len(charts(screen)) > 3
        assert not any("a chart from" in view.said for view in charts(screen))
