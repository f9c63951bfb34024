"""Cache of rendered rows, and highlighting of changed cells."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from textual.strip import Strip

from console.records.record import Record
from console.views.cell import Cell
from console.views.view import View
from console.widgets.row_painter import RowLook, RowPainter, read_cells
from console.widgets.table_layout import Placed

FLASH_MS = 600
FLASH_REST_MS = 3000
"""Shortest time between two highlights of a row."""
FEW = 8
"""Number of rows that may be highlighted even if all rows changed."""
NAMES_SECONDS = 5
"""Longest delay before a row shows a change of another kind, such as a name."""
_REMEMBERED = 512
_NOTHING: frozenset[str] = frozenset()


@dataclass(slots=True)
class _Row:
    record: Record
    cells: tuple[Cell, ...]
    look: RowLook
    second: int
    """When the cells were read."""
    strip: Strip | None = None
    """None when it must be painted."""


Differing = Mapping[str, Sequence[Placed] | None]
"""Changed rows by key, with the changed columns; None for the whole row."""


class RowMemory:
    """Renders each row once per change. Valid for one layout and theme."""

    def __init__(self, view: View[Any], painter: RowPainter) -> None:
        self.painter = painter
        self._view = view
        self._columns = [placed.column for placed in painter.layout.placed]
        self._ticking = [at for at, column in enumerate(self._columns) if column.ticks]
        self._ticks = [self._columns[at] for at in self._ticking]
        self._rows: dict[str, _Row] = {}
        self._flashes: dict[str, tuple[int, frozenset[str]]] = {}

    def strip(self, key: str, record: Record, look: RowLook, width: int) -> Strip:
        """Return a painted row; only changes are rendered."""
        row, second = self._rows.get(key), self._second()
        if row is None or row.record is not record:
            if len(self._rows) >= _REMEMBERED:
                self._rows.clear()
            cells = read_cells(self._columns, record, self._view.render_context)
            row = self._rows[key] = _Row(record, cells, look, second)
        elif row.second != second:
            # It was out of sight: the visible ones are read each second.
            self.reread([key], ticking=0 < second - row.second < NAMES_SECONDS)
        if row.strip is None or row.look != look:
            row.look, row.strip = look, self.painter.row(row.cells, look, width)
        return row.strip

    def _second(self) -> int:
        return self._view.render_context.now_ms // 1000

    def lit(self, key: str) -> frozenset[str]:
        """Return the highlighted columns of a row."""
        flash = self._flashes.get(key)
        return flash[1] if flash else _NOTHING

    def forget(self, changed: Set[str], but: Container[str]) -> None:
        """Forget changed rows that are not visible."""
        for key in [each for each in self._rows if each in changed and each not in but]:
            del self._rows[key]

    def changed(self, keys: Iterable[str], now: int, visible: int) -> Differing:
        """Render changed rows, and highlight changed cells.

        If nearly all visible rows changed, as for a new list, highlighting has no use and would paint all of them
        twice: a third of the cost of a replaced list.
        """
        found = self.reread(keys)
        if self.painter.theme.flashes and len(found) <= max(FEW, visible * 3 // 4):
            for key, columns in found.items():
                last = self._flashes.get(key)
                lit = frozenset(each.column.id for each in columns or () if not each.column.ticks)
                if lit and (last is None or now >= last[0] + FLASH_REST_MS):
                    self._flashes[key] = (now, lit)
        return found

    def ticked(self, keys: Iterable[str], second: int) -> Differing:
        """Render ticking cells, and periodically all cells, because names may have changed: a quarter of the cost of an
        idle list."""
        return self.reread(keys) if second % NAMES_SECONDS == 0 else self.reread(keys, ticking=True)

    def reread(self, keys: Iterable[str], *, ticking: bool = False) -> Differing:
        """Render rows, or only their ticking cells, and return the cells that differ.

        Painting these alone takes a tenth of the bytes of whole lines: an age has six of a hundred cells.
        """
        found: dict[str, Sequence[Placed] | None] = {}
        for key in keys:
            row, record = self._rows.get(key), self._view.record(key)
            if row is None or record is None:
                self._rows.pop(key, None)
                found[key] = None
                continue
            if ticking and row.record is record:
                cells = list(row.cells)
                for at, cell in zip(
                    self._ticking, read_cells(self._ticks, record, self._view.render_context), strict=True
                ):
                    cells[at] = cell
            else:
                cells = read_cells(self._columns, record, self._view.render_context)
            pairs = zip(self.painter.layout.placed, row.cells, cells, strict=True)
            columns = [placed for placed, old, new in pairs if old != new]
            row.record, row.cells, row.second = record, tuple(cells), self._second()
            if columns:
                row.strip = None
                found[key] = columns
        return found

    def end_flashes(self, now: int) -> Differing:
        """End highlights that have expired, or during a pause; return the rows and columns."""
        still = self._view.paused
        over = {key: lit for key, (since, lit) in self._flashes.items() if lit and (still or now >= since + FLASH_MS)}
        for key in over:
            self._flashes[key] = (self._flashes[key][0], _NOTHING)
        if len(self._flashes) > _REMEMBERED:
            self._flashes = {key: flash for key, flash in self._flashes.items() if now < flash[0] + FLASH_REST_MS}
        placed = self.painter.layout.placed
        return {key: [each for each in placed if each.column.id in lit] for key, lit in over.items()}
