"""Layout of table columns. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from console.base.frozen import Frozen
from console.views.table import Column

GUTTER = 3
"""Cells before the first column: selection or cursor, command state, and a space."""
GAP = 2
NARROWEST = 8
"""Minimum width of a growing column if the fixed columns do not fit; a text that is narrower is a sign."""
WHOLE = 24
"""Width at which most names are whole: until all texts have it, no column grows beyond."""
ROOMY = 40
"""Width at which nearly all texts are whole. Only the last column grows beyond: the others would part the row."""
_ENDLESS = 1_000


class Placed(Frozen):
    """A column with its position; `left` counts from the end of the gutter."""

    column: Column[Any]
    left: int
    width: int


class Layout(Frozen):
    """The visible columns."""

    placed: tuple[Placed, ...]
    hidden: int
    """Number of chosen columns that do not fit."""
    width: int
    """Total width in cells, including the gutter."""

    def at(self, x: int) -> Placed | None:
        """Return the column at a cell counted from the end of the gutter; a gap belongs to the column before it."""
        return next((placed for placed in reversed(self.placed) if placed.left <= x), None)

    def place(self, left: int, width: int) -> int:
        """Return the number of the column that has exactly this place, -1 if there is none."""
        return next((at for at, placed in enumerate(self.placed) if (placed.left, placed.width) == (left, width)), -1)


def lay_out(columns: Sequence[Column[Any]], width: int, everything: bool = False) -> Layout:
    """Lay out the columns in `width` cells.

    Columns with the highest priority are hidden first, from the right among equals; priority 0 is never hidden. Growing
    columns share the remaining space, or shrink. Where they are wide, other texts have their share, and where all are,
    the rest is for the last column if it grows. With `everything`, no column is hidden, and the layout may be wider.
    """
    visible = list(columns)
    room = width - GUTTER
    while not everything and _needed(visible) > room:
        victim = max(enumerate(visible), key=lambda pair: (pair[1].priority, pair[0]), default=None)
        if victim is None or victim[1].priority == 0:
            break
        del visible[victim[0]]
    lacking = 0 if everything else max(0, _needed(visible) - room)
    spare = max(0, room - _needed(visible))
    growing = [column for column in visible if column.grows]
    widths = {column.id: column.width for column in visible}
    for index, column in enumerate(growing):
        taken = min(-(-lacking // (len(growing) - index)), max(0, column.width - NARROWEST))
        lacking -= taken
        widths[column.id] -= taken
    texts = [column for column in visible if growing and _is_text(column)]
    last = [column for column in visible[-1:] if column.grows]
    for wider, most in ((growing, WHOLE), (texts, WHOLE), (growing, ROOMY), (texts, ROOMY), (last, room)):
        for index, column in enumerate(wider):
            share = min(spare // (len(wider) - index), max(0, most - widths[column.id]))
            spare -= share
            widths[column.id] += share
    placed: list[Placed] = []
    left = 0
    for column in visible:
        placed.append(Placed(column, left, widths[column.id]))
        left += widths[column.id] + GAP
    return Layout(tuple(placed), len(columns) - len(visible), GUTTER + max(0, left - GAP))


def widest(columns: Sequence[Column[Any]]) -> int:
    """Return the width beyond which a layout leaves cells empty; 1,000 if its last column takes all that there is."""
    return lay_out(columns, _ENDLESS).width


def _is_text(column: Column[Any]) -> bool:
    """Return whether a column has words of any length: neither a number, nor one of a few states, nor a sign."""
    return column.kind == "text" and not column.closed and column.width >= NARROWEST


def _needed(columns: Sequence[Column[Any]]) -> int:
    return sum(column.width for column in columns) + GAP * max(0, len(columns) - 1)
