"""The rows of a list on the screen, and the rows that a console with fresh data would show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from console.base.text import fit
from console.live.delta import Delta
from console.records.record import Record
from console.ui.screens.list_screen import ListScreen
from console.ui.textual_compat import testing
from console.ui.widgets.cursor_view import HEADER
from console.ui.widgets.row_painter import read_cells
from console.ui.widgets.table_layout import GUTTER, Placed
from console.views.view import View

Rows = list[tuple[str, ...]]
"""The texts of each visible row by column, without those that change with time alone."""


def painted(screen: ListScreen) -> Rows:
    """Read the rows of the focused list from the screen, cell by cell."""
    table = screen.pane.live_table
    place = table.scrollable_content_region
    found: Rows = []
    for strip in testing.painted(screen)[place.y + HEADER : place.bottom]:
        row = strip.crop(place.x, place.right)
        lefts = [(GUTTER + each.left, each.width) for each in _lasting(screen)]
        found.append(tuple(row.crop(left, left + width).text for left, width in lefts))
    return found


def expected(screen: ListScreen, records: Mapping[str, Record]) -> Rows:
    """Lay out these records as the focused list would at its scroll position."""
    pane = screen.pane
    fresh: View[Any] = View(pane.table, pane.view.render_context)
    fresh.set_columns([each.id for each in pane.view.columns])
    fresh.set_sort(*pane.view.sort)
    fresh.apply(Delta(1, whole=True, upserts=records))
    height = pane.live_table.scrollable_content_region.height - HEADER
    found: Rows = []
    for key in fresh.window(pane.live_table.scroll_offset.y, height):
        cells = read_cells([each.column for each in _lasting(screen)], fresh.records[key], pane.view.render_context)
        found.append(
            tuple(
                fit(cell.text, each.width, each.column.right)
                for each, cell in zip(_lasting(screen), cells, strict=True)
            )
        )
    blank = tuple(" " * each.width for each in _lasting(screen))
    return found + [blank] * (height - len(found))


def _lasting(screen: ListScreen) -> list[Placed]:
    return [each for each in screen.pane.live_table.visible_layout.placed if not each.column.ticks]
