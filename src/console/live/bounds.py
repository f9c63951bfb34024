"""How much of a list is taken, and how its pages are followed."""

from __future__ import annotations

from collections.abc import Iterable

from console.api.errors import BadAnswer
from console.frozen import Frozen

MOST_ROWS = 50_000
"""Rows of one list, unless the profile says otherwise."""
ROW_COST = 560
"""Bytes that a loaded row takes besides its own: its record, its key, and its places in the tables."""
_LONGEST_CURSOR = 8 * 1024
_IDLE_PAGES = 10
"""Pages without a new row that may follow each other: a service may look for rows page by page."""


class Bounds(Frozen):
    """How much of one list is taken."""

    rows: int = MOST_ROWS
    memory: int = 48 * 1024 * 1024
    """Bytes that the rows may take once they are loaded, those included that are shown until then."""
    pages: int = 1_000

    def cut_words(self, rows: int) -> str:
        """Say that a list goes on behind what is shown."""
        return f"first {rows:,} of more rows shown"


def bounds_for(rows: int) -> Bounds:
    """Return the bounds of a profile that wants so many rows: the others grow with them."""
    usual = Bounds()
    times = max(1.0, rows / usual.rows)
    return Bounds(rows, int(usual.memory * times), int(usual.pages * times))


def memory_of(rows: Iterable[bytes]) -> int:
    """Return about how many bytes rows take once they are loaded."""
    sizes = [*map(len, rows)]
    return sum(sizes) + ROW_COST * len(sizes)


class Paging:
    """Follows the pages of one list to their end, or as far as they may go."""

    def __init__(self, bounds: Bounds, operation: str) -> None:
        self._bounds = bounds
        self._operation = operation
        self._cursors: set[str] = set()
        self._pages = self._idle = 0
        self._rows = -1
        self.cut = ""
        """What is said of a list that goes on behind the last page that was taken; empty when it does not."""

    def goes_on(self, cursor: str | None, rows: int, memory: int = 0) -> bool:
        """Note a page, and return whether the next one is to be asked for.

        `rows` is how many different rows there are by now, `memory` about how many bytes they take. Raises BadAnswer
        for a list that comes back to a page it had, or that goes on and on without a new row.
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
