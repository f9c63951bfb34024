"""A list that is read page by page while it is displayed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from console.api.errors import ApiError, Forbidden, NotOffered, Refused, Unreachable
from console.api.listed import PAGE, PAGE_SIZE, first_page
from console.api.request import Request
from console.live.delta import Delta, Freshness, Health
from console.live.paging import RESTARTS, CursorRefused, PagedRows
from console.live.store import Reading, Store
from console.records.record import Record

AGAIN_SECONDS = 30.0
"""Interval at which a displayed list is read again. Own changes read it again at once."""
RETRY_SECONDS = 2.0
"""Delay before a failed request is repeated automatically."""


class PagedList(Reading):
    """One list, read as the user scrolls. A `whole` list is read to its end, in large pages, before its rows change.

    If a cursor expires, the list is read again from its first page, as far as before.
    """

    def __init__(
        self, store: Store, kind: str, lists: type[Request[Any]] | None, *, whole: bool = False, lacking: str = ""
    ) -> None:
        """`lists` is the operation; None if the deployment has none, for the reason `lacking`."""
        super().__init__(store, kind)
        self.lists = lists
        self.filters: dict[str, Any] = {}
        self.total: int | None = None
        """The total number of rows, if the service tells."""
        self.rows: Mapping[str, Record] = {}
        """The rows, in the service's order; a new object after every change."""
        self._whole = whole
        self._least = 0
        """Rows to read before they replace the current ones: as many as there were."""
        self._restarts = 0
        self._read: PagedRows | None = None
        """The pages read so far."""
        self._asked: PagedRows | None = None
        """The pages that the current request belongs to: others than `_read` while the list is read again."""
        self._further = False
        self._delta: Delta[Any] | None = None
        self._arrived_at: float | None = None
        self._taken = False
        """Whether `rows` ever came from the service."""
        self._rests_until = 0.0
        self._reason = lacking
        self._state = Freshness.LOADING if lists else Freshness.REFUSED if lacking else Freshness.POLLING
        self._wants_again = True

    @property
    def missing(self) -> tuple[str, ...]:
        """Required inputs without a value."""
        inputs = self.lists.inputs() if self.lists is not None else ()
        return tuple(input_.field for input_ in inputs if input_.required and input_.field not in self.filters)

    @property
    def health(self) -> Health:
        """Freshness of the rows: they are as old as the first page."""
        if self.missing:
            return Health(Freshness.POLLING)
        # While the pages of a whole list are gathered, no row is known.
        age = None if self._arrived_at is None or not self._taken else self._store.clock.monotonic() - self._arrived_at
        cut = self._read.cut if self._read is not None else ""
        return Health(self._state, age, self._reason, cut=cut, more=self.has_more, total=self.total)

    @property
    def has_more(self) -> bool:
        """Whether the service has more rows than were read so far."""
        read = self._read
        return read is not None and (read.next is not None or bool(read.cut))

    def narrow(self, filters: Mapping[str, Any]) -> None:
        """Set the inputs of the request."""
        self.filters = dict(filters)
        self._least = 0
        self.again()

    def again(self) -> None:
        """Read the list again, with the next look."""
        self._wants_again = True
        self._restarts = 0

    def delta(self, *, further: bool = False) -> Delta[Any] | None:
        """Look, and read one more page if `further`; return the change of `rows`, if any."""
        self._further, self._delta = further, None
        self.look()
        return self._delta

    def _wanted(self, now: float) -> Request[Any] | None:
        if self.lists is None or self.missing:
            return None
        read = self._read
        following = read.next if read is not None else None
        # Rows that the user scrolled to stay under the cursor.
        scrolled = not self._whole and read is not None and read.pages > 1
        complete = not self._gathering or following is None
        old = self._arrived_at is not None and now - self._arrived_at > AGAIN_SECONDS and complete and not scrolled
        if not self._wants_again and now < self._rests_until:
            return None
        if self._wants_again or old:
            self._wants_again = False
            try:
                first = first_page(self.lists, self.filters, PAGE if self._whole else PAGE_SIZE)
            except ValueError as error:
                self._state, self._reason = Freshness.REFUSED, str(error)
                return None
            self._asked = PagedRows(first, self._store.bounds)
            return first
        self._asked = read
        return following if self._further or self._gathering else None

    @property
    def _gathering(self) -> bool:
        """Whether more pages are needed before `rows` changes."""
        return self._whole or (self._read is not None and len(self._read.rows) < self._least)

    def _take(self, result: Callable[[], Any]) -> None:
        assert self._asked is not None
        read = self._asked
        with read.asking():
            answer = result()
        came = read.take(answer)
        self._read, self.total, self._rests_until = read, read.total, 0.0
        if read.pages == 1:
            self._arrived_at = self._store.clock.monotonic()
        if self._gathering and read.next is not None:
            return
        self._state, self._reason = Freshness.POLLING, ""
        self._restarts = 0
        whole, self._least = self._whole or read.pages == 1 or self._least > 0, 0
        self.rows, self._taken = read.rows, True
        self._delta = Delta(0, whole, read.rows if whole else came)

    def _failed(self, error: ApiError) -> None:
        self._rests_until = self._store.clock.monotonic() + RETRY_SECONDS
        self._reason = error.reason
        if isinstance(error, CursorRefused):
            # Read it again from its first page: a few times at once, then at the usual interval.
            self._state = Freshness.STALE
            self._least = max(self._least, len(self.rows))
            self._read = None
            self._wants_again = self._restarts < len(RESTARTS)
            self._restarts += 1
        elif isinstance(error, Forbidden | NotOffered):
            self._state = Freshness.REFUSED
        elif isinstance(error, Refused | Unreachable) or self._arrived_at is None:
            self._state = Freshness.OFFLINE
        else:
            self._state = Freshness.STALE
