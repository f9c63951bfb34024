from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
from textual.geometry import Offset

from console.base.text import cells, clean
from console.records.traffic import Call
from console.ui.textual_compat import testing
from console.ui.widgets.live_table import LiveTable
from console.ui.widgets.theme import ScreenPart
from console.ui.widgets.tones import styled
from console.views.cell import Tone
from console.views.filter import parse
from console.views.view import View

from .sample_calls import NOW, THEMES, Calls, Harness, call, calls, calls_view

pytestmark = pytest.mark.usefixtures("every_frame")


class Backend(Harness):
    """A table, and its messages."""

    def __init__(self, view: View[Call], theme: str = "dark") -> None:
        self.table = LiveTable(view)
        super().__init__(self.table, theme=theme)

    def on_live_table_record_opened(self, message: LiveTable.RecordOpened) -> None:
        self.said.append(("opened", message.key))

    def on_live_table_sort_requested(self, message: LiveTable.SortRequested) -> None:
        self.said.append(("sort", message.column))

    def on_live_table_selection_changed(self, _message: LiveTable.SelectionChanged) -> None:
        self.said.append(("marks", self.table.view.selection))

    def on_live_table_cursor_moved(self, message: LiveTable.CursorMoved) -> None:
        self.said.append(("cursor", message.key))


def painted(table: LiveTable) -> list[str]:
    """Return the lines on the screen."""
    return [table.render_line(y).text.rstrip() for y in range(table.size.height)]


def on_screen(app: Backend, y: int) -> str:
    """Return a line as last composed, without painting."""
    return testing.painted(app.screen)[y].text.rstrip()


def line_of(table: LiveTable, key: str) -> int | None:
    """Return the line of a record on the screen."""
    index = table.view.index(key)
    line = -1 if index is None else index - table.scroll_offset.y + 1
    return line if 1 <= line < table.size.height else None


async def test_the_cursor_stays_on_its_record_while_hundreds_are_added_and_removed() -> None:
    chance = random.Random(7)
    view = calls_view(300)
    app = Backend(view)
    async with app.run_test(size=(80, 24)) as pilot:
        table = app.table
        table.focus()
        await pilot.press("pagedown", "pagedown", "down")
        key = table.view.cursor_key
        assert key is not None
        line = line_of(table, key)
        known = set(range(300))
        for beat in range(40):
            gone = {each for each in chance.sample(sorted(known), 25) if call(each).key != key}
            known -= gone
            fresh = set(range(300 + beat * 30, 330 + beat * 30))
            known |= fresh
            difference = Calls(calls(fresh).upserts, frozenset(call(each).key for each in gone))
            table.refresh_changes(view.apply(difference))
            await pilot.pause()
            assert table.view.cursor_key == key
            now = line_of(table, key)
            assert now is not None
            if table.scroll_offset.y > 0 and table.scroll_offset.y < table.max_scroll_y:
                assert now == line
        assert ("cursor", key) == app.said[-1]


async def test_the_cursor_stays_visible_on_a_new_record_that_was_pushed_down_between_two_frames() -> None:
    view = calls_view(0)
    view.apply(calls(range(100, 106)))
    app = Backend(view)
    async with app.run_test(size=(80, 24)) as pilot:
        table = app.table
        await pilot.pause()
        table.refresh_changes(view.apply(calls(range(90, 100))))
        last = view.keys[-1]
        table.move_to(last)
        table.refresh_changes(view.apply(calls(range(106, 300))))
        assert table.view.cursor_key == last
        assert line_of(table, last) is not None


async def test_the_next_row_is_visible_when_the_record_is_removed_while_hundreds_are_added() -> None:
    view = calls_view(18)
    app = Backend(view)
    async with app.run_test(size=(80, 24)) as pilot:
        table = app.table
        last = view.keys[-1]
        table.move_to(last)
        await pilot.pause()
        table.refresh_changes(view.apply(Calls(calls(range(18, 300)).upserts, frozenset([last]))))
        assert table.view.cursor_key is not None
        assert line_of(table, table.view.cursor_key) is not None


