"""Painting of table rows as strips."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rich.segment import Segment
from rich.style import Style
from textual.content import Content
from textual.strip import Strip
from textual.visual import Visual, visualize
from textual.widget import Widget

from console.frozen import Frozen
from console.records.record import Record
from console.signs import drawn
from console.text import SafeText, clean, fit
from console.views.cell import Cell, Tone
from console.views.render_context import RenderContext
from console.views.table import Column
from console.widgets.table_layout import GAP, GUTTER, Layout
from console.widgets.theme import Part, Theme

RowState = tuple[str, Tone, SafeText]
"""State of a command on a row: a symbol of one cell, its tone, and a text for the end of the row."""

_GAP = " " * GAP
_ARROWS = "↑", "↓"
_CURSORS = {Part.CURSOR: "►", Part.BLURRED: "›"}
_MARK = "■"
_CELLS_REMEMBERED = 4096
_BROKEN = Cell(clean("unreadable"), Tone.BAD)


class RowLook(Frozen):
    """Properties of a row's style besides its cells."""

    cursor: Part | None = None
    marked: bool = False
    state: RowState | None = None
    flash: frozenset[str] = frozenset()
    """Ids of highlighted columns."""

    @property
    def ground(self) -> Part | None:
        """The part whose background the row has: only the list in focus has a coloured row."""
        return Part.CURSOR if self.cursor is Part.CURSOR else None


def read_cells(columns: Sequence[Column[Any]], record: Record, render: RenderContext) -> tuple[Cell, ...]:
    """Render the cells of a record. An exception in a column affects only its cell."""
    cells: list[Cell] = []
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
    _styles: dict[tuple[Tone | Part, Part | None], Style] = field(default_factory=dict[Any, Style])
    _painted: dict[tuple[str, int, bool, Style], tuple[Segment, ...]] = field(
        default_factory=dict[Any, tuple[Segment, ...]]
    )
    """Cache of painted cells: most cells of a row that is painted again are unchanged."""

    def style(self, tone: Tone | Part, ground: Part | None = None) -> Style:
        """Return the style of a tone on a background."""
        found = self._styles.get((tone, ground))
        if found is None:
            look = self.theme.tones[tone] if isinstance(tone, Tone) else self.theme.parts[tone]
            found = self.base + look.rich
            if ground is not None and ground in self.theme.parts:
                found += self.theme.parts[ground].rich
            self._styles[tone, ground] = found
        return found

    def row(self, cells: Sequence[Cell], look: RowLook, width: int) -> Strip:
        """Paint a row of at least `width` cells, so that the cursor extends to the edge."""
        ground = look.ground
        plain = self.style(Tone.PLAIN, ground)
        if look.marked:
            segments = [Segment(self._sign(_MARK), self.style(Part.MARK, ground))]
        else:
            segments = [
                Segment(
                    self._sign(_CURSORS.get(look.cursor, " ") if look.cursor else " "), self.style(Part.MARK, ground)
                )
            ]
        symbol, tone = (look.state[0], look.state[1]) if look.state else (" ", Tone.PLAIN)
        segments.append(Segment(fit(clean(symbol), 1) + " ", self.style(tone, ground)))
        for index, (placed, cell) in enumerate(zip(self.layout.placed, cells, strict=True)):
            if index:
                segments.append(Segment(_GAP, plain))
            lit = ground is None and placed.column.id in look.flash
            style = self.style(cell.tone, Part.FLASH if lit else ground)
            segments += self._cell(cell.text, placed.width, placed.column.right, style)
        if self.layout.width < width:
            segments.append(Segment(" " * (width - self.layout.width), plain))
        return Strip(segments, max(self.layout.width, width))

    def _cell(self, text: SafeText, width: int, right: bool, style: Style) -> tuple[Segment, ...]:
        said = text, width, right, style
        found = self._painted.get(said)
        if found is None:
            if len(self._painted) >= _CELLS_REMEMBERED:
                self._painted.clear()
            words = fit(text, width, right)
            found = tuple(_underlined(words, style)) if style.underline else (Segment(words, style),)
            self._painted[said] = found
        return found

    def header(self, sort: tuple[str, bool], focused: bool, width: int) -> Strip:
        """Paint the column titles, with an arrow at the sorted one."""
        plain = self.style(Part.HEADER)
        if focused:
            plain += Style(bold=True)
        sorted_style = plain + Style(color=self.theme.parts[Part.MARK].colour)
        segments = [Segment(" " * GUTTER, plain)]
        for index, placed in enumerate(self.layout.placed):
            if index:
                segments.append(Segment(_GAP, plain))
            here = placed.column.id == sort[0]
            words = clean(placed.column.title)
            if here:
                words = SafeText(fit(words, min(len(words), max(1, placed.width - 2))) + " " + self._arrow(sort[1]))
            segments.append(
                Segment(fit(words, placed.width, placed.column.right), sorted_style if here else plain),
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
        words = fit(reason, min(len(reason), max(8, width // 2)))
        label = Segment(f"  {words} ", self.style(tone, look.cursor))
        return Strip.join([strip.crop(0, width - label.cell_length), Strip([label])])

    def _arrow(self, descending: bool) -> str:
        return self._sign(_ARROWS[descending])

    def _sign(self, sign: str) -> SafeText:
        return clean(drawn(sign, self.symbols))


def line_of_words(widget: Widget, words: Content, line: int, width: int) -> Strip:
    """Paint one line of a text that replaces rows, wrapped to the width."""
    blank = Strip.blank(width, widget.rich_style)
    if line < 0 or not words:
        return blank
    room = max(1, width - GUTTER - 1)
    strips = Visual.to_strips(widget, visualize(widget, words), room, None, widget.visual_style, pad=True)
    if line >= len(strips):
        return blank
    return Strip.join([blank.crop(0, GUTTER), strips[line]]).adjust_cell_length(width, widget.rich_style)


def _underlined(words: SafeText, style: Style) -> list[Segment]:
    """Underline the text, without the padding of its column."""
    inner = words.strip()
    before = len(words) - len(words.lstrip())
    plain = style + Style(underline=False)
    parts = ((words[:before], plain), (inner, style), (words[before + len(inner) :], plain))
    return [Segment(text, look) for text, look in parts if text]
