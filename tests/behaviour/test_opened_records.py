"""What works on a list works on its opened record; every other key of the list says where it works."""

from __future__ import annotations

import re

import pytest
from textual.widgets import Input

from console.records.people import User
from console.records.support import Alert
from console.ui.dialogs.fields import FieldsDialog
from console.ui.screens import detail
from console.ui.screens.console_screen import ConsoleScreen
from console.ui.screens.detail import DetailScreen
from console.ui.screens.list_screen import ListScreen
from console.ui.widgets.detail_pane import DetailPane
from tests.behaviour.idle_console import SharedSitter
from tests.behaviour.test_dead_keys import body, keys_here

pytestmark = pytest.mark.asyncio(loop_scope="module")

SCROLLS = {"view.pane", "view.pane-back", "view.section", "view.section-back"}
"""Keys that go to another section of the record, if it has more than fits on the screen."""


async def open_record(who: SharedSitter, kind: str) -> DetailScreen:
    """Open a record of a list over the whole screen."""
    (await who.look_at(kind)).open_detail()
    await who.settle()
    record = who.app.screen
    assert isinstance(record, DetailScreen)
    return record


async def answers(who: SharedSitter, kind: str, key: str) -> bool:
    """Press a key on an opened record; return whether the screen shows an effect or a reason."""
    record = who.app.screen
    if not isinstance(record, DetailScreen):
        record = await open_record(who, kind)
    record.message_line.say([])
    await who.settle()
    before = body(who)
    await who.press(key)
    try:
        await who.until(lambda: who.app.screen is not record or body(who) != before, seconds=1)
    except AssertionError:
        return False
    return True


async def test_every_key_of_a_list_answers_on_its_opened_record(still: SharedSitter) -> None:
    pressed: set[str] = set()
    for kind in ("calls", "alerts"):
        keys = keys_here(await still.look_at(kind))  # which leaves the record opened before
        keys = {each: key for each, key in keys.items() if each not in SCROLLS | pressed}
        pressed |= keys.keys()
        silent = [f"{each} ({key})" for each, key in keys.items() if not await answers(still, kind, key)]
        assert not silent, kind


async def test_a_key_that_concerns_the_rows_says_that_it_works_in_the_list(still: SharedSitter) -> None:
    await open_record(still, "calls")
    await still.press("z")
    assert "z reverse the order works in the list: press esc to go there." in still.text()


async def test_a_key_acts_on_the_opened_record_and_not_on_the_selected_ones(still: SharedSitter) -> None:
    screen = await still.look_at("users")
    await still.press("home", "down", "space", "space", "home")
    opened = screen.cursor_key
    assert len(screen.pane.view.selection - {opened}) == 2
    await still.press("enter")
    assert isinstance(still.app.screen, DetailScreen)
    await still.press("e")
    form = still.app.screen
    assert isinstance(form, FieldsDialog)
    user = still.backend.records("users")[opened]
    assert isinstance(user, User)
    assert any(str(each.value) == user.username for each in form.query(Input)), still.text()


async def test_the_raw_record_is_one_line_at_the_end_until_a_key_opens_it_for_all_records(still: SharedSitter) -> None:
    (await still.look_at("calls")).context.opened_sections.clear()
    record = await open_record(still, "calls")
    pane = record.query_one(DetailPane)
    assert pane.words.splitlines()[-1] == "Raw JSON  ►"
    await still.press("enter")
    assert pane.words.splitlines()[-1] == "}"
    assert '"id"' in still.text()
    await still.press("escape")
    record = await open_record(still, "alerts")
    assert record.query_one(DetailPane).words.splitlines()[-1] == "}"
    await still.press("enter")
    assert record.query_one(DetailPane).words.splitlines()[-1].startswith("Raw JSON")


async def test_an_opened_record_is_titled_with_its_name_and_shows_its_id_below(still: SharedSitter) -> None:
    key = (await still.look_at("alerts")).cursor_key
    record = await open_record(still, "alerts")
    alert = still.backend.records("alerts")[key]
    assert isinstance(alert, Alert)
    assert still.text().splitlines()[1].strip() == f"alert {alert.title}"
    assert f"Id           {key}" in record.query_one(DetailPane).words


async def test_the_longest_wait_leaves_the_record_and_escape_returns_to_its_list(still: SharedSitter) -> None:
    await open_record(still, "alerts")
    for key, name in (("w", "calls"), ("escape", "alerts")):
        await still.press(key)
        screen = still.app.screen
        assert isinstance(screen, ConsoleScreen)
        assert screen.spec.name == name


async def test_help_of_an_opened_record_lists_the_keys_of_its_list(still: SharedSitter) -> None:
    await open_record(still, "calls")
    await still.press("question_mark")
    pages = still.text()
    for _ in range(3):
        await still.press("pagedown")
        pages += still.text()
    for words in ("Go to the longest waiting call.", "Go to a screen or a list by name."):
        assert words in pages


