"""Limits on the size of lists."""

from __future__ import annotations

from collections.abc import Sequence

from console.base.frozen import Frozen

MOST_ROWS = 50_000
"""Default limit of rows of one list."""
ROW_COST = 560
"""Memory of a loaded row in bytes, without its own bytes: record, key, and entries in tables."""
SHORT_ROW = 512
"""Bytes of a row from which on most of it are long texts, which its record holds a second time."""
MOST_BUFFERED = 100_000
MOST_BUFFERED_BYTES = 16 * 1024 * 1024
"""Most buffered events during a list, by number and size; beyond it, the list is repeated."""
CUT_SECONDS = 30.0
"""Shortest interval of polling a list that is too long to be shown completely."""
SHRUNK_FROM = 10
"""A list of at least this many rows that lost more than half of them is requested again before it is trusted."""


def row_cost(size: int) -> int:
    """Return the approximate memory of a loaded row of `size` bytes: up to `SHORT_ROW`, these and `ROW_COST`."""
    return ROW_COST + size + max(0, size - SHORT_ROW)


def rows_cost(sizes: Sequence[int]) -> int:
    """Return the approximate memory of loaded rows of these sizes, without a call for each."""
    return sum(sizes) + ROW_COST * len(sizes) + sum([size - SHORT_ROW for size in sizes if size > SHORT_ROW])


class Bounds(Frozen):
    """Limits of one list."""

    rows: int = MOST_ROWS
    memory: int = 48 * 1024 * 1024
    """Most bytes of the loaded rows."""
    pages: int = 1_000

    def room(self, known: int) -> int:
        """Return the most bytes of new rows beside those known until then, which stay in memory meanwhile."""
        return max(self.memory - known, self.memory // 4)

    def cut_words(self, rows: int, total: int | None = None) -> str:
        """Return the message for a list with more rows: of this total, if the service tells it."""
        of = f"{total:,}" if total is not None and total > rows else "more"
        return f"first {rows:,} of {of} rows shown"


def bounds_for(rows: int) -> Bounds:
    """Return the limits for a profile with this number of rows; the other limits grow in proportion."""
    usual = Bounds()
    times = max(1.0, rows / usual.rows)
    return Bounds(rows, int(usual.memory * times), int(usual.pages * times))
