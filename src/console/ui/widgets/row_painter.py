"""Painting of table rows as strips, kept until their cells change; highlighting of changed cells."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from rich.segment import Segment
from rich.style import Style
from textual.content import Content
from textual.strip import Strip
from textual.visual import Visual, visualize
from textual.widget import Widget

from console.base.frozen import Frozen
from console.base.signs import drawn
from console.base.text import SafeText, clean, fit
from console.records.record import Record
from console.ui.widgets.table_layout import GAP, GUTTER, Layout, Placed
from console.ui.widgets.theme import ScreenPart, Theme
from console.views.cell import Cell, Tone
from console.views.read_context import ReadContext
from console.views.render_context import RenderContext
from console.views.table import Column
from console.views.view import View

RowState = tuple[str, Tone, SafeText]
"""State of a command on a row: a symbol of one cell, its tone, and a text for the end of the row."""

Differing = Mapping[str, Sequence[Placed] | None]
"""Changed rows by key, with the changed columns; None for the whole row."""

FLASH_MS = 600
FLASH_REST_MS = 3000
"""Shortest time between two highlights of a row."""
FEW = 3
"""Number of rows that may be highlighted even if all rows changed."""
NAMES_SECONDS = 5
"""Shortest time between two readings of all visible rows because something else changed, such as a name."""
_REMEMBERED = 512
_NOTHING: frozenset[str] = frozenset()
_GAP = " " * GAP
_ARROWS = "↑", "↓"
_CURSORS = {ScreenPart.CURSOR: "►", ScreenPart.BLURRED: "›"}
_MARK = "■"
_CELLS_REMEMBERED = 4096
_BROKEN = Cell(clean("unreadable"), Tone.BAD)


class RowLook(Frozen):
    """Properties of a row's style besides its cells."""

    cursor: ScreenPart | None = None
    marked: bool = False
    state: RowState | None = None
    flash: frozenset[str] = frozenset()
    """Ids of highlighted columns."""

    @property
    def ground(self) -> ScreenPart | None:
        """The part whose background the row has: only the list in focus has a coloured row."""
        return ScreenPart.CURSOR if self.cursor is ScreenPart.CURSOR else None


def read_cells(columns: Sequence[Column[Any]], record: Record, render: RenderContext) -> tuple[Cell, ...]:
    """Render the cells of a record. An exception in a column affects only its cell."""
    cells: list[Cell] = []
    if len(columns) > 1:
        # A single column, such as the age, mostly needs no more than is read.
        record = record.materialized()
    for column in columns:
        try:
            cells.append(column.cell(record, render))
        except Exception:  # An unexpected record must not affect the others.
            cells.append(_BROKEN)
    return tuple(cells)


