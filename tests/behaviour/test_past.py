"""Going back in time: screens show a moment of the recording, and nothing can be changed there."""

from __future__ import annotations

import pytest

from console.ui.screens.list_screen import ListScreen
from console.ui.screens.overlays import help_lines
from console.ui.textual_compat.testing import painted
from tests.behaviour.idle_console import SharedSitter
from tests.behaviour.past import go_back, rows, screen_of, top
from tests.live.until import until_async
from tests.snapshots.pictures import SMALL

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_list_shows_the_rows_of_a_moment_six_keys_go_there_and_nothing_can_be_changed(
    recorded_eva: SharedSitter,
):
    await recorded_eva.press("2")
    assert rows(recorded_eva) == set()
    await go_back(recorded_eva, "-50s")
    assert rows(recorded_eva) == {"a"}
    assert "PAST" in top(recorded_eva)
    backend = screen_of(recorded_eva).context.backend
    await recorded_eva.press("r")
    assert "This is the past: nothing can be changed." in screen_of(recorded_eva).message_line.said
    assert backend.commands.tickets() == ()
    await recorded_eva.press("T")
    assert rows(recorded_eva) == set()
    assert "PAST" not in top(recorded_eva)


async def test_escape_returns_to_now_after_it_has_cleared_the_filter(recorded_eva: SharedSitter):
    await recorded_eva.press("2", "slash", "x", "enter")
    await go_back(recorded_eva, "-1s")
    assert screen_of(recorded_eva).filter_text == "x"
    await recorded_eva.press("escape")
    assert rows(recorded_eva) == {"a", "b"}
    assert "PAST" in top(recorded_eva)
    await recorded_eva.press("escape")
    assert "PAST" not in top(recorded_eva)


async def test_steps_and_events_move_and_the_ends_say_so(recorded_eva: SharedSitter):
    await recorded_eva.press("2")
    await go_back(recorded_eva, "-35s")
    assert rows(recorded_eva) == {"a"}
    await recorded_eva.press("full_stop")
    assert rows(recorded_eva) == {"a", "b"}
    await recorded_eva.press("comma")
    assert rows(recorded_eva) == {"a"}
    await recorded_eva.press("right_curly_bracket")
    assert rows(recorded_eva) == {"a", "b"}
    assert "alert: Line down" in screen_of(recorded_eva).message_line.said
    await recorded_eva.press("right_curly_bracket")
    assert "Nothing mattered after this." in screen_of(recorded_eva).message_line.said
    for _ in range(10):
        await recorded_eva.press("comma")
    assert "The recording begins at" in screen_of(recorded_eva).message_line.said


async def test_going_back_to_before_the_recording_says_where_it_begins(recorded_eva: SharedSitter) -> None:
    await recorded_eva.press("T")
    assert "5:00 ago" in recorded_eva.text(), "enter alone goes back five minutes"
    await recorded_eva.type("-3h")
    assert "3h 00m ago" in recorded_eva.text()
    await recorded_eva.press("enter")
    assert "The recording begins at" in screen_of(recorded_eva).message_line.said


async def test_the_footer_of_80_columns_names_all_keys_that_go_through_time(recorded_eva: SharedSitter):
    await recorded_eva.restart(SMALL)
    await recorded_eva.press("2")
    await go_back(recorded_eva, "-50s")
    for key in ("1", "2", "6"):
        await recorded_eva.press(key)
        footer = painted(recorded_eva.app.screen)[-1].text
        for words in (", -10 s", ". +10 s", "{ prev", "} next", "m mark", "= changed", "T now"):
            assert words in footer, footer


async def test_time_passes_while_it_is_played_and_stops_at_the_end(recorded_eva: SharedSitter):
    await recorded_eva.press("2")
    await go_back(recorded_eva, "-31s")
    await recorded_eva.press("space", "space", "space")
    past = screen_of(recorded_eva).context.past
    assert past is not None
    assert "60x" in top(recorded_eva)
    await until_async(lambda: rows(recorded_eva) == {"a", "b"} and past.clock.speed == 0)
    assert past.clock.now_ms() == past.span[1]


async def test_space_plays_in_the_past_where_insert_selects(recorded_eva: SharedSitter):
    await recorded_eva.press("2")
    await go_back(recorded_eva, "-1s")
    keys = {each.identifier: each.key for each in screen_of(recorded_eva).footer_keys()}
    assert (keys["view.play"], keys.get("view.mark", "insert")) == ("space", "insert")
    screen = screen_of(recorded_eva)
    assert isinstance(screen, ListScreen)
    await recorded_eva.press("insert")
    assert len(screen.pane.view.selection) == 1
    await recorded_eva.press("T")
    keys = {each.identifier: each.key for each in screen_of(recorded_eva).footer_keys()}
    assert keys["view.mark"] == "space"


async def test_the_bar_at_the_foot_shows_the_recorded_time_and_goes_to_a_click(recorded_eva: SharedSitter):
    await recorded_eva.press("2")
    await go_back(recorded_eva, "-1s")
    bar = screen_of(recorded_eva).time_bar
    assert bar is not None
    assert "·" in bar.said
    assert "▁" in bar.said, "an episode went on in the last third"
    assert "1 open" in bar.said.splitlines()[1]
    await recorded_eva.click("TimeBar", 10)
    assert rows(recorded_eva) == {"a"}


async def test_an_episode_of_the_past_is_not_muted_and_the_footer_has_the_way_back(recorded_eva: SharedSitter):
    await go_back(recorded_eva, "-1s")
    home = screen_of(recorded_eva)
    shown = {each.identifier: each for each in home.footer_keys()}
    assert shown["home.snooze"].why_not == "This is the past: nothing can be changed."
    assert (shown["view.past"].words, shown["view.past"].why_not) == ("now", "")
    for key in ("K", "Z", "I"):
        home.message_line.say([])
        await recorded_eva.press(key)
        assert screen_of(recorded_eva) is home
        assert "This is the past: nothing can be changed." in home.message_line.said


async def test_the_mark_is_set_shown_and_removed_with_the_same_key(recorded_eva: SharedSitter):
    await recorded_eva.press("2")
    await go_back(recorded_eva, "-50s")
    bar = screen_of(recorded_eva).time_bar
    assert bar is not None
    assert "▼" not in bar.said
    await recorded_eva.press("m")
    assert "is marked" in screen_of(recorded_eva).message_line.said
    await recorded_eva.press("full_stop", "full_stop")
    assert bar.said.count("▼") == 2, "in the bar, and at its end with the time"
    await recorded_eva.press("comma", "comma", "m")
    assert "Mark removed." in screen_of(recorded_eva).message_line.said
    assert "▼" not in bar.said


async def test_in_the_past_m_marks_and_now_it_sets_the_status(recorded_eva: SharedSitter):
    await recorded_eva.press("2")
    keys = {each.identifier: each.key for each in screen_of(recorded_eva).footer_keys()}
    assert "view.set-mark" not in keys
    await go_back(recorded_eva, "-50s")
    keys = {each.identifier: each.key for each in screen_of(recorded_eva).footer_keys()}
    assert (keys["view.set-mark"], keys["view.compare"]) == ("m", "=")
    assert "me.set" not in keys
    told = "\n".join("".join(cell.text for cell in line) for line in help_lines(screen_of(recorded_eva)))
    assert "Mark this moment" in told
    assert "none" not in {word for line in told.splitlines() for word in line.split()[:1]}, "a key that does nothing"
    assert not {action.title for action in screen_of(recorded_eva).actions_here()} & {
        part.strip() for line in told.splitlines() for part in line.split("  ")
    }
    assert "Bar: height is how much needed attention" in told
