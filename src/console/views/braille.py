"""Curves of braille dots: two dots beside each other and four above each other in a cell."""

from __future__ import annotations

from collections.abc import Sequence

WIDE, HIGH = 2, 4
"""Dots of a cell."""
EMPTY = "\u2800"
FILL = "\u2802"
"""Below a curve: one dot, so that the area is fainter than the curve also without colours."""
_DOTS = ((0x40, 0x04, 0x02, 0x01), (0x80, 0x20, 0x10, 0x08))
"""The bits of the left and of the right dots, from the lowest."""
_CELLS = tuple(map(chr, range(0x2800, 0x2900)))
"""The cells by their bits."""


def rows(levels: Sequence[int | None], height: int) -> list[list[str]]:
    """Return the cells of so many rows, from the lowest.

    `levels` are dots above the lowest one, one for each column of dots. Neighbours are joined, None is a gap.
    """
    width = -(-len(levels) // WIDE)
    bits = [[0] * width for _ in range(height)]
    filled = [0] * width
    """How many rows of each column of cells are below the curve; none in a column with a gap."""
    for place, level in enumerate(levels):
        if level is None:
            continue
        low, high = _joined(levels, place, level)
        column, dots = place // WIDE, _DOTS[place % WIDE]
        for dot in range(low, high + 1):
            bits[dot // HIGH][column] |= dots[dot % HIGH]
        beside = place ^ 1
        if beside < len(levels) and levels[beside] is not None:
            filled[column] = min(filled[column], low // HIGH) if place % WIDE else low // HIGH
    return [
        [FILL if not cell and row < filled[column] else _CELLS[cell] for column, cell in enumerate(cells)]
        for row, cells in enumerate(bits)
    ]


def _joined(levels: Sequence[int | None], place: int, level: int) -> tuple[int, int]:
    """Return the lowest and the highest dot of a value: it reaches half way to its neighbours."""
    low = high = level
    for beside in (place - 1, place + 1):
        neighbour = levels[beside] if 0 <= beside < len(levels) else None
        if neighbour is not None and neighbour != level:
            middle = (neighbour + level) // 2
            low, high = (low, max(high, middle)) if neighbour > level else (min(low, middle + 1), high)
    return low, high