async def test_the_footer_offers_the_next_part_only_where_not_all_are_visible(still: SharedSitter) -> None:
    for kind, fits in (("presence", True), ("conferences", False)):
        record = await open_record(still, kind)
        pane = record.query_one(DetailPane)
        assert (pane.rows <= pane.size.height) is fits, kind
        await still.until(lambda record=record: "copy id" in record.foot.said)
        for title in ("next part", "↑↓ scroll"):
            assert (title in record.foot.said) is not fits, kind
        await still.press("escape")


async def test_a_group_opens_like_every_record_and_tab_goes_to_its_members(still: SharedSitter) -> None:
    await still.look_at("groups")
    await still.press("enter")
    record = still.app.screen
    assert isinstance(record, DetailScreen)
    assert [section.id for section in record.sections()][:2] == ["members", "summary"]
    await still.press("escape", "tab")
    groups = still.app.screen
    assert isinstance(groups, ListScreen)
    assert groups.pane.kind == "members"


async def test_related_records_are_beside_the_list_where_the_detail_is_high(still: SharedSitter) -> None:
    await still.restart((160, 30))
    screen = await still.look_at("agents")
    await still.press("home")
    await still.settle()
    assert "Could take over" not in screen.detail.words
    await still.restart((160, 48))
    await still.look_at("agents")
    assert "Could take over" not in screen.detail.words, "the cursor may only pass the record"
    still.backend.world.clock.advance(1)
    await still.until(lambda: "Could take over" in screen.detail.words, missing="the colleagues beside the list")
    assert "more agents are not shown" in screen.detail.words
    await open_record(still, "agents")
    opened = still.app.screen.query_one(DetailPane).words
    assert "Could take over" in opened
    assert "more agents are not shown" not in opened


async def test_a_high_detail_lists_all_related_records_that_it_has_lines_for(still: SharedSitter) -> None:
    await still.restart((300, 80))
    screen = await still.look_at("agents")
    await still.press("home")
    still.backend.world.clock.advance(1)
    await still.until(lambda: "Could take over" in screen.detail.words, missing="the colleagues beside the list")
    assert "not shown" not in screen.detail.words


async def test_on_the_widest_screen_the_detail_gets_the_cells_that_a_list_leaves_empty(still: SharedSitter) -> None:
    await still.restart((300, 80))
    for kind in ("agents", "skills", "calls"):
        screen = await still.look_at(kind)
        table, layout = screen.pane.live_table, screen.pane.live_table.visible_layout
        assert table.size.width <= layout.width + 1, f"{kind}: empty cells beside the last column"
        assert screen.detail.size.width >= 300 - table.size.width - 3
    await still.restart((160, 48))
    screen = await still.look_at("skills")
    assert screen.detail.size.width < 70, "narrower, the list has the larger part"


async def test_beside_very_many_calls_related_records_are_in_opened_records_only(
    still: SharedSitter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An index of the people of ten thousand calls takes twice the memory of the calls."""
    monkeypatch.setattr(detail, "_MOST_CALLS", 10)
    await still.restart((160, 48))
    screen = await still.look_at("agents")
    await still.press("home")
    still.backend.world.clock.advance(1)
    await still.settle()
    assert "Could take over" not in screen.detail.words
    await open_record(still, "agents")
    assert "Could take over" in still.app.screen.query_one(DetailPane).words
    await still.press("escape")
    monkeypatch.undo()
    still.backend.world.clock.advance(1)
    await still.until(lambda: "Could take over" in screen.detail.words, missing="the colleagues beside the list")


def without_times(words: str) -> list[str]:
    """Return the lines without what a passing second changes."""
    return [" ".join(re.sub(r"[\d:≥–]+", "", line).split()) for line in words.splitlines()]


async def test_related_records_that_fit_are_beside_the_list_and_no_line_above_them_moves(still: SharedSitter) -> None:
    await still.restart((120, 40))
    screen = await still.look_at("agents")
    screen.context.opened_sections.clear()
    await still.press("end", "home")
    before = without_times(screen.detail.words)
    assert len(before) < screen.detail.size.height - 10, "a third of the detail is empty"
    still.backend.world.clock.advance(1)
    await still.until(lambda: "Could take over" in screen.detail.words, missing="the colleagues beside the list")
    after = without_times(screen.detail.words)
    assert after[: len(before) - 1] == before[:-1]
    assert after[-1] == before[-1], "the raw record is the last"
    assert not screen.detail.scrolls
    await still.press("down")
    assert "Could take over" not in screen.detail.words, "the cursor may only pass the record"


async def test_on_a_very_wide_terminal_the_detail_beside_a_list_has_two_columns(still: SharedSitter) -> None:
    await still.restart((300, 80))
    screen = await still.look_at("agents")
    await still.press("home")
    assert screen.detail.size.width > 110
    shown = [line.text.rstrip() for line in screen.detail.render_lines(screen.detail.size.region)]
    assert shown[0].split() == ["Agent", "Chats", "3"]
    assert "Raw JSON  ►" in screen.detail.words, "it stays closed while the cursor moves from record to record"
