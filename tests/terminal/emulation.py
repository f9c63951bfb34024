"""The screen of an emulated terminal, with its text independent of where lines were wrapped."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from typing import Any

import pyte
from pyte.screens import Char

ALTERNATE_SCREEN = 1049
WRAPPED = -1
"""The column that marks a line which continues in the next one. It is never shown, and scrolls with its line."""


class Cell(Char):
    """A cell of the screen. Equal cells are shared."""

    def _replace(  # pyright: ignore[reportIncompatibleMethodOverride] - pyte creates every cell with it
        self, **changes: Any
    ) -> Cell:
        return _written(self, changes["data"]) if changes.keys() == {"data"} else super()._replace(**changes)


@cache
def _written(style: Cell, text: str) -> Cell:
    return Cell(text, *style[1:])


_EMPTY = Cell(" ")


class Glass(pyte.Screen):
    """A screen that keeps its contents while a program uses the alternate screen, and records wrapped lines."""

    def __init__(self, columns: int, lines: int) -> None:
        self._drawing = False
        super().__init__(columns, lines)
        self._beneath: Any = None

    @property
    def text(self) -> str:
        """The text on the screen by lines; a wrapped line is one line."""
        text = ""
        for line in map(self.buffer.__getitem__, range(self.lines)):
            # A wide character is followed by an empty cell.
            said = "".join([line.get(column, line.default).data for column in range(self.columns)]) if line else ""
            text += said if WRAPPED in line else f"{said.rstrip()}\n"
        return text.rstrip()

    @property
    def default_char(self) -> Cell:
        """An empty cell."""
        return _EMPTY

    def reset(self) -> None:
        """Reset the screen."""
        super().reset()
        self.cursor.attrs = _EMPTY

    def draw(self, data: str) -> None:
        """Write a text, wrapping at the edge."""
        self._drawing = True
        super().draw(data)
        self._drawing = False

    def linefeed(self) -> None:
        """Go to the next line, because of a line feed or because the line is full."""
        line = self.buffer[self.cursor.y]
        if self._drawing:
            line[WRAPPED] = self.cursor.attrs
        else:
            line.pop(WRAPPED, None)
        super().linefeed()

    def erase_in_line(self, how: int = 0, private: bool = False) -> None:
        """Erase a line. A line without its end is not wrapped."""
        super().erase_in_line(how, private)
        if how != 1:
            self.buffer[self.cursor.y].pop(WRAPPED, None)

    def erase_in_display(self, how: int = 0, *args: Any, **kwargs: Any) -> None:
        """Erase lines. Erased lines are not wrapped."""
        super().erase_in_display(how, *args, **kwargs)
        first, end = {0: (self.cursor.y, self.lines), 1: (0, self.cursor.y)}.get(how, (0, self.lines))
        for number in range(first, end):
            self.buffer[number].pop(WRAPPED, None)

    def set_mode(self, *modes: int, **kwargs: Any) -> None:
        """Set a mode. The alternate screen starts empty."""
        super().set_mode(*modes, **kwargs)
        if ALTERNATE_SCREEN in modes and self._beneath is None:
            self._beneath = deepcopy(self.buffer), self.cursor.x, self.cursor.y
            self.erase_in_display(2)

    def reset_mode(self, *modes: int, **kwargs: Any) -> None:
        """Reset a mode. Leaving the alternate screen restores the contents before it."""
        super().reset_mode(*modes, **kwargs)
        if ALTERNATE_SCREEN in modes and self._beneath is not None:
            self.buffer, self.cursor.x, self.cursor.y = self._beneath
            self._beneath = None