async def test_the_cursor_moves_to_the_next_row_when_its_record_is_removed() -> None:
    view = calls_view(12)
    app = Backend(view)
    async with app.run_test(size=(80, 24)) as pilot:
        table = app.table
        table.focus()
        await pilot.press("down", "down")
        keys = list(view.keys)
        assert table.view.cursor_key == keys[2]
        table.refresh_changes(view.apply(Calls({}, frozenset([keys[2]]))))
        await pilot.pause()
        assert table.view.cursor_key == keys[3]
        table.refresh_changes(view.apply(Calls({}, frozenset(keys))))
        await pilot.pause()
        assert table.view.cursor_key is None
        assert app.said[-1] == ("cursor", None)


async def test_the_painted_rows_equal_those_of_the_view_after_any_changes() -> None:
    chance = random.Random(3)
    view = calls_view(80)
    app = Backend(view)
    async with app.run_test(size=(100, 20)) as pilot:
        table = app.table
        table.focus()
        for _ in range(30):
            numbers = chance.sample(range(160), 10)
            ups = {each.key: each for n in numbers[:6] for each in [call(n, caller=f"+{chance.randrange(10**9)}")]}
            table.refresh_changes(view.apply(Calls(ups, frozenset(call(n).key for n in numbers[6:]))))
            await pilot.press(chance.choice(["up", "down", "pageup", "pagedown", "home", "end", "space"]))
            await pilot.pause()
            for at, words in enumerate(painted(table)):
                assert on_screen(app, at).startswith(words), (at, on_screen(app, at), words)


async def test_the_selection_belongs_to_records_and_loses_removed_ones() -> None:
    view = calls_view(20)
    app = Backend(view)
    async with app.run_test() as pilot:
        table = app.table
        table.focus()
        keys = list(view.keys)
        await pilot.press("space", "space")
        assert table.view.selection == {keys[0], keys[1]}
        assert table.view.cursor_key == keys[2]
        view.set_sort("caller")
        table.refresh_changes(view.refresh())
        assert table.view.selection == {keys[0], keys[1]}
        table.refresh_changes(view.apply(Calls({}, frozenset([keys[0]]))))
        await pilot.pause()
        assert table.view.selection == {keys[1]}
        assert app.said[-1] == ("marks", frozenset([keys[1]]))
        await pilot.press("asterisk")
        assert table.view.selection == frozenset(view.keys)
        await pilot.press("asterisk")
        assert not table.view.selection


async def test_enter_opens_and_the_mouse_moves_sorts_opens_and_selects() -> None:
    view = calls_view(50)
    app = Backend(view)
    async with app.run_test(size=(80, 24)) as pilot:
        table = app.table
        table.focus()
        await pilot.press("down", "enter")
        assert app.said[-1] == ("opened", view.keys[1])
        await pilot.click(table, offset=Offset(10, 6))
        assert table.view.cursor_key == view.keys[5]
        await pilot.click(table, offset=Offset(10, 8), times=2)
        assert app.said[-1] == ("opened", view.keys[7])
        await pilot.click(table, offset=Offset(10, 9), control=True)
        assert table.view.selection == {view.keys[8]}
        await pilot.click(table, offset=Offset(24, 0))
        assert app.said[-1] == ("sort", "caller")


async def test_a_list_shows_ages_the_state_of_commands_its_order_and_why_it_is_empty() -> None:
    view = calls_view(5)
    app = Backend(view)
    async with app.run_test(size=(80, 10)) as pilot:
        table = app.table
        first = painted(table)[1]
        table.refresh_changes(view.tick(NOW + 400))
        assert painted(table)[1] == first
        table.refresh_changes(view.tick(NOW + 61_000))
        await pilot.pause()
        assert painted(table)[1] != first
        table.set_states({view.keys[2]: ("×", Tone.BAD, clean("refused: not the sender"))})
        await pilot.pause()
        assert "×" in painted(table)[3]
        assert painted(table)[3].endswith("refused: not the sender")
        table.set_states({})
        await pilot.pause()
        assert "refused" not in painted(table)[3]
        table.refresh_changes(view.set_sort("caller", descending=True))
        await pilot.pause()
        assert "Caller ↓" in on_screen(app, 0)
        assert "Age ↑" not in on_screen(app, 0)
        table.empty = styled("Nothing matches. Press esc.")
        table.refresh_changes(view.set_filter(parse("nobody", view.table)))
        await pilot.pause()
        assert "Nothing matches. Press esc." in "\n".join(painted(table))
        table.refresh_changes(view.set_filter(None))
        await pilot.pause()
        assert "Nothing matches" not in "\n".join(painted(table))
        assert table.view.cursor_key == view.keys[0]


