"""The report of a shift as lines with a cursor: headings, sentences and tables, in as many columns as fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import ClassVar, NamedTuple

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message

from console.base.frozen import replace
from console.base.text import cells, clean, fit
from console.report.parts import ReportMoment, ReportSection, ReportTable, Row
from console.ui.widgets.piece_lines import PieceLines
from console.ui.widgets.styled_line import Piece, piece, pieces
from console.ui.widgets.wrapping import wrap
from console.views.cell import Cell, Line, Tone

_NARROWEST = 6
_APART = 2
_INDENT = 2
_COLUMN = 120
"""Width of the screen from which there are two columns; from twice as much there are three."""
_MOST_COLUMNS = 3
_BETWEEN = 3
"""Cells between two columns, with the cell of the cursor."""


class ReportLine(NamedTuple):
    """A line of the report."""

    words: Line = ()
    moment: ReportMoment | None = None
    begins: bool = False
    """Whether a section begins here."""
    x: int = 0
    y: int = 0


def laid_out(sections: Sequence[ReportSection], width: int, columns: int = 1) -> Iterator[ReportLine]:
    """Yield the lines of a report in a width, column by column; a wider table has all columns."""
    y, room = 0, (width - _BETWEEN * (columns - 1)) // columns
    parts = [part for section in sections for part in _parts(section)]
    for narrow, group in groupby(parts, lambda part: all(_width(table) <= room for table in part.tables)):
        band = list(group)
        size, many = (room, columns) if narrow and len(band) > 1 else (width, 1)
        heights = [0]
        for number, column in enumerate(_shared([list(_section(section, size)) for section in band], many)):
            for at, line in enumerate(column, y):
                yield ReportLine(line.words, line.moment, line.begins, number * (size + _BETWEEN), at)
            heights.append(len(column))
        y += max(heights) + 1


def _parts(section: ReportSection) -> Iterator[ReportSection]:
    """Yield a section with its first table, and each further table without title and sentences."""
    yield replace(section, tables=section.tables[:1])
    for table in section.tables[1:]:
        yield ReportSection(section.id, "", tables=(table,))


def _shared(parts: Sequence[list[ReportLine]], columns: int) -> list[list[ReportLine]]:
    """Return whole parts in order in at most this number of columns, the highest of them as low as possible."""
    height = max(map(len, parts))
    while True:
        filled: list[list[ReportLine]] = [[]]
        for part in parts:
            if filled[-1] and len(filled[-1]) + 1 + len(part) > height:
                filled.append([])
            filled[-1] += [ReportLine(), *part] if filled[-1] else part
        if len(filled) <= columns:
            return filled
        height += 1


def _section(section: ReportSection, width: int) -> Iterator[ReportLine]:
    if section.title:
        yield ReportLine((Cell(clean(section.title), Tone.STRONG),), begins=True)
    for fact in section.facts:
        for line in wrap((Cell(fact),), max(20, width - _INDENT)):
            yield ReportLine((Cell(clean("  ")), *line))
    for table in section.tables:
        if section.facts:
            yield ReportLine()
        if table.title:
            yield ReportLine((Cell(clean(f"  {table.title}"), Tone.NOTICE),))
        yield from _rows(table, width - _INDENT)


def _rows(table: ReportTable, width: int) -> Iterator[ReportLine]:
    columns = _columns(table, width)
    titles = Row(tuple(clean(heading.title) for heading in table.headings))
    for row in (titles, *table.rows):
        join = "  ".join(fit(row.cells[at], size, table.headings[at].right) for at, size in columns)
        tone = Tone.QUIET if row is titles else Tone.PLAIN
        yield ReportLine((Cell(clean(f"  {join}", 2_000), tone),), row.moment)


def _sizes(table: ReportTable) -> dict[int, int]:
    """Return the widths of the columns by their places."""
    return {
        at: max(cells(clean(heading.title)), *(cells(row.cells[at]) for row in table.rows))
        for at, heading in enumerate(table.headings)
    }


def _width(table: ReportTable) -> int:
    return _INDENT + sum(size + _APART for size in _sizes(table).values()) - _APART


def _columns(table: ReportTable, width: int) -> list[tuple[int, int]]:
    """Return places and widths of the columns that fit: minor ones are left out, then texts are cut."""
    sizes = _sizes(table)

    def missing() -> int:
        return sum(sizes.values()) + _APART * (len(sizes) - 1) - width

    for at in [at for at, heading in enumerate(table.headings) if heading.minor][::-1]:
        if missing() > 0:
            del sizes[at]
    texts = [at for at in sizes if not table.headings[at].right]
    while missing() > 0 and texts:
        widest = max(texts, key=lambda at: sizes[at])
        if sizes[widest] <= _NARROWEST:
            break
        sizes[widest] -= 1
    return list(sizes.items())


class ReportLines(PieceLines):
    """Lines with a cursor; a click on the line under it opens its moment."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "side(-1)", "left", show=False),
        Binding("right", "side(1)", "right", show=False),
    ]

    class Chosen(Message):
        """A line with a moment was clicked."""

        def __init__(self, moment: ReportMoment) -> None:
            super().__init__()
            self.moment = moment

    def __init__(self) -> None:
        super().__init__()
        self._sections: tuple[ReportSection, ...] = ()
        self._report: list[ReportLine] = []
        self._cursor = 0
        self._lines_high = 0
        """Number of lines of the highest column."""

    @property
    def current(self) -> ReportLine | None:
        """The line under the cursor."""
        return self._report[self._cursor] if self._report else None

    @property
    def said(self) -> str:
        """All lines, without styles."""
        return "\n".join("".join(cell.text for cell in line.words) for line in self._report)

    def show(self, sections: tuple[ReportSection, ...]) -> None:
        """Show a report from its beginning; the same one stays where it is."""
        if sections is self._sections:
            return
        self._sections, self._cursor = sections, 0
        self._lay_out()
        self.scroll_to(y=0, animate=False, force=True)

    def step_section(self, step: int) -> None:
        """Go to the beginning of the next or previous section."""
        starts = [at for at, line in enumerate(self._report) if line.begins]
        starts_beyond = [at for at in starts if (at > self._cursor if step > 0 else at < self._cursor)]
        if starts_beyond:
            self._go(min(starts_beyond) if step > 0 else max(starts_beyond), top=True)

    # -- painting ------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        if not self.is_mounted:
            return
        # One cell is for the cursor, one stays free on the right.
        columns = min(1 + self.outer_size.width // _COLUMN, _MOST_COLUMNS)
        self._report = list(laid_out(self._sections, max(20, self.room.width - 2), columns))
        self._cursor = min(self._cursor, max(0, len(self._report) - 1))
        self._lines_high = max((line.y + 1 for line in self._report), default=0)
        self.resize_content(Size(max(1, self.room.width), self._lines_high))
        self._draw()

    def _visible_rows(self) -> list[list[Piece]]:
        top, here = self._top, self._cursor if self.has_focus else -1
        rows: list[list[Piece]] = [[] for _ in range(min(self._height, max(0, self._lines_high - top)))]
        for at, line in enumerate(self._report):
            if 0 <= line.y - top < len(rows):
                row = rows[line.y - top]
                space = " " * (line.x - sum(cells(part.text) for part in row))
                row += [piece(space), *_pieces(line, at == here)] if space else _pieces(line, at == here)
        return rows

    def on_resize(self, _event: events.Resize) -> None:
        """Use the new size."""
        self._lay_out()
        self.refresh()

    # -- moving --------------------------------------------------------------------------------------------------

    def _go(self, at: int, *, top: bool = False) -> None:
        """Move the cursor, and scroll as little as necessary; with `top`, to the top."""
        self._cursor = min(max(at, 0), max(0, len(self._report) - 1))
        top_line, y = self._top, self._report[self._cursor].y if self._report else 0
        wanted = y if top else min(max(top_line, y - self._height + 1), y)
        wanted = max(0, min(wanted, self._lines_high - self._height))
        self._scroll(wanted)
        self._draw()

    def on_click(self, event: events.Click) -> None:
        """Move the cursor to the clicked line; a click on the line under the cursor opens its moment."""
        y = self._top + event.y
        at = max((at for at, line in enumerate(self._report) if line.y == y and line.x <= event.x), default=None)
        if at is None:
            return
        line = self._report[at]
        if at == self._cursor and line.moment is not None:
            self.post_message(self.Chosen(line.moment))
        self._go(at)

    def action_side(self, step: int) -> None:
        """Move the cursor to the next or previous column, to the line at the same height or the last above it."""
        here = self._report[self._cursor] if self._report else ReportLine()
        beside = [
            (line.x * step, -line.y, at)
            for at, line in enumerate(self._report)
            if line.words and (line.x - here.x) * step > 0 and line.y <= here.y
        ]
        if beside:
            self._go(min(beside)[2])

    def action_step(self, rows: int) -> None:
        """Move the cursor by a line."""
        at = self._cursor + rows
        while 0 < at < len(self._report) - 1 and not self._report[at].words:
            at += rows  # Empty lines have nothing to stop at.
        self._go(at)

    def action_page(self, pages: int) -> None:
        """Move the cursor by the visible height."""
        self._go(self._cursor + pages * max(1, self._height - 1))

    def action_edge(self, side: int) -> None:
        """Move the cursor to the first or last line."""
        self._go(side * len(self._report))


def _pieces(line: ReportLine, here: bool) -> list[Piece]:
    line_pieces = [Piece(part.text, Tone.STRONG) for part in pieces(line.words)] if here else pieces(line.words)
    return [piece("►" if here else " ", Tone.STRONG), *line_pieces]
