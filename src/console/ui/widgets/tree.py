"""A tree with headings: the resources of the administration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message

from console.base.frozen import Frozen
from console.base.signs import drawn
from console.base.text import SafeText, fit
from console.ui.widgets.styled_line import Piece, StyledLine, piece
from console.ui.widgets.theme import ScreenPart
from console.views.cell import Tone

_WHEEL = 3
"""Rows by which a step of the mouse wheel scrolls."""


class Leaf(Frozen):
    """An item; `branch` is its heading."""

    name: str
    branch: SafeText
    title: SafeText
    idle: bool = False
    """Whether it is greyed, because it has no operations here."""


class Tree(StyledLine, can_focus=True):
    """Items under headings. Moving the cursor selects an item; the tree scrolls."""

    DEFAULT_CSS = """
    Tree { height: 1fr; width: 24; background: $panel; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "step(-1)", "up", show=False),
        Binding("down,j", "step(1)", "down", show=False),
        Binding("pageup", "step(-10)", show=False),
        Binding("pagedown", "step(10)", show=False),
        Binding("home", "step(-1000)", show=False),
        Binding("end", "step(1000)", show=False),
        Binding("enter,right", "enter", show=False),
    ]

    class Chosen(Message):
        """The cursor moved to an item; `entered` tells whether to move the focus to its list."""

        def __init__(self, name: str, entered: bool) -> None:
            super().__init__()
            self.name = name
            self.entered = entered

    def __init__(self, symbols: str = "full") -> None:
        super().__init__()
        self._symbols = symbols
        self._leaves: Sequence[Leaf] = ()
        self._cursor = ""
        self._top = 0
        """The index of the first visible row."""

    @property
    def cursor(self) -> str:
        """The name of the selected item."""
        return self._cursor

    def show(self, leaves: Sequence[Leaf], cursor: str) -> None:
        """Show these items, with the selected one."""
        self._leaves, self._cursor = leaves, cursor
        self._reveal()

    def show_cursor(self, name: str) -> None:
        """Move the cursor without selecting."""
        self._cursor = name
        self._reveal()

    def _index(self) -> int:
        return next((at for at, leaf in enumerate(self._leaves) if leaf.name == self._cursor), 0)

    def _rows(self) -> list[Leaf | SafeText]:
        rows: list[Leaf | SafeText] = []
        for leaf in self._leaves:
            if leaf.branch not in rows:
                rows.append(leaf.branch)
            rows.append(leaf)
        return rows

    @property
    def _height(self) -> int:
        return max(1, self.size.height)

    def _reveal(self) -> None:
        """Scroll as little as makes the cursor visible, with the rows before and after it, and draw."""
        rows = self._rows()
        at = next((at for at, row in enumerate(rows) if isinstance(row, Leaf) and row.name == self._cursor), 0)
        self._draw_from(rows, min(max(self._top, at - self._height + 2), max(0, at - 1)))

    def _draw_from(self, rows: Sequence[Leaf | SafeText], top: int) -> None:
        self._top = max(0, min(top, len(rows) - self._height))
        self.update(*(self._row(row) for row in rows[self._top : self._top + self._height]))

    def _row(self, row: Leaf | SafeText) -> list[Piece]:
        if not isinstance(row, Leaf):
            return [piece(row, Tone.QUIET)]
        width = max(8, self.size.width - 2)
        here = row.name == self._cursor
        plain = Tone.QUIET if row.idle else Tone.PLAIN
        look = ScreenPart.CURSOR if here and self.has_focus else plain
        pointer = drawn(("► " if self.has_focus else "› ") if here else "  ", self._symbols)
        return [piece(pointer, ScreenPart.KEY), piece(fit(row.title, max(4, width - 2)), look)]

    def watch_has_focus(self, _has_focus: bool) -> None:
        """Show whether the tree has the focus."""
        super().watch_has_focus(_has_focus)
        self._draw_from(self._rows(), self._top)

    def on_resize(self) -> None:
        """Keep the cursor visible."""
        self._reveal()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll; the cursor stays where it is."""
        event.stop()
        self._draw_from(self._rows(), self._top + _WHEEL)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll; the cursor stays where it is."""
        event.stop()
        self._draw_from(self._rows(), self._top - _WHEEL)

    def on_click(self, event: events.Click) -> None:
        """Select the clicked item."""
        rows = self._rows()
        at = self._top + event.y
        row = rows[at] if 0 <= at < len(rows) else None
        if isinstance(row, Leaf):
            self._choose(row.name, entered=True)

    def action_step(self, step: int) -> None:
        """Move the cursor."""
        if self._leaves:
            self._choose(self._leaves[min(max(self._index() + step, 0), len(self._leaves) - 1)].name, entered=False)

    def action_enter(self) -> None:
        """Enter the selected item."""
        if self._leaves:
            self._choose(self._leaves[self._index()].name, entered=True)

    def _choose(self, name: str, *, entered: bool) -> None:
        self._cursor = name
        self._reveal()
        self.post_message(self.Chosen(name, entered))