@pytest.mark.parametrize("width", [20, 40, 60, 80, 120, 200])
async def test_every_line_is_exactly_as_wide_as_the_screen(width: int) -> None:
    view = calls_view(4)
    hostile = call(9, caller="界" * 40, callee="\x1b[2J\u202e" + "e\u0301\u0301\u0301" * 90, state="[/]")
    view.apply(Calls({hostile.key: hostile}))
    app = Backend(view)
    async with app.run_test(size=(width, 12)) as pilot:
        table = app.table
        table.set_states({hostile.key: ("×", Tone.BAD, clean("refused: " + "界" * 200))})
        for key in ["down"] * 5 + ["right"] * 4:
            await pilot.press(key)
            for y in range(12):
                strip = table.render_line(y)
                assert strip.cell_length == sum(cells(segment.text) for segment in strip)
                assert strip.cell_length == table.scrollable_content_region.width


async def test_narrow_screens_keep_important_columns_and_moving_right_shows_the_others() -> None:
    view = calls_view(5)
    app = Backend(view)
    async with app.run_test(size=(60, 10)) as pilot:
        table = app.table
        table.focus()
        before = painted(table)[0]
        assert "State" in before
        assert "Age" in before
        assert "Attempts" not in before
        for _ in range(12):
            await pilot.press("right")
        assert "Attempts" in painted(table)[0]
        for _ in range(16):
            await pilot.press("left")
        assert painted(table)[0] == before


async def test_a_changed_cell_flashes_once_and_never_in_mono() -> None:
    for theme in ("dark", "mono"):
        view = calls_view(5)
        app = Backend(view, theme)
        async with app.run_test(size=(80, 10)) as pilot:
            table = app.table
            await pilot.press("end")
            key = view.keys[1]
            number = int(key[2:])

            def lit(table: LiveTable = table) -> list[str]:
                flash = THEMES.get("dark").parts[ScreenPart.FLASH].rich.bgcolor
                strip = table.render_line(2)
                return [each.text.strip() for each in strip if each.style and each.style.bgcolor == flash]

            def change(caller: str, at: int, view: Any = view, number: int = number, table: Any = table) -> None:
                view.tick(NOW + at)
                changed = call(number, caller=caller)
                table.refresh_changes(view.apply(Calls({changed.key: changed})))

            change("+111", 0)
            await pilot.pause()
            assert lit() == (["+111"] if theme == "dark" else [])
            table.refresh_changes(view.tick(NOW + 700))
            assert lit() == []
            change("+222", 900)
            assert lit() == []
            change("+333", 4000)
            assert lit() == (["+333"] if theme == "dark" else [])


@pytest.mark.parametrize("rows", [6, 50])
async def test_a_list_of_which_all_changed_does_not_flash(rows: int) -> None:
    view = calls_view(rows)
    async with Backend(view).run_test(size=(80, 31)) as pilot:
        table = pilot.app.query_one(LiveTable)
        flash = THEMES.get("dark").parts[ScreenPart.FLASH].rich.bgcolor

        def change(caller: str, keys: Sequence[str], at: int) -> None:
            view.tick(NOW + at)
            table.refresh_changes(view.apply(Calls({key: call(int(key[2:]), caller=caller) for key in keys})))

        def lit() -> int:
            lines = (table.render_line(y) for y in range(1, 31))
            return sum(any(each.style and each.style.bgcolor == flash for each in line) for line in lines)

        await pilot.pause()
        some = view.keys[: min(rows, 30) * 2 // 3]
        change("+111", some, 0)
        assert lit() == len(some) - 1  # The cursor's has another background.
        change("+222", view.keys, 4000)
        assert lit() == 0
        assert all("+222" in line for line in painted(table)[1:31][:rows])


async def test_the_table_works_in_any_size() -> None:
    view = calls_view(50)
    app = Backend(view)
    async with app.run_test(size=(80, 24)) as pilot:
        app.table.focus()
        for width, height in [(1, 1), (2, 2), (400, 200), (5, 3), (120, 1), (80, 24)]:
            await pilot.resize_terminal(width, height)
            await pilot.press("down", "pagedown")
            app.table.refresh_changes(view.apply(calls([width])))
        assert app.table.view.cursor_key in view.keys
