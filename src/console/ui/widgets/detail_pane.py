"""The detail of a record: its sections in order, below a line with their titles."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, zip_longest
from operator import itemgetter

from rich.segment import Segment
from textual import events
from textual.geometry import Region, Size
from textual.strip import Strip

from console.base.text import cells, clean, left_out
from console.ui.widgets.line_view import LineView
from console.ui.widgets.theme import ScreenPart, theme_here
from console.ui.widgets.wrapping import wrap
from console.views.cell import Cell, Line, Section, Tone
from console.views.lines import FAULTS, before_closed

_MARGIN = 1
_COLUMN = 53
"""Least width of one of several columns."""
_MOST_COLUMNS = 3
_BETWEEN = "   "
"""The space between them."""
_LEAST_FURTHER = 3
"""Lines of a section with one line, below an empty one."""
_AROUND_TITLE = 3
"""Cells around a title in the line of titles."""

MOST_LINES = 5_000
"""Most lines of one section."""


def _bounded(section: Section) -> Sequence[Line]:
    more = left_out(len(section.lines) - MOST_LINES, "line")
    return (*section.lines[:MOST_LINES], (Cell(more, Tone.QUIET),)) if more else section.lines


def _joined(parts: Sequence[Line], room: int) -> Line:
    """Return the lines of columns in one row."""
    row: list[Cell] = []
    used = 0
    for place, part in enumerate(parts):
        if not part:
            continue
        row += [Cell(clean(" " * (place * (room + len(_BETWEEN)) - used)))] if place else []
        row += part
        used = place * (room + len(_BETWEEN)) + sum(cells(cell.text) for cell in part)
    return tuple(row)


_Arranged = tuple[list[Line], list[tuple[int, Section]], dict[Line, tuple[Line, ...]]]


class DetailPane(LineView, can_focus=True):
    """Shows sections and scrolls; `step` and `open` move between sections. Unchanged lines are not painted again.

    A closed section is one line until `toggle` or a click opens it. In columns it is open if it fits below the first
    section. `opened` has the choices of the user by the ids of such sections, and may be shared by several panes.
    Further sections are shown before the closed ones once they fit whole, so that no line above moves.
    """

    def __init__(self, opened: dict[str, bool] | None = None, *, in_columns: bool = False, opens: bool = True) -> None:
        """`in_columns` shows the sections after the first beside it, where both have room.

        Without `opens`, closed ones stay so even where there is room.
        """
        super().__init__()
        self._opens = opens
        self._in_columns = in_columns
        self._key = ""
        self._opened: dict[str, bool] = {} if opened is None else opened
        self._drawn_opened: dict[str, bool] = {}
        self._given: tuple[Section, ...] = ()
        self._further: tuple[Section, ...] = ()
        self._taken: list[str] = []
        """Ids of the further sections that are shown of this record."""
        self._all: tuple[Section, ...] = ()
        """The given sections with the further ones that are shown."""
        self._sections: tuple[Section, ...] = ()
        """Those that are not closed."""
        self._toggles: dict[int, str] = {}
        """Ids of the sections that can be opened or closed, by the line of their title."""
        self._rows: list[Line] = []
        self._side_by_side: tuple[Sequence[Line], ...] = ()
        """The columns of which they consist."""
        self._starts: list[int] = []
        self._titles: tuple[str, ...] = ()
        self._wrapped: dict[Line, tuple[Line, ...]] = {}
        self._wrapped_for = 0
        """The width in which they are wrapped."""

    @property
    def section(self) -> str:
        """The id of the section at the top; empty without content."""
        return self._sections[self._current].id if self._sections else ""

    @property
    def rows(self) -> int:
        """Number of lines at the current width."""
        return len(self._rows)

    @property
    def scrolls(self) -> bool:
        """Whether not all lines are visible."""
        return len(self._rows) > self._height

    @property
    def has_room(self) -> bool:
        """Whether further sections are shown, or might fit: each takes at least three lines."""
        return bool(self._taken) or self._height - len(self._rows) >= _LEAST_FURTHER

    @property
    def steps(self) -> bool:
        """Whether `step` leads anywhere: there are several sections, and not all are visible."""
        return bool(self._head)

    @property
    def words(self) -> str:
        """All text without styles, including hidden lines, one column after the other."""
        rows = [row for column in self._side_by_side for row in column]
        return "\n".join("".join(cell.text for cell in row).rstrip() for row in rows)

    def show(self, key: str, sections: Sequence[Section], further: tuple[Section, ...] = ()) -> None:
        """Show these sections, and the `further` ones that fit.

        Another key starts at the top; the same key keeps the scroll position.
        """
        shown = tuple(sections), further
        if key == self._key and shown == (self._given, self._further) and self._opened == self._drawn_opened:
            return
        fresh = key != self._key
        self._key, (self._given, self._further) = key, shown
        if fresh:
            self._taken = []
        self._lay_out()
        if fresh:
            self.scroll_to(y=0, animate=False, force=True)

    def open(self, section_id: str) -> None:
        """Scroll to a section."""
        for start, section in zip(self._starts, self._sections, strict=True):
            if section.id == section_id:
                self.scroll_to(y=start, animate=False, force=True)

    def step(self, step: int) -> None:
        """Scroll to the next or previous section that begins on another line."""
        starts = sorted(set(self._starts))
        if starts:
            place = bisect_right(starts, self.scroll_offset.y) - 1 + step
            self.scroll_to(y=starts[place % len(starts)], animate=False, force=True)

    def toggle(self) -> None:
        """Open the sections that can be closed, and scroll to the first; or close them."""
        ids = [section.id for section in self._all if section.closed]
        opens = not any(section.closed for section in self._sections)
        self._opened.update(dict.fromkeys(ids, opens))
        self._lay_out()
        if ids and opens:
            self.open(ids[0])

    # -- layout --------------------------------------------------------------------------------------------------

    @property
    def _width(self) -> int:
        return max(8, self.room.width)

    @property
    def _head(self) -> int:
        """Number of fixed lines at the top: the titles of sections, if not all are visible."""
        return 1 if len(self._sections) > 1 and len(self._rows) > self._height else 0

    @property
    def _height(self) -> int:
        return max(1, self.room.height)

    @property
    def _current(self) -> int:
        return max(0, bisect_right(self._starts, self.scroll_offset.y) - 1)

    def _lay_out(self) -> None:
        if not self.is_mounted:
            return
        before, head, named = self._rows, self._head, (self._titles, self._current)
        self._drawn_opened, self._toggles = dict(self._opened), {}
        rows, starts, wrapped = self._with_further()
        self._sections, self._starts = tuple(section for _, section in starts), [start for start, _ in starts]
        self._rows, self._wrapped, self._titles = rows, wrapped, tuple(titled.title for titled in self._sections)
        lines = len(rows)
        if self._head:
            lines = max(lines, self._starts[-1] + self._height - 1) + 1
        self.resize_content(Size(self._width, lines))
        if head != self._head:
            self.refresh()
            return
        top, width = self.scroll_offset.y, self._width
        differing = [Region(0, 0, width, head)] if head and named != (self._titles, self._current) else []
        for line in range(self._height):
            index = top + line
            now = rows[index] if index < len(rows) else None
            was = before[index] if index < len(before) else None
            if now != was:
                differing.append(Region(0, line + head, width, 1))
        if differing:
            self.refresh(*differing)

    def _with_further(self) -> _Arranged:
        """Return the lines with the further sections that fit, or are shown already."""
        by_id = {section.id: section for section in self._further}
        self._taken = [taken for taken in self._taken if taken in by_id]
        self._all = before_closed(self._given, tuple(by_id[taken] for taken in self._taken))
        arranged = self._arranged()
        for section in self._further:
            free = self._height - len(arranged[0])
            if section.id in self._taken or len(section.lines) + 2 > free or not self._given:
                continue
            without = self._all
            self._all = before_closed(self._all, (section,))
            tried = self._arranged()
            if len(tried[0]) > self._height:
                # Its lines are wrapped.
                self._all = without
                continue
            arranged = tried
            self._taken.append(section.id)
        return arranged

    def _arranged(self) -> _Arranged:
        """Return the lines, the open sections with the lines where they begin, and the lines as they were wrapped."""
        wrapped = dict[Line, tuple[Line, ...]]()
        columns = self._columns()
        room = (self._width - 2 * _MARGIN - len(_BETWEEN) * (len(columns) - 1)) // len(columns)
        if room != self._wrapped_for:
            self._wrapped_for, self._wrapped = room, {}
        laid_out = [self._column(sections, room, wrapped, several=len(columns) > 1) for sections in columns]
        self._side_by_side = tuple(rows for rows, _ in laid_out)
        starts = sorted((start for _, starts in laid_out for start in starts), key=itemgetter(0))
        if len(columns) == 1:
            return laid_out[0][0], starts, wrapped
        return [_joined(parts, room) for parts in zip_longest(*self._side_by_side, fillvalue=())], starts, wrapped

    def _columns(self) -> list[Sequence[Section]]:
        """Return the sections by column: the first one with those that are closed at first, then the others."""
        first = 2 if self._all and self._all[0].id == FAULTS else 1
        others = [section for section in self._all[first:] if not section.closed]
        beside = min(_MOST_COLUMNS, self._width // _COLUMN) - 1
        if not self._in_columns or not others or beside < 1:
            return [self._all]
        left = (*self._all[:first], *(section for section in self._all[first:] if section.closed))
        above = [0, *accumulate(len(section.lines) + 2 for section in others)]
        # A section stands in the column of its middle, if all columns were equally long.
        parts: list[list[Section]] = [[] for _ in range(beside)]
        for section, top, end in zip(others, above, above[1:], strict=False):
            parts[(top + end) * beside // (2 * above[-1])].append(section)
        return [left, *(part for part in parts if part)]

    def _column(
        self, sections: Sequence[Section], room: int, wrapped: dict[Line, tuple[Line, ...]], *, several: bool
    ) -> tuple[list[Line], list[tuple[int, Section]]]:
        """Return the lines of sections below each other, and the open ones with the lines where they begin.

        A closed one is open where it fits below the others, if there are `several` columns and the user did not choose.
        """
        rows: list[Line] = []
        starts: list[tuple[int, Section]] = []
        for section in sections:
            if rows:
                rows.append(())
            is_open = self._opened.get(section.id) if section.closed else True
            if is_open is None:
                is_open = several and self._opens and len(rows) + 1 + len(section.lines) < self._height
            if section.closed:
                self._toggles[len(rows)] = section.id
            if not is_open:
                rows.append((Cell(clean(section.title), Tone.STRONG), Cell(clean("  ►"), Tone.QUIET)))
                continue
            starts.append((len(rows), section))
            if len(self._all) > 1:
                mark = (Cell(clean("  ▼"), Tone.QUIET),) if section.closed else ()
                rows.append((Cell(clean(section.title), Tone.STRONG), *mark))
            for line in _bounded(section):
                fitted = wrapped.get(line) or self._wrapped.get(line) or wrap(line, room)
                wrapped[line] = fitted
                rows.extend(fitted)
        return rows, starts

    def on_resize(self, _event: events.Resize) -> None:
        """Wrap the lines for the new width."""
        self._lay_out()
        self.refresh()

    # -- painting ------------------------------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        """Paint one visible line."""
        head = self._head
        if y < head:
            return self._names()
        index = self.scroll_offset.y + y - head
        row = self._rows[index] if index < len(self._rows) else ()
        theme, base, width = theme_here(self), self.base, self._width
        segments = [Segment(" " * _MARGIN, base)]
        segments += [Segment(cell.text, base + theme.tones[cell.tone].rich) for cell in row]
        taken = sum([segment.cell_length for segment in segments])
        # Textual would create another strip to pad one; creating a strip is half of the cost of a line.
        segments.append(Segment(" " * (width - taken), base))
        return Strip(segments, max(taken, width)).adjust_cell_length(width, base)

    def _names(self) -> Strip:
        """Paint the titles of sections, highlighting the one at the top."""
        theme, base = theme_here(self), self.base
        header = base + theme.parts[ScreenPart.HEADER].rich
        segments: list[Segment] = []
        for section in self._named():
            style = base + theme.parts[ScreenPart.TAB].rich if section.id == self.section else header
            segments += [Segment(f" {clean(section.title)} ", style), Segment(" ", header)]
        if self._sections[-1] is not self._named()[-1]:
            segments.append(Segment("…", header))
        strip = Strip(segments)
        if strip.cell_length > self._width + 2:
            strip = Strip.join([strip.crop(0, self._width - 1), Strip([Segment("…", header)])])
        return strip.adjust_cell_length(self._width, header)

    def _named(self) -> Sequence[Section]:
        """Return the sections whose titles are at the top: the current one, and those around it that have room."""
        current, widths = self._current, [cells(clean(section.title)) + _AROUND_TITLE for section in self._sections]

        def has_room(first: int, end: int) -> bool:
            return sum(widths[first:end]) + (end < len(widths)) <= self._width

        first = next((place for place in range(current) if has_room(place, current + 1)), current)
        end = next((end for end in range(len(widths), current + 1, -1) if has_room(first, end)), current + 1)
        return self._sections[first:end]

    def on_click(self, event: events.Click) -> None:
        """Scroll to the section of a clicked title at the top; open or close the section of a title in the text."""
        if event.y >= self._head:
            if (section_id := self._toggles.get(self.scroll_offset.y + event.y - self._head)) is not None:
                self._opened[section_id] = all(section.id != section_id for section in self._sections)
                self._lay_out()
            return
        left = 0
        for section in self._named():
            left += cells(clean(section.title)) + _AROUND_TITLE
            if event.x < left:
                self.open(section.id)
                return
