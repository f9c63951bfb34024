"""Limits on the size of lists, and following their pages."""

from __future__ import annotations

from collections.abc import Iterable

from console.api.errors import BadAnswer
from console.frozen import Frozen

MOST_ROWS = 50_000
"""Default limit of rows of one list."""
ROW_COST = 560
"""Memory of a loaded row in bytes, without its own bytes: record, key, and entries in tables."""
_LONGEST_CURSOR = 8 * 1024
_IDLE_PAGES = 10
"""Most consecutive pages without a new row: a service may filter rows page by page."""


class Bounds(Frozen):
    """Limits of one list."""

    rows: int = MOST_ROWS
    memory: int = 48 * 1024 * 1024
    """Most bytes of the loaded rows, including those shown until then."""
    pages: int = 1_000

    def cut_words(self, rows: int) -> str:
        """Return the message for a list with more rows."""
        return f"first {rows:,} of more rows shown"


def bounds_for(rows: int) -> Bounds:
    """Return the limits for a profile with this number of rows; the other limits grow in proportion."""
    usual = Bounds()
    times = max(1.0, rows / usual.rows)
    return Bounds(rows, int(usual.memory * times), int(usual.pages * times))


def memory_of(rows: Iterable[bytes]) -> int:
    """Return the approximate memory of loaded rows in bytes."""
    sizes = [*map(len, rows)]
    return sum(sizes) + ROW_COST * len(sizes)


class Paging:
    """Follows the pages of one list to its end, or to its limits."""

    def __init__(self, bounds: Bounds, operation: str) -> None:
        self._bounds = bounds
        self._operation = operation
        self._cursors: set[str] = set()
        self._pages = self._idle = 0
        self._rows = -1
        self.cut = ""
        """Message for a list that has more rows than were read; empty if complete."""

    def goes_on(self, cursor: str | None, rows: int, memory: int = 0) -> bool:
        """Note a page, and return whether to request the next one.

        `rows` is the number of different rows so far, `memory` their approximate memory in bytes. Raise BadAnswer for a
        list that returns to an earlier page, or that continues without new rows.
        """
        self._pages += 1
        self._idle = self._idle + 1 if rows == self._rows else 0
        self._rows = rows
        if cursor is None:
            return False
        if len(cursor) > _LONGEST_CURSOR:
            raise BadAnswer(f"the cursor of page {self._pages + 1} is too long", operation=self._operation)
        if cursor in self._cursors:
            words = f"the list never ends: page {self._pages} repeats an earlier cursor"
            raise BadAnswer(words, operation=self._operation)
        if self._idle >= _IDLE_PAGES:
            words = f"the list never ends: the last {self._idle} of {self._pages} pages bring no new row"
            raise BadAnswer(words, operation=self._operation)
        self._cursors.add(cursor)
        bounds = self._bounds
        if rows >= bounds.rows or self._pages >= bounds.pages or memory >= bounds.memory:
            self.cut = bounds.cut_words(rows)
        return not self.cut
