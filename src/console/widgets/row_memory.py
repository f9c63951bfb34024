"""Rows as they were last put into words, and which of their cells have just changed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from textual.strip import Strip

from console.records.record import Record
from console.tables.cell import Cell
from console.tables.view import View
from console.widgets.row_painter import RowLook, RowPainter, read_cells

FLASH_MS = 600
FLASH_REST_MS = 3000
"""A row that has flashed does not do so again for this long, however often it changes."""
_REMEMBERED = 512
_NOTHING: frozenset[str] = frozenset()


@dataclass(slots=True)
class _Row:
    record: Record
    cells: tuple[Cell, ...]
    look: RowLook
    strip: Strip


class RowMemory:
    """Puts each row into words once until it changes. Good for one layout and one theme."""

    def __init__(self, view: View[Any], painter: RowPainter) -> None:
        self.painter = painter
        self._view = view
        self._columns = [placed.column for placed in painter.layout.placed]
        self._rows: dict[str, _Row] = {}
        self._flashes: dict[str, tuple[int, frozenset[str]]] = {}

    def strip(self, key: str, record: Record, look: RowLook, width: int) -> Strip:
        """Return a row painted; only what differs from last time is done again."""
        row = self._rows.get(key)
        if row is not None and row.look == look and row.record is record:
            return row.strip
        if row is not None and row.record is record:
            cells = row.cells
        else:
            cells = read_cells(self._columns, record, self._view.sight)
        if len(self._rows) >= _REMEMBERED:
            self._rows.clear()
        strip = self.painter.row(cells, look, width)
        self._rows[key] = _Row(record, cells, look, strip)
        return strip

    def lit(self, key: str) -> frozenset[str]:
        """Return the columns of a row that light up now."""
        flash = self._flashes.get(key)
        return flash[1] if flash else _NOTHING

    def forget(self, dirty: Iterable[str], sight: set[str], now: int) -> None:
        """Forget the words of changed rows; of those in sight the cells that read differently light up, once."""
        for key in dirty:
            row = self._rows.pop(key, None)
            record = self._view.record(key)
            if row is None or record is None or key not in sight or not self.painter.theme.flashes:
                continue
            last = self._flashes.get(key)
            if last is not None and now < last[0] + FLASH_REST_MS:
                continue
            cells = read_cells(self._columns, record, self._view.sight)
            pairs = zip(self._columns, row.cells, cells, strict=True)
            changed = frozenset(column.id for column, old, new in pairs if old.text != new.text and not column.ticks)
            if changed:
                self._flashes[key] = (now, changed)

    def end_flashes(self, now: int) -> set[str]:
        """Put out what has been lit for long enough, or stands still; return the keys concerned."""
        still = self._view.paused
        over = {key for key, (since, lit) in self._flashes.items() if lit and (still or now >= since + FLASH_MS)}
        for key in over:
            self._flashes[key] = (self._flashes[key][0], _NOTHING)
        if len(self._flashes) > _REMEMBERED:
            self._flashes = {key: flash for key, flash in self._flashes.items() if now < flash[0] + FLASH_REST_MS}
        return over

    def ticked(self, keys: Iterable[str]) -> set[str]:
        """Return the keys of rows that read differently by now, their words forgotten."""
        found: set[str] = set()
        for key in keys:
            row, record = self._rows.get(key), self._view.record(key)
            if row is None or record is None or read_cells(self._columns, record, self._view.sight) != row.cells:
                self._rows.pop(key, None)
                found.add(key)
        return found
