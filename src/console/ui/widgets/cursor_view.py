"""Scrollable rows of a view with a cursor that belongs to a key, moved by fixed keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual.geometry import Region

from console.ui.widgets import table_messages
from console.ui.widgets.line_view import LineView

if TYPE_CHECKING:
    from console.views.view import View

HEADER = 1


class CursorView(LineView):
    """Rows below a header. Inserted and removed rows never change the record under the cursor."""

    MOVES: ClassVar[Mapping[str, Callable[[CursorView], None]]] = {
        "up": lambda view: view.action_move(-1),
        "down": lambda view: view.action_move(1),
        "pageup": lambda view: view.action_page(-1),
        "pagedown": lambda view: view.action_page(1),
        "home": lambda view: view.action_edge(-1),
        "end": lambda view: view.action_edge(1),
        "left": lambda view: view.action_aside(-1),
        "right": lambda view: view.action_aside(1),
    }
    """Fixed movement keys, handled directly in `on_key`."""

    CursorMoved = table_messages.CursorMoved

    def __init__(self, view: View[Any]) -> None:
        super().__init__()
        self.view = view
        self._held: tuple[str | None, int] = (None, 0)

    def move_to(self, key: str) -> None:
        """Move the cursor to a record and scroll to it. An unknown key changes nothing."""
        index = self.view.index(key)
        if index is None:
            return
        self._set_cursor(key)
        self._reveal(index)

    @property
    def _width(self) -> int:
        return max(1, self.room.width)

    @property
    def _height(self) -> int:
        """Number of visible rows."""
        return max(1, self.room.height - HEADER)

    @property
    def _top(self) -> int:
        return self.scroll_offset.y

    def _hold(self) -> None:
        """Note which row keeps its line when others change: the row of the cursor if visible, otherwise the top one.

        The last painted frame does not tell, because nothing is painted between two frames.
        """
        index = self.view.index(self.view.cursor)
        line = -1 if index is None else index - self._top
        self._held = (self.view.cursor, line) if 0 <= line < self._height else (self.view.key_at(self._top), 0)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Note the row to keep after scrolling."""
        super().watch_scroll_y(old_value, new_value)
        self._hold()

    def _visible_keys(self) -> list[str]:
        return self.view.window(self._top, self._height)

    def _set_cursor(self, key: str | None) -> None:
        if key == self.view.cursor:
            return
        before, self.view.cursor = self.view.cursor, key
        self._hold()
        self._refresh_keys({value for value in (before, key) if value is not None})
        # Post it directly to the screen: passing through all parents would delay the frame.
        listener = self.screen if self.is_attached else self
        listener.post_message(self.CursorMoved(self, key))

    def _go(self, index: int) -> None:
        key = self.view.key_at(min(max(0, index), self.view.matched - 1))
        if key is not None:
            self.move_to(key)

    def _reveal(self, index: int | None) -> None:
        """Scroll as little as necessary to show a row, and keep it in its line."""
        if index is not None:
            self._scroll(min(index, max(self._top, index - self._height + 1)))
        self._hold()

    def _scroll(self, top: int) -> None:
        self.scroll_to(y=min(max(0, top), max(0, self.view.matched - self._height)), animate=False, force=True)

    def on_key(self, event: events.Key) -> None:
        """Handle movement keys at once.

        Textual searches a key's binding after the key has passed through all parents, in eight turns of its loop, which
        is two thirds of the cost of a key.
        """
        if event.key in self.MOVES:
            event.stop()
            event.prevent_default()
            self.MOVES[event.key](self)

    def action_move(self, rows: int) -> None:
        """Move the cursor by rows."""
        self._go((self.view.index(self.view.cursor_key) or 0) + rows)

    def action_page(self, pages: int) -> None:
        """Move the cursor by the visible height."""
        self.action_move(pages * max(1, self._height - 1))

    def action_edge(self, side: int) -> None:
        """Move the cursor to the first or last row."""
        self._go(0 if side < 0 else self.view.matched - 1)

    def action_aside(self, step: int) -> None:
        """Scroll horizontally by a column."""

    # -- painting ------------------------------------------------------------------------------------------------

    def _refresh_keys(self, keys: set[str] | frozenset[str]) -> None:
        if not keys:
            return
        self._refresh_lines(line for line, key in enumerate(self._visible_keys()) if key in keys)

    def _refresh_lines(self, lines: Iterable[int]) -> None:
        """Paint lines with one call, because each call of Textual is expensive."""
        regions = [self._line(line) for line in lines]
        if regions:
            self.refresh(*regions)

    def _line(self, line: int) -> Region:
        return Region(0, line + HEADER, self._width, 1)
