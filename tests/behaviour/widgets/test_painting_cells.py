"""Only the cells that differ are sent to the terminal, not their rows."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

import pytest
from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip

from console.base.text import clean
from console.kinds.calls.columns import TABLE as CALLS
from console.records.people import User
from console.records.traffic import Call
from console.ui.widgets.cursor_view import HEADER
from console.ui.widgets.live_table import LiveTable
from console.ui.widgets.table_layout import GUTTER
from console.views.cell import Tone
from console.views.render_context import RenderContext
from console.views.view import View
from tests.behaviour.widgets.sample_calls import NOW, Calls, call, calls, calls_view
from tests.behaviour.widgets.test_live_table import Backend, line_of, painted

pytestmark = pytest.mark.usefixtures("every_frame")


@pytest.fixture
def regions(monkeypatch: pytest.MonkeyPatch) -> list[Region]:
    """The regions that a table repaints."""
    found: list[Region] = []
    refresh = LiveTable.refresh

    def noted(self: LiveTable, *wanted: Region, **how: Any) -> LiveTable:
        found.extend(wanted or [Region(0, 0, *self.size)])
        refresh(self, *wanted, **how)
        return self

    monkeypatch.setattr(LiveTable, "refresh", noted)
    return found


async def test_a_tick_paints_only_cells_with_clocks(regions: list[Region]) -> None:
    view = calls_view(50)
    app = Backend(view)
    async with app.run_test(size=(100, 20)) as pilot:
        await pilot.pause()
        before = painted(app.table)
        regions.clear()
        app.table.refresh_changes(view.tick(NOW + 1000))
        ticking = [each for each in app.table.visible_layout.placed if each.column.ticks]
        assert {region.width for region in regions} == {each.width for each in ticking}
        assert 0 < len(regions) < len(ticking) * app.table.size.height
        await pilot.pause()
        assert painted(app.table) != before


async def test_a_changed_cell_is_painted_alone(regions: list[Region]) -> None:
    view = calls_view(50)
    app = Backend(view)
    async with app.run_test(size=(100, 20)) as pilot:
        await pilot.pause()
        key = view.keys[3]
        number = next(n for n in range(50) if call(n).key == key)
        regions.clear()
        changed = call(number).model_copy(update={"callee": "sip:somebody-else"})
        app.table.refresh_changes(view.apply(Calls({key: changed})))
        line = line_of(app.table, key)
        column = next(each for each in app.table.visible_layout.placed if each.column.id == "destination")
        assert [(region.y, region.width) for region in regions] == [(line, column.width)]
        await pilot.pause()
        assert "somebody-else" in painted(app.table)[line or 0]


async def test_a_change_of_an_invisible_row_paints_nothing(regions: list[Region]) -> None:
    view = calls_view(200)
    app = Backend(view)
    async with app.run_test(size=(100, 20)) as pilot:
        await pilot.pause()
        key = view.keys[150]
        number = next(n for n in range(200) if call(n).key == key)
        regions.clear()
        changed = call(number).model_copy(update={"callee": "sip:somebody-else"})
        app.table.refresh_changes(view.apply(Calls({key: changed})))
        assert not regions


async def test_a_row_shows_a_new_name_of_a_user_within_a_few_seconds() -> None:
    users: dict[str, User] = {}
    view: View[Call] = View(
        CALLS, RenderContext(NOW, ZoneInfo("Europe/Madrid"), lookup=lambda kind: users if kind == "users" else {})
    )
    view.apply(calls(range(3)))
    number = call(0, caller="svc-user:u1")
    view.apply(Calls({number.key: number}))
    app = Backend(view)
    async with app.run_test(size=(100, 20)) as pilot:
        await pilot.pause()
        assert not any("Ana" in line for line in painted(app.table))
        users["u1"] = User(id="u1", alias="Ana")
        for second in range(1, 7):
            app.table.refresh_changes(view.tick(NOW + second * 1000))
        await pilot.pause()
        assert any("Ana" in line for line in painted(app.table))


def cells_of(strip: Strip) -> list[tuple[str, Style | None]]:
    """Return the characters of a line with their styles, however it is divided."""
    return [(character, segment.style) for segment in strip for character in segment.text]


async def test_a_column_that_is_painted_alone_equals_its_part_of_the_lines() -> None:
    view = calls_view(50)
    app = Backend(view)
    async with app.run_test(size=(100, 20)) as pilot:
        table = app.table
        table.focus()
        await pilot.press("down", "space")
        changed = call(int(view.keys[4][-4:]), callee="sip:other@desk.example")
        table.refresh_changes(view.apply(Calls({changed.key: changed})))
        table.refresh_changes(view.tick(NOW + 1000))
        for placed in table.visible_layout.placed:
            column = Region(GUTTER + placed.left, HEADER, placed.width, 10)
            part = table.render_part(column)
            assert part is not None
            lines = [table.render_line(y).crop(*column.column_span) for y in column.line_range]
            assert [cells_of(strip) for strip in part] == [cells_of(strip) for strip in lines]


async def test_a_column_is_not_painted_alone_where_other_cells_may_cover_it() -> None:
    view = calls_view(50)
    app = Backend(view)
    async with app.run_test(size=(60, 20)) as pilot:
        table = app.table
        table.focus()
        await pilot.pause()
        placed = table.visible_layout.placed[1]
        column = Region(GUTTER + placed.left, HEADER, placed.width, 10)
        assert table.render_part(column) is not None
        assert table.render_part(column.grow((0, 1, 0, 0))) is None
        assert table.render_part(column.translate((0, -HEADER))) is None
        table.set_states({view.keys[3]: ("…", Tone.NOTICE, clean("pending"))})
        assert table.render_part(column) is None
        table.set_states({})
        await pilot.press("right", "right")
        assert table.render_part(column) is None
