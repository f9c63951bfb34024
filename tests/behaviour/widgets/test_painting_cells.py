"""Only the cells that differ are sent to the terminal, not their rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip

from console.base.text import clean
from console.kinds.alarms.columns import TABLE as ALARMS
from console.kinds.calls.columns import TABLE as CALLS
from console.live.collection import Collection
from console.live.delta import Delta
from console.records.people import User
from console.records.record import Record
from console.records.traffic import Call, CallAlarm
from console.ui.widgets import row_painter
from console.ui.widgets.cursor_view import HEADER
from console.ui.widgets.live_table import LiveTable
from console.ui.widgets.table_layout import GUTTER
from console.views.cell import Cell, Tone
from console.views.render_context import RenderContext
from console.views.table import Column
from console.views.view import View
from tests.behaviour.widgets.sample_calls import NOW, Calls, call, calls, calls_view
from tests.behaviour.widgets.test_live_table import Backend, line_of, painted

pytestmark = pytest.mark.usefixtures("every_frame")
NO_ROWS: Mapping[str, Record] = {}


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


@pytest.fixture
def read_in_full(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The keys of the rows of which all cells were read."""
    keys: list[str] = []
    read_cells = row_painter.read_cells

    def noted(columns: Sequence[Column[Any]], record: Record, render: RenderContext) -> tuple[Cell, ...]:
        keys.extend([record.key] * any(not column.ticks for column in columns))
        return read_cells(columns, record, render)

    monkeypatch.setattr(row_painter, "read_cells", noted)
    return keys


def named_calls(users: Collection[User]) -> View[Call]:
    """Return a view of a call of a user, and of two others."""
    known = {"users": users}
    render = RenderContext(
        NOW, ZoneInfo("Europe/Madrid"), lookup=lambda kind: known[kind].snapshot() if kind in known else NO_ROWS
    )
    view: View[Call] = View(CALLS, render)
    view.apply(calls(range(3)))
    view.apply(Calls({call(0).key: call(0, caller="svc-user:u1")}))
    return view


async def test_a_row_shows_the_new_name_of_a_user_with_the_next_second(read_in_full: list[str]) -> None:
    users: Collection[User] = Collection()
    app = Backend(named_calls(users))
    async with app.run_test(size=(100, 20)) as pilot:
        await pilot.pause()
        assert not any("Ana" in line for line in painted(app.table))
        for name in ("Ana", "Berta"):
            read_in_full.clear()
            for second in range(1, 10):
                app.table.refresh_changes(app.table.view.tick(app.table.view.render_context.now_ms + 1000))
                await pilot.pause()
                assert not read_in_full, second
            users.change({"u1": User(id="u1", alias=name)})
            app.table.refresh_changes(app.table.view.tick(app.table.view.render_context.now_ms + 1000))
            await pilot.pause()
            assert any(name in line for line in painted(app.table))


async def test_names_that_change_all_the_time_are_read_every_five_seconds(read_in_full: list[str]) -> None:
    users: Collection[User] = Collection()
    users.change({"u1": User(id="u1", alias="Ana")})
    app = Backend(named_calls(users))
    async with app.run_test(size=(100, 20)) as pilot:
        await pilot.pause()
        read_in_full.clear()
        for second in range(1, 21):
            users.change({"u1": User(id="u1", alias=f"Ana {second:02}")})
            app.table.refresh_changes(app.table.view.tick(NOW + second * 1000))
        await pilot.pause()
        assert any("Ana 20" in line for line in painted(app.table))
        assert len(read_in_full) == 4 * 3


async def test_a_row_shows_a_new_name_when_it_comes_back_into_sight() -> None:
    users: Collection[User] = Collection()
    users.change({"u1": User(id="u1", alias="Eva")})
    view = named_calls(users)
    view.apply(calls(range(3, 60)))
    app = Backend(view)
    async with app.run_test(size=(100, 20)) as pilot:
        app.table.focus()
        app.table.move_to(call(0).key)
        await pilot.pause()
        assert any("Eva" in line for line in painted(app.table))
        place = view.index(call(0).key) or 0
        app.table.move_to(view.keys[0 if place > 30 else -1])
        await pilot.pause()
        assert not any("Eva" in line for line in painted(app.table))
        users.change({"u1": User(id="u1", alias="Ana")})
        app.table.refresh_changes(view.tick(NOW + 9_000))
        await pilot.pause()
        app.table.move_to(call(0).key)
        await pilot.pause()
        assert any("Ana" in line for line in painted(app.table))


async def test_moments_are_written_with_their_date_from_midnight_on() -> None:
    view: View[Any] = View(ALARMS, RenderContext(NOW, ZoneInfo("Europe/Madrid")))
    alarm = CallAlarm(id="a-1", timestamp=NOW)
    view.apply(Delta(version=1, whole=True, upserts={alarm.key: alarm}))
    app = Backend(view)
    async with app.run_test(size=(200, 20)) as pilot:
        await pilot.pause()
        assert "16:13:20" in painted(app.table)[1]
        app.table.refresh_changes(view.tick(NOW + 86_400_000))
        await pilot.pause()
        assert "21 Sep" in painted(app.table)[1]


def cells_of(strip: Strip) -> list[tuple[str, Style | None]]:
    """Return the characters of a line with their styles, however it is divided."""
    return [(character, segment.style) for segment in strip for character in segment.text]


def part_of(table: LiveTable, part: Region) -> list[Strip] | None:
    return table.render_part(part.line_range, part.x, part.width)


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
            part = part_of(table, column)
            assert part is not None
            lines = [table.render_line(y).crop(*column.column_span) for y in column.line_range]
            assert [cells_of(strip) for strip in part] == [cells_of(strip) for strip in lines]


async def test_the_changed_cells_of_a_column_are_painted_without_the_rest_of_their_lines(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    view = calls_view(50)
    app = Backend(view)
    async with app.run_test(size=(100, 20)) as pilot:
        await pilot.pause()
        table = app.table
        placed = table.visible_layout.placed[1]
        column = Region(GUTTER + placed.left, HEADER, placed.width, 10)
        before = [cells_of(strip) for strip in table.render_lines(column)]
        for y in (HEADER + 2, HEADER + 5):
            table.refresh(Region(column.x, y, column.width, 1))

        def whole_line(y: int) -> Strip:
            raise AssertionError(f"line {y} is painted")

        monkeypatch.setattr(table, "render_line", whole_line)
        assert [cells_of(strip) for strip in table.render_lines(column)] == before


async def test_a_column_is_not_painted_alone_where_other_cells_may_cover_it() -> None:
    view = calls_view(50)
    app = Backend(view)
    async with app.run_test(size=(60, 20)) as pilot:
        table = app.table
        table.focus()
        await pilot.pause()
        placed = table.visible_layout.placed[1]
        column = Region(GUTTER + placed.left, HEADER, placed.width, 10)
        assert part_of(table, column) is not None
        assert part_of(table, column.grow((0, 1, 0, 0))) is None
        assert part_of(table, column.translate((0, -HEADER))) is None
        table.set_states({view.keys[3]: ("…", Tone.NOTICE, clean("pending"))})
        assert part_of(table, column) is None
        table.set_states({})
        await pilot.press("right", "right")
        assert part_of(table, column) is None
