"""Which columns fit, where they stand and how wide they are. Pure: widths in, places out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from console.frozen import Frozen
from console.views.table import Column

GUTTER = 3
"""Cells before the first column: mark or cursor, state of a command, and a space."""
GAP = 2
NARROWEST = 8
"""To what a column that grows may be narrowed when those that never go have no room."""


class Placed(Frozen):
    """A column in its place; `left` counts from the end of the gutter."""

    column: Column[Any]
    left: int
    width: int


class Layout(Frozen):
    """The columns that are shown."""

    placed: tuple[Placed, ...]
    hidden: int
    """How many of the chosen columns had no room."""
    width: int
    """Cells all of it takes, the gutter included."""

    def at(self, x: int) -> Placed | None:
        """Return the column at a cell counted from the end of the gutter; the gap belongs to the column before it."""
        return next((each for each in reversed(self.placed) if each.left <= x), None)

    @property
    def ticks(self) -> bool:
        """Whether any of it changes by time alone."""
        return any(each.column.ticks for each in self.placed)


def lay_out(columns: Sequence[Column[Any]], width: int, everything: bool = False) -> Layout:
    """Place the columns in `width` cells.

    The highest priorities go first when room is short, from the right among equals; priority 0 never goes. What is
    left over is shared by the columns that grow, and what is lacking even so is taken from them. With `everything` no
    column goes, and the layout may be wider.
    """
    shown = list(columns)
    room = width - GUTTER
    while not everything and _needed(shown) > room:
        victim = max(enumerate(shown), key=lambda pair: (pair[1].priority, pair[0]), default=None)
        if victim is None or victim[1].priority == 0:
            break
        del shown[victim[0]]
    lacking = 0 if everything else max(0, _needed(shown) - room)
    spare = max(0, room - _needed(shown))
    growing = sum(column.grows for column in shown)
    placed: list[Placed] = []
    left = 0
    for column in shown:
        cells = column.width
        if column.grows and growing:
            share = spare // growing
            spare, growing = spare - share, growing - 1
            cells += share
            taken = min(-(-lacking // (growing + 1)), max(0, cells - NARROWEST))
            lacking -= taken
            cells -= taken
        placed.append(Placed(column, left, cells))
        left += cells + GAP
    return Layout(tuple(placed), len(columns) - len(shown), GUTTER + max(0, left - GAP))


def _needed(columns: Sequence[Column[Any]]) -> int:
    return sum(column.width for column in columns) + GAP * max(0, len(columns) - 1)
