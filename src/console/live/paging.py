"""Paging: the request for the next page, the limits, and restarts after a refused cursor."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import contextmanager
from itertools import islice
from typing import Any, TypeVar

from console.api.errors import BadAnswer, LoginNeeded, Refused, TooMany
from console.api.listed import next_page, rows_of, total_of
from console.api.outgoing import cursor_of
from console.api.request import Request
from console.live.bounds import Bounds, rows_cost
from console.records.record import Record

T = TypeVar("T")
RESTARTS = (0.2, 1.0)
"""Seconds before a list starts again from its first page, after its cursor was refused."""
CHANGED = "the list changed while it was read"
NO_MORE = "the service sends no more"
_LONGEST_CURSOR = 8 * 1024
_IDLE_PAGES = 10
"""Most consecutive pages without a new row: a service may filter rows page by page."""


def advised(cut: str) -> str:
    """Return the message for a list with more rows, with what loads them."""
    if cut.endswith(NO_MORE):
        return cut
    return f"{cut}; {'list it again' if cut.endswith(CHANGED) else 'set max_rows in the profile to load more'}"


class CursorRefused(BadAnswer):
    """The service refused a later page of a list, as after the expiry of a cursor."""


class Paging:
    """Follows the pages of one list to its end, or to its limits."""

    def __init__(self, first: Request[Any], bounds: Bounds) -> None:
        self.next: Request[Any] | None = first
        """The request for the next page; None at the end of the list, or at its limits."""
        self.total: int | None = None
        """The total number of rows, if the service tells."""
        self.pages = 0
        """The number of pages read."""
        self.cut = ""
        """Message for a list that has more rows than were read; empty if complete."""
        self._bounds = bounds
        self._operation = first.operation.name
        self._from_start = not (cursor_of(first) or getattr(first, "page", None))
        self._cursors: set[str] = set()
        self._idle = 0
        self._rows = -1

    @property
    def at_end(self) -> bool:
        """Whether no further page is read."""
        return self.next is None

    @contextmanager
    def asking(self) -> Generator[None]:
        """Raise CursorRefused for a refusal of a later page: permissions were checked for the first page."""
        try:
            yield
        except (LoginNeeded, TooMany):
            raise
        except Refused as error:
            if not self.pages:
                raise
            page = f"page {self.pages + 1} of the list was refused ({error.reason})"
            text = f"{page}; starting again from the first page"
            raise CursorRefused(text, operation=error.operation, status=error.status) from error

    def took(self, following: Request[Any] | None, rows: int, memory: int = 0) -> None:
        """Note a page, and the request for the page after it, if any.

        `rows` is the number of different rows so far, `memory` their approximate memory in bytes. Raise BadAnswer for a
        list that returns to an earlier page, or that continues without new rows.
        """
        self.next = None
        self.pages += 1
        self._idle = self._idle + 1 if rows == self._rows else 0
        self._rows = rows
        number = str(getattr(following, "page", None) or "")
        if following is None or (number and self._idle):
            # Services without pages answer each number with the whole list.
            if self.pages == 1 and self._from_start and rows < (self.total or 0):
                # By the same answer, there are more.
                self.cut = f"{rows:,} of {self.total:,} rows shown: {NO_MORE}"
            return
        cursor = cursor_of(following) or number
        if len(cursor) > _LONGEST_CURSOR:
            raise BadAnswer(f"the cursor of page {self.pages + 1} is too long", operation=self._operation)
        if cursor in self._cursors:
            text = f"the list never ends: page {self.pages} repeats an earlier cursor"
            raise BadAnswer(text, operation=self._operation)
        if self._idle >= _IDLE_PAGES:
            text = f"the list never ends: the last {self._idle} of {self.pages} pages bring no new row"
            raise BadAnswer(text, operation=self._operation)
        self._cursors.add(cursor)
        bounds = self._bounds
        if rows >= bounds.rows or self.pages >= bounds.pages or memory >= bounds.memory:
            self.cut = bounds.cut_words(rows, self.total)
        else:
            self.next = following


async def from_the_first_page(
    work: Callable[[], Awaitable[T]], pause: Callable[[float], Awaitable[None]] = asyncio.sleep
) -> T:
    """List, and start again a few times after a refused later page. Raise CursorRefused if it stays refused."""
    for wait in RESTARTS:
        try:
            return await work()
        except CursorRefused:
            await pause(wait)
    return await work()


class PagedRows(Paging):
    """The records on the pages read so far, in the service's order."""

    def __init__(self, first: Request[Any], bounds: Bounds) -> None:
        super().__init__(first, bounds)
        self.rows: dict[str, Record] = {}
        """The rows read so far, by key; a new object after every page."""
        self._memory = 0
        self._most_told = 0
        """The largest total of all pages."""

    def take(self, answer: object) -> Mapping[str, Record]:
        """Add the answer to `next`, and return its rows. Raise BadAnswer as `took` does."""
        assert self.next is not None
        rows = rows_of(answer)
        known = self.rows | {row.key: row for row in rows}
        self._memory += rows_cost([len(row.encoded()) for row in rows])
        self.total = total_of(answer)
        self._most_told = max(self._most_told, self.total or 0)
        by_number = getattr(self.next, "page", None) is not None
        self.took(next_page(self.next, answer, len(rows)), len(known), self._memory)
        if by_number and self.at_end and not self.cut and len(known) < self._most_told:
            # A row that is removed while pages are read by number moves a later row to a page that was read already.
            self.cut = f"{len(known):,} of {self._most_told:,} rows shown: {CHANGED}"
        if len(known) > self._bounds.rows:
            known = dict(islice(known.items(), self._bounds.rows))
            self.cut = self._bounds.cut_words(len(known), self.total)
        self.rows = known
        return {row.key: row for row in rows if row.key in known}


async def find_row(
    send: Callable[[Request[Any]], Awaitable[Any]],
    first: Request[Any],
    key: str,
    pause: Callable[[float], Awaitable[None]],
) -> Record | None:
    """Return the record of a key in a list, read page by page until it is found; None if the whole list lacks it.

    Raise `api.errors`: BadAnswer also for a list with more rows than are read.
    """

    async def search() -> Record | None:
        paging = PagedRows(first, Bounds())
        while paging.next is not None:
            with paging.asking():
                answer = await send(paging.next)
            found = next((row for row in rows_of(answer) if row.key == key), None)
            if found is not None:
                return found
            paging.take(answer)
        if paging.cut:
            text = f"the record is not among the first {len(paging.rows):,} rows of the list"
            raise BadAnswer(text, operation=first.operation.name)
        return None

    return await from_the_first_page(search, pause)