@dataclass
class RowPainter:
    """Paints the header and rows of one layout in one theme."""

    theme: Theme
    layout: Layout
    symbols: str
    base: Style
    _styles: dict[tuple[Tone | ScreenPart, ScreenPart | None], Style] = field(default_factory=dict[Any, Style])
    _painted: dict[tuple[Cell, int, bool, ScreenPart | None], tuple[Segment, ...]] = field(
        default_factory=dict[Any, tuple[Segment, ...]]
    )
    """Cache of painted cells: most cells of a row that is painted again are unchanged."""
    _gutters: dict[tuple[ScreenPart | None, bool, str, Tone], tuple[Segment, ...]] = field(
        default_factory=dict[Any, tuple[Segment, ...]]
    )
    """Painted signs of cursor, mark and command, with the gap between cells: nearly all rows have none."""

    def style(self, tone: Tone | ScreenPart, ground: ScreenPart | None = None) -> Style:
        """Return the style of a tone on a background."""
        style = self._styles.get((tone, ground))
        if style is None:
            look = self.theme.tones[tone] if isinstance(tone, Tone) else self.theme.parts[tone]
            style = self.base + look.rich
            if ground is not None and ground in self.theme.parts:
                style += self.theme.parts[ground].rich
            self._styles[tone, ground] = style
        return style

    def row(self, cells: Sequence[Cell], look: RowLook, width: int) -> Strip:
        """Paint a row of at least `width` cells, so that the cursor extends to the edge."""
        ground = look.ground
        symbol, tone = (look.state[0], look.state[1]) if look.state else (" ", Tone.PLAIN)
        signs = look.cursor, look.marked, symbol, tone
        *segments, gap = self._gutters.get(signs) or self._gutter(*signs)
        for index, (placed, cell) in enumerate(zip(self.layout.placed, cells, strict=True)):
            if index:
                segments.append(gap)
            lit = ground is None and placed.column.id in look.flash
            painted = cell, placed.width, placed.column.right, ScreenPart.FLASH if lit else ground
            segments += self._painted.get(painted) or self._cell(*painted)
        if self.layout.width < width:
            segments.append(Segment(" " * (width - self.layout.width), gap.style))
        return Strip(segments, max(self.layout.width, width))

    def part(self, placed: Placed, cell: Cell, ground: ScreenPart | None) -> Strip:
        """Paint the cell of a row in one column."""
        return Strip(self._cell(cell, placed.width, placed.column.right, ground), placed.width)

    def _gutter(self, cursor: ScreenPart | None, marked: bool, symbol: str, tone: Tone) -> tuple[Segment, ...]:
        """Paint the signs of a row, and the gap between its cells."""
        ground = RowLook(cursor).ground
        sign = _MARK if marked else _CURSORS.get(cursor, " ") if cursor else " "
        self._gutters[cursor, marked, symbol, tone] = segments = (
            Segment(self._sign(sign), self.style(ScreenPart.MARK, ground)),
            Segment(fit(clean(symbol), 1) + " ", self.style(tone, ground)),
            Segment(_GAP, self.style(Tone.PLAIN, ground)),
        )
        return segments

    def _cell(self, cell: Cell, width: int, right: bool, ground: ScreenPart | None) -> tuple[Segment, ...]:
        if len(self._painted) >= _CELLS_REMEMBERED:
            self._painted.clear()
        text, style = fit(cell.text, width, right), self.style(cell.tone, ground)
        segments = tuple(_underlined(text, style)) if style.underline else (Segment(text, style),)
        self._painted[cell, width, right, ground] = segments
        return segments

    def header(self, sort: tuple[str, bool], focused: bool, width: int) -> Strip:
        """Paint the column titles, with an arrow at the sorted one."""
        plain = self.style(ScreenPart.HEADER)
        if focused:
            plain += Style(bold=True)
        sorted_style = plain + Style(color=self.theme.parts[ScreenPart.MARK].colour)
        segments = [Segment(" " * GUTTER, plain)]
        for index, placed in enumerate(self.layout.placed):
            if index:
                segments.append(Segment(_GAP, plain))
            here = placed.column.id == sort[0]
            title = clean(placed.column.title)
            if here:
                title = SafeText(
                    fit(title, min(len(title), max(1, placed.width - 2))) + " " + self._sign(_ARROWS[sort[1]])
                )
            segments.append(
                Segment(fit(title, placed.width, placed.column.right), sorted_style if here else plain),
            )
        if self.layout.width < width:
            segments.append(Segment(" " * (width - self.layout.width), plain))
        return Strip(segments, max(self.layout.width, width))

    def window(self, strip: Strip, x: int, width: int) -> Strip:
        """Cut the visible part of a strip; the gutter does not scroll."""
        if x == 0:
            return strip.crop(0, width)
        return Strip.join([strip.crop(0, GUTTER), strip.crop(GUTTER + x, width + x)]).adjust_cell_length(
            width, self.base
        )

    def with_words(self, strip: Strip, look: RowLook, width: int) -> Strip:
        """Paint the text of a command state over the end of a row."""
        if look.state is None or not look.state[2]:
            return strip
        _, tone, reason = look.state
        text = fit(reason, min(len(reason), max(8, width // 2)))
        label = Segment(f"  {text} ", self.style(tone, look.cursor))
        return Strip.join([strip.crop(0, width - label.cell_length), Strip([label])])

    def _sign(self, sign: str) -> SafeText:
        return clean(drawn(sign, self.symbols))


def line_of_words(widget: Widget, content: Content, line: int, width: int) -> Strip:
    """Paint one line of a text that replaces rows, wrapped to the width."""
    blank = Strip.blank(width, widget.rich_style)
    if line < 0 or not content:
        return blank
    room = max(1, width - GUTTER - 1)
    strips = Visual.to_strips(widget, visualize(widget, content), room, None, widget.visual_style, pad=True)
    if line >= len(strips):
        return blank
    return Strip.join([blank.crop(0, GUTTER), strips[line]]).adjust_cell_length(width, widget.rich_style)


def _underlined(message: SafeText, style: Style) -> list[Segment]:
    """Underline the text, without the padding of its column."""
    inner = message.strip()
    before = len(message) - len(message.lstrip())
    plain = style + Style(underline=False)
    parts = ((message[:before], plain), (inner, style), (message[before + len(inner) :], plain))
    return [Segment(text, look) for text, look in parts if text]


@dataclass(slots=True)
class _Row:
    record: Record
    cells: tuple[Cell, ...]
    look: RowLook
    second: int
    """When the cells were read."""
    reading: int
    """The reading of all visible rows after which this row was read in full."""
    strip: Strip | None = None
    """None when it must be painted."""


class RowMemory:
    """Renders each row once per change. Valid for one layout and theme."""

    def __init__(self, view: View[Any], painter: RowPainter) -> None:
        self.painter = painter
        self._view = view
        self._columns = [placed.column for placed in painter.layout.placed]
        self._ticking = [at for at, column in enumerate(self._columns) if column.ticks or column.expires]
        self._ticks = [self._columns[at] for at in self._ticking]
        self._rows: dict[str, _Row] = {}
        self._read_context = ReadContext()
        self._reading, self._read_at = 0, view.render_context.now_ms // 1000
        """Number and time of the last reading of all visible rows."""
        self._flashes: dict[str, tuple[int, frozenset[str]]] = {}

    def strip(self, key: str, record: Record, look: RowLook, width: int) -> Strip:
        """Return a painted row; only changes are rendered."""
        row, render = self._rows.get(key), self._view.render_context
        second = render.now_ms // 1000
        if row is None or row.record is not record:
            if len(self._rows) >= _REMEMBERED:
                self._rows.clear()
            cells = read_cells(self._columns, record, self._read_context.noting(render))
            row = self._rows[key] = _Row(record, cells, look, second, self._reading)
        elif row.second != second:
            # It was out of sight: the visible ones are read each second.
            self.reread([key], ticking=row.reading == self._reading)
        if row.strip is None or row.look != look:
            row.look, row.strip = look, self.painter.row(row.cells, look, width)
        return row.strip

    def column(self, place: int, keys: Sequence[str], cursor: str | None) -> list[Strip] | None:
        """Return painted cells of one column; None unless all rows have been read. The cell of `cursor` is coloured."""
        placed, records = self.painter.layout.placed[place], self._view.records
        second = self._view.render_context.now_ms // 1000
        strips: list[Strip] = []
        for key in keys:
            row, flash = self._rows.get(key), self._flashes.get(key)
            if row is None or row.record is not records.get(key) or row.second != second:
                return None
            is_lit = flash is not None and placed.column.id in flash[1]
            ground = ScreenPart.CURSOR if key == cursor else ScreenPart.FLASH if is_lit else None
            strips.append(self.painter.part(placed, row.cells[place], ground))
        return strips

    def lit(self, key: str) -> frozenset[str]:
        """Return the highlighted columns of a row."""
        flash = self._flashes.get(key)
        return flash[1] if flash else _NOTHING

    def forget(self, changed: Set[str], but: Container[str]) -> None:
        """Forget changed rows that are not visible."""
        for key in [row for row in self._rows if row in changed and row not in but]:
            del self._rows[key]

    def changed(self, keys: Iterable[str], now: int, visible: int) -> Differing:
        """Render changed rows, and highlight changed cells.

        If nearly all visible rows changed, as for a new list, highlighting has no use and would paint all of them
        twice: a third of the cost of a replaced list.
        """
        differing = self.reread(keys)
        if self.painter.theme.flashes and len(differing) <= max(FEW, visible * 3 // 4):
            for key, columns in differing.items():
                last = self._flashes.get(key)
                lit = frozenset(column.column.id for column in columns or () if not column.column.ticks)
                if lit and (last is None or now >= last[0] + FLASH_REST_MS):
                    self._flashes[key] = (now, lit)
        return differing

    def ticked(self, keys: Iterable[str], second: int) -> Differing:
        """Render ticking cells, and all cells if anything changed on which they depend, such as a name."""
        is_due = abs(second - self._read_at) >= NAMES_SECONDS
        if is_due and self._read_context.has_changed(self._view.render_context):
            self._reading, self._read_at = self._reading + 1, second
            return self.reread(keys)
        return self.reread(keys, ticking=True) if self._ticking else {}

    def reread(self, keys: Iterable[str], *, ticking: bool = False) -> Differing:
        """Render rows, or only their ticking cells, and return the cells that differ.

        Painting these alone takes a tenth of the bytes of whole lines: an age has six of a hundred cells.
        """
        layouts: dict[str, Sequence[Placed] | None] = {}
        render, records = self._view.render_context, self._view.records
        noting = self._read_context.noting(render)
        for key in keys:
            row, record = self._rows.get(key), records.get(key)
            if row is None or record is None:
                self._rows.pop(key, None)
                layouts[key] = None
                continue
            if ticking and row.record is record:
                cells = list(row.cells)
                for at, cell in zip(self._ticking, read_cells(self._ticks, record, noting), strict=True):
                    cells[at] = cell
            else:
                cells = read_cells(self._columns, record, noting)
                row.reading = self._reading
            pairs = zip(self.painter.layout.placed, row.cells, cells, strict=True)
            columns = [placed for placed, old, new in pairs if old != new]
            row.record, row.cells, row.second = record, tuple(cells), render.now_ms // 1000
            if columns:
                row.strip = None
                layouts[key] = columns
        return layouts

    def end_flashes(self, now: int) -> Differing:
        """End highlights that have expired, or during a pause; return the rows and columns."""
        still = self._view.paused
        over = {key: lit for key, (since, lit) in self._flashes.items() if lit and (still or now >= since + FLASH_MS)}
        for key in over:
            self._flashes[key] = (self._flashes[key][0], _NOTHING)
        if len(self._flashes) > _REMEMBERED:
            self._flashes = {key: flash for key, flash in self._flashes.items() if now < flash[0] + FLASH_REST_MS}
        placed = self.painter.layout.placed
        return {key: [column for column in placed if column.column.id in lit] for key, lit in over.items()}
