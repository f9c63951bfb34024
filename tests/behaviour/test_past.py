"""Going back in time: screens show a moment of the recording, and nothing can be changed there."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from console.screens.console_screen import ConsoleScreen
from console.screens.list_screen import ListScreen
from console.screens.overlays import help_lines
from tests.behaviour.past import go_back, record, rows, screen_of, seat, top
from tests.idle.world import StillWorld, still_world
from tests.live.until import until_async


@pytest.fixture(scope="module")
def empty() -> Generator[StillWorld]:
    found = still_world("empty")
    yield found
    found.platform.close()


async def test_a_list_shows_the_rows_of_a_moment_and_six_keys_go_there(empty: StillWorld, tmp_path: Path):
    record(tmp_path)
    async with seat(empty, tmp_path, "2") as eva:
        assert rows(eva) == set()
        await go_back(eva, "-50s")
        assert rows(eva) == {"a"}
        assert "PAST" in top(eva)
        await eva.press("T")
        assert rows(eva) == set()
        assert "PAST" not in top(eva)


async def test_escape_returns_to_now_after_it_has_cleared_the_filter(empty: StillWorld, tmp_path: Path):
    record(tmp_path)
    async with seat(empty, tmp_path, "2", "slash", "x", "enter") as eva:
        await go_back(eva, "-1s")
        assert screen_of(eva).filter_text == "x"
        await eva.press("escape")
        assert rows(eva) == {"a", "b"}
        assert "PAST" in top(eva)
        await eva.press("escape")
        assert "PAST" not in top(eva)


async def test_steps_and_events_move_and_the_ends_say_so(empty: StillWorld, tmp_path: Path):
    record(tmp_path)
    async with seat(empty, tmp_path, "2") as eva:
        await go_back(eva, "-35s")
        assert rows(eva) == {"a"}
        await eva.press("full_stop")
        assert rows(eva) == {"a", "b"}
        await eva.press("comma")
        assert rows(eva) == {"a"}
        await eva.press("right_curly_bracket")
        assert rows(eva) == {"a", "b"}
        assert "alert: Line down" in screen_of(eva).toasts.said
        await eva.press("right_curly_bracket")
        assert "Nothing mattered after this." in screen_of(eva).toasts.said
        for _ in range(10):
            await eva.press("comma")
        assert "The recording begins at" in screen_of(eva).toasts.said


async def test_time_passes_while_it_is_played_and_stops_at_the_end(empty: StillWorld, tmp_path: Path):
    record(tmp_path)
    async with seat(empty, tmp_path, "2") as eva:
        await go_back(eva, "-31s")
        await eva.press("space", "space", "space")
        past = screen_of(eva).context.past
        assert past is not None
        assert "60x" in top(eva)
        await until_async(lambda: rows(eva) == {"a", "b"} and past.clock.speed == 0)
        assert past.clock.now_ms() == past.span[1]


async def test_space_plays_in_the_past_where_insert_selects(empty: StillWorld, tmp_path: Path):
    record(tmp_path)
    async with seat(empty, tmp_path, "2") as eva:
        await go_back(eva, "-1s")
        keys = {each.identifier: each.key for each in screen_of(eva).footer_keys()}
        assert (keys["view.play"], keys.get("view.mark", "insert")) == ("space", "insert")
        screen = screen_of(eva)
        assert isinstance(screen, ListScreen)
        await eva.press("insert")
        assert len(screen.pane.live_table.selection) == 1
        await eva.press("T")
        keys = {each.identifier: each.key for each in screen_of(eva).footer_keys()}
        assert keys["view.mark"] == "space"


async def test_an_action_is_refused_with_the_reason_and_nothing_is_sent(empty: StillWorld, tmp_path: Path):
    record(tmp_path)
    async with seat(empty, tmp_path, "2") as eva:
        backend = screen_of(eva).context.backend
        await go_back(eva, "-50s")
        await eva.press("r")
        assert "This is the past: nothing can be changed." in screen_of(eva).toasts.said
        assert backend.tickets() == ()


async def test_the_bar_at_the_foot_shows_the_recorded_time_and_goes_to_a_click(empty: StillWorld, tmp_path: Path):
    record(tmp_path)
    async with seat(empty, tmp_path, "2") as eva:
        await go_back(eva, "-1s")
        bar = screen_of(eva).time_bar
        assert bar is not None
        assert "─" in bar.said
        assert "░" in bar.said, "an episode went on in the last third"
        await eva.click("TimeBar", 10)
        assert rows(eva) == {"a"}


async def test_without_a_recording_the_reason_is_said(empty: StillWorld, tmp_path: Path):
    async with seat(empty, tmp_path) as eva:
        await go_back(eva, "-5m")
        assert "There is no past to show: there is no recording" in screen_of(eva).toasts.said


@pytest.mark.parametrize("text", ["tomorrow", "99:99", "-", "x"])
async def test_what_is_no_past_moment_is_named_while_it_is_typed(empty: StillWorld, tmp_path: Path, text: str):
    async with seat(empty, tmp_path) as eva:
        await eva.press(
            "T", *(("minus" if each == "-" else each) if each != ":" else "colon" for each in text), "enter"
        )
        assert not isinstance(eva.app.screen, ConsoleScreen), "the dialog stays open"


@pytest.mark.parametrize("key", ["K", "Z", "I"])
async def test_an_episode_of_the_past_is_not_muted_and_the_footer_has_the_way_back(
    empty: StillWorld, tmp_path: Path, key: str
):
    record(tmp_path)
    async with seat(empty, tmp_path) as eva:
        await go_back(eva, "-1s")
        home = screen_of(eva)
        shown = {each.identifier: each for each in home.footer_keys()}
        assert shown["home.snooze"].why_not == "This is the past: nothing can be changed."
        assert (shown["view.past"].words, shown["view.past"].why_not) == ("now", "")
        await eva.press(key)
        assert screen_of(eva) is home
        assert "This is the past: nothing can be changed." in home.toasts.said


async def test_the_mark_is_set_shown_and_removed_with_the_same_key(empty: StillWorld, tmp_path: Path):
    record(tmp_path)
    async with seat(empty, tmp_path, "2") as eva:
        await go_back(eva, "-50s")
        bar = screen_of(eva).time_bar
        assert bar is not None
        assert "▼" not in bar.said
        await eva.press("m")
        assert "is marked" in screen_of(eva).toasts.said
        await eva.press("full_stop", "full_stop")
        assert bar.said.count("▼") == 2, "in the bar, and at its end with the time"
        await eva.press("comma", "comma", "m")
        assert "Mark removed." in screen_of(eva).toasts.said
        assert "▼" not in bar.said


async def test_in_the_past_m_marks_and_now_it_sets_the_status(empty: StillWorld, tmp_path: Path):
    record(tmp_path)
    async with seat(empty, tmp_path, "2") as eva:
        keys = {each.identifier: each.key for each in screen_of(eva).footer_keys()}
        assert "view.set-mark" not in keys
        await go_back(eva, "-50s")
        keys = {each.identifier: each.key for each in screen_of(eva).footer_keys()}
        assert (keys["view.set-mark"], keys["view.compare"]) == ("m", "=")
        assert "me.set" not in keys
        told = "\n".join("".join(cell.text for cell in line) for line in help_lines(screen_of(eva)))
        assert "Mark this moment" in told
