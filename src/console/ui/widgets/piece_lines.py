"""Scrollable lines of styled text. Only the visible cells that differ are painted."""

from __future__ import annotations

from itertools import zip_longest
from typing import ClassVar

from rich.style import Style
from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.strip import Strip

from console.ui.widgets.line_view import LineView
from console.ui.widgets.styled_line import LineStyles, Piece, differing
from console.ui.widgets.theme import ScreenPart, theme_here


class PieceLines(LineView, can_focus=True):
    """Base class of lists with a cursor. Subclasses have the actions `step`, `page` and `edge`, and call `_draw`."""

    DEFAULT_CSS = """
    PieceLines { height: 1fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "step(-1)", "up", show=False),
        Binding("down", "step(1)", "down", show=False),
        Binding("pageup", "page(-1)", "page up", show=False),
        Binding("pagedown", "page(1)", "page down", show=False),
        Binding("home", "edge(-1)", "first", show=False),
        Binding("end", "edge(1)", "last", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[list[Piece]] = []
        """The content of each visible line."""
        self._lit: int | None = None
        """The visible line with the background of the cursor; None without one."""

    def _visible_rows(self) -> list[list[Piece]]:
        """Return the content of the visible lines, and set `_lit`."""
        raise NotImplementedError  # A widget class cannot be abstract too.

    @property
    def _top(self) -> int:
        return self.scroll_offset.y

    @property
    def _height(self) -> int:
        return max(1, self.room.height)

    def _scroll(self, top: int) -> None:
        if top != self._top:
            self.scroll_to(y=top, animate=False, force=True)

    def _draw(self) -> None:
        """Paint the visible cells that differ."""
        before, lit, width = self._rows, self._lit, max(1, self.room.width)
        self._rows = self._visible_rows()
        regions = [
            Region(left, y, min(right, width) - left, 1)
            for y, (was, now) in enumerate(zip_longest(before, self._rows, fillvalue=()))
            for left, right in differing(was, now)
            if left < width
        ]
        if lit != self._lit:
            regions += [Region(0, y, width, 1) for y in (lit, self._lit) if y is not None]
        if regions:
            self.refresh(*regions)

    def render_line(self, y: int) -> Strip:
        """Paint one visible line."""
        theme, base = theme_here(self), self.base
        row = self._rows[y] if y < len(self._rows) else []
        ground = theme.parts[ScreenPart.CURSOR].rich if y == self._lit else Style()
        return LineStyles(theme, base, ground).painted(row).adjust_cell_length(max(1, self.room.width), base + ground)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Show the newly visible lines."""
        self._draw()
        super().watch_scroll_y(old_value, new_value)

    def watch_has_focus(self, _has_focus: bool) -> None:
        """Show whether the list has the focus."""
        super().watch_has_focus(_has_focus)
        self._draw()
