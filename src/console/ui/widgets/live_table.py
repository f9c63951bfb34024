"""The table of live records.

It has no cell objects: the view provides the keys, and only visible lines are rendered, once per change. Cursor and
selection belong to keys, so that inserted and removed rows never change the record under the cursor.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any, ClassVar

from textual import events, on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Region, Size
from textual.strip import Strip

from console.ui.widgets import table_messages
from console.ui.widgets.cursor_view import HEADER, CursorView
from console.ui.widgets.row_painter import Differing, RowLook, RowMemory, RowPainter, RowState, line_of_words
from console.ui.widgets.table_layout import GUTTER, Layout, lay_out
from console.ui.widgets.theme import ScreenPart, theme_here
from console.views.columns import Column
from console.views.view import Repaint, View


class LiveTable(CursorView, can_focus=True):
    """The rows of a view, with cursor, selection, header and command states."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", show=False),
        Binding("space", "mark", show=False),
        Binding("asterisk", "mark_all", show=False),
    ]

    RecordOpened = table_messages.RecordOpened
    SelectionChanged = table_messages.SelectionChanged
    SortRequested = table_messages.SortRequested

    def __init__(self, view: View[Any]) -> None:
        super().__init__(view)
        self._states: dict[str, RowState] = {}
        self._empty = Content("")
        self._aside = 0
        self._everything = False
        self._memory: RowMemory | None = None
        self._laid_out: tuple[tuple[Sequence[Column[Any]], int, bool], Layout] | None = None
        self._painted: list[str | None] = []
        self._second = -1

    # -- interface of screens ------------------------------------------------------------------------------------

    @property
    def states(self) -> Mapping[str, RowState]:
        """States of commands by row key."""
        return self._states

    @property
    def empty(self) -> Content:
        """The text without rows."""
        return self._empty

    @empty.setter
    def empty(self, content: Content) -> None:
        if not content.is_same(self._empty):
            self._empty = content
            if not self.view.matched:
                self.refresh()

    def set_states(self, states: Mapping[str, RowState]) -> None:
        """Set the states of commands by row."""
        if states == self._states:
            return
        changed = {key for key in {*states, *self._states} if states.get(key) != self._states.get(key)}
        self._states = dict(states)
        self._refresh_keys(changed)

    def set_selection(self, keys: frozenset[str]) -> None:
        """Set the selection."""
        changed = self.view.selection ^ keys
        if changed:
            self.view.selection = keys
            self._refresh_keys(changed)
            self.post_message(self.SelectionChanged(self))

    def refresh_changes(self, change: Repaint) -> None:
        """Paint the effects of a change of the view. Called on every beat, also with an empty change."""
        if not self.is_mounted:
            return
        now = self.view.render_context.now_ms
        memory = self._rows
        self._refresh_cells(memory.end_flashes(now))
        if change.moved or change.counts:
            self._follow()
        render: Set[str] = frozenset()
        if change.dirty:
            visible_keys = self._visible_keys()
            render = change.dirty.intersection(visible_keys)
            memory.forget(change.dirty, render)
            self._refresh_cells(memory.changed(render, now, len(visible_keys)))
        if self.visible_layout != self._current_layout():
            self.paint_anew()
        elif now // 1000 != self._second:
            self._second = now // 1000
            others = [key for key in self._visible_keys() if key not in render]
            self._refresh_cells(memory.ticked(others, self._second))

    # -- layout --------------------------------------------------------------------------------------------------

    def _current_layout(self) -> Layout:
        """Lay out the columns anew if they or the width changed."""
        wanted = (tuple(self.view.columns), self._width, self._everything)
        if self._laid_out is None or self._laid_out[0] != wanted:
            self._laid_out = (wanted, lay_out(*wanted))
        return self._laid_out[1]

    @property
    def visible_layout(self) -> Layout:
        """The columns that fit, with their positions."""
        return self._rows.painter.layout

    @property
    def _rows(self) -> RowMemory:
        if self._memory is None:
            symbols = self.view.render_context.symbols
            painter = RowPainter(theme_here(self), self._current_layout(), symbols, self.base)
            self._memory = RowMemory(self.view, painter)
        return self._memory

    def paint_anew(self) -> None:
        """Paint everything, after a change of columns, width or theme."""
        self._memory = None
        self._resize_rows()
        self.refresh()

    def _resize_rows(self) -> None:
        self.resize_content(Size(self._width, self.view.matched + HEADER))

    def on_mount(self) -> None:
        """Start with the cursor on the first row."""
        super().on_mount()
        self.paint_anew()
        self._set_cursor(self.view.cursor_key)

    def on_resize(self) -> None:
        """Select columns for the new width and keep the cursor visible."""
        self.paint_anew()
        self._reveal(self.view.index(self.view.cursor_key))

    @on(events.Focus)
    @on(events.Blur)
    def _show_focus(self) -> None:
        """Show whether the table has the focus."""
        self.refresh(Region(0, 0, self._width, HEADER))
        self._refresh_keys({self.view.cursor_key or ""})

    # -- changes of rows -----------------------------------------------------------------------------------------

    def _follow(self) -> None:
        """Update after rows were inserted, removed or moved: keep the cursor on its record and its line, paint the
        differences.
        """
        view = self.view
        key, line = self._held
        with_cursor = key == self.view.cursor
        # A set difference would iterate over all records.
        gone = {key for key in view.selection if key not in view.records}
        if gone:
            view.selection -= gone
            self.post_message(self.SelectionChanged(self))
        self._resize_rows()
        self.refresh(Region(0, 0, self._width, HEADER))
        self._set_cursor(self.view.cursor_key)
        index = view.index(view.nearest(key))
        if index is not None and self._top > 0:
            self._scroll(index - line)
        self._reveal(index if with_cursor else None)
        if not view.matched or not any(self._painted):
            self.refresh()
            return
        top = self._top
        self._refresh_lines(line for line, was in enumerate(self._painted) if view.key_at(top + line) != was)

    def _refresh_cells(self, differing: Differing) -> None:
        """Paint the cells that differ."""
        if not differing:
            return
        regions: list[Region] = []
        for line, key in enumerate(self._visible_keys()):
            if key not in differing:
                continue
            columns = differing[key]
            if columns is None or key in self._states:
                regions.append(self._line(line))
                continue
            for placed in columns:
                left = max(GUTTER, GUTTER + placed.left - self._aside)
                right = GUTTER + placed.left + placed.width - self._aside
                if right > left:
                    regions.append(Region(left, line + HEADER, right - left, 1))
        if regions:
            self.refresh(*regions)

    # -- painting ------------------------------------------------------------------------------------------------

    def render_lines(self, crop: Region) -> list[Strip]:
        """Paint lines in the current colours: Textual announces a theme before it computes its styles."""
        self._memory = self._memory if self._memory and self._memory.painter.base == self.base else None
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """Paint one visible line."""
        width = max(1, self.room.width)
        rows = self._memory or self._rows
        painter = rows.painter
        if y < HEADER:
            strip = painter.header(self.view.sort, self.has_focus, width)
            return painter.window(strip, self._aside, width)
        line = y - HEADER
        key = self.view.key_at(self._top + line)
        while len(self._painted) <= line:
            self._painted.append(None)
        self._painted[line] = key
        if key is None:
            message = Content("") if self.view.matched else self._empty
            return line_of_words(self, message, line - 1, width)
        record = self.view.record(key)
        if record is None:
            return Strip.blank(width, self.base)
        look = self._look(key, rows.lit(key))
        strip = rows.strip(key, record, look, width)
        strip = painter.window(strip, self._aside, width) if self._aside else strip.crop(0, width)
        return strip if look.state is None else painter.with_words(strip, look, width)

    def render_part(self, lines: Sequence[int], x: int, width: int) -> list[Strip] | None:
        """Return the cells of one column, if these are the part: ages change each second, and nothing else does."""
        rows = self._memory
        place = -1 if rows is None or self._aside else rows.painter.layout.place(x - GUTTER, width)
        if rows is None or place < 0 or lines[0] < HEADER:
            return None
        first, last = lines[0], lines[-1]
        window = self.view.window(self._top + first - HEADER, last - first + 1)
        if len(window) <= last - first:
            return None
        keys = [window[y - first] for y in lines]
        if not self._states.keys().isdisjoint(keys):
            return None
        return rows.column(place, keys, self.view.cursor if self.has_focus else None)

    def _look(self, key: str, lit: frozenset[str]) -> RowLook:
        cursor = None
        if key == self.view.cursor:
            cursor = ScreenPart.CURSOR if self.has_focus else ScreenPart.BLURRED
        return RowLook(cursor, key in self.view.selection, self._states.get(key), lit)

    # -- keys ----------------------------------------------------------------------------------------------------

    def action_aside(self, step: int) -> None:
        """Scroll horizontally by a column; moving right also shows the hidden columns."""
        if step > 0 and not self._everything and self.visible_layout.hidden:
            self._everything = True
            self.paint_anew()
            return
        lefts = [placed.left for placed in self.visible_layout.placed]
        furthest = max(0, self.visible_layout.width - self._width)
        if step > 0:
            self._aside = min(next((left for left in lefts if left > self._aside), self._aside), furthest)
        elif self._aside:
            self._aside = max((left for left in lefts if left < self._aside), default=0)
        elif self._everything:
            self._everything = False
            self.paint_anew()
            return
        self.refresh()

    def action_open(self) -> None:
        """Open the record under the cursor."""
        if (key := self.view.cursor_key) is not None:
            self.post_message(self.RecordOpened(self, key))

    # -- selection -----------------------------------------------------------------------------------------------

    def action_mark(self) -> None:
        """Toggle the selection of the record under the cursor, and move to the next."""
        if (key := self.view.cursor_key) is not None:
            self.set_selection(self.view.selection ^ {key})
            self.action_move(1)

    def action_mark_all(self) -> None:
        """Select all shown records; if all are selected, clear the selection."""
        keys = frozenset(self.view.keys)
        self.set_selection(frozenset() if keys <= self.view.selection else keys)

    # -- mouse ---------------------------------------------------------------------------------------------------

    def on_click(self, event: events.Click) -> None:
        """Move the cursor to the clicked row; a title sorts, a double click opens, ctrl selects."""
        if event.y < HEADER:
            placed = self.visible_layout.at(event.x - GUTTER + self._aside)
            if placed is not None and event.x < self._width:
                self.post_message(self.SortRequested(self, placed.column.id))
            return
        key = self.view.key_at(self._top + event.y - HEADER)
        if key is None:
            return
        self.move_to(key)
        if event.ctrl:
            self.set_selection(self.view.selection ^ {key})
        elif event.chain == 2:
            self.post_message(self.RecordOpened(self, key))
