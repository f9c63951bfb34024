"""The rows of a resource as the service gives them: page by page, as far as they are wanted, and again when old."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from console.actions.resources import PAGE_SIZE, Resource, first_page, list_of, next_page, rows_of, total_of
from console.api.catalogue import find
from console.api.errors import ApiError, Forbidden, NotOffered
from console.api.request import Request
from console.live.delta import Delta, Freshness, Health
from console.records.record import Record

if TYPE_CHECKING:
    from console.screens.station import Station

AGAIN_SECONDS = 30.0
"""A list that is looked at is asked for again after this long; a change made from here does not wait for it."""

_LARGEST = 500
"""Rows asked for at once of a list that is wanted as a whole: the page size of the contract's sample (8)."""


class Pages:
    """One list of a resource. Nothing is asked before `poll` is called, and one page at a time.

    A `whole` list is asked for to its end, in large pages, and there are other rows only once that is reached.
    """

    def __init__(self, station: Station, resource: Resource, *, whole: bool = False) -> None:
        self.resource = resource
        self.lists = list_of(resource, station.lacks)
        self.filters: dict[str, Any] = {}
        self.total: int | None = None
        """How many rows there are in all, where the service says so."""
        self.rows: dict[str, Record] = {}
        """Those that have come, in the service's order; another object whenever there are others."""
        self._station = station
        self._whole = whole
        self._gathered: dict[str, Record] = {}
        self._asked: Future[Any] | None = None
        self._request: Request[Any] | None = None
        self._next: Request[Any] | None = None
        self._arrived_at: float | None = None
        self._reason, self._state = "", Freshness.LOADING
        if self.lists is None:
            lacking = [station.lacks(find(name).operation) for name in resource.lists]
            self._reason = lacking[0] or "" if lacking else ""
            self._state = Freshness.REFUSED if lacking else Freshness.POLLING
        self._wants_again = True

    @property
    def missing(self) -> tuple[str, ...]:
        """Inputs that the list cannot do without and that nobody has given yet."""
        inputs = self.lists.inputs() if self.lists is not None else ()
        return tuple(each.field for each in inputs if each.required and each.field not in self.filters)

    @property
    def health(self) -> Health:
        """How fresh the rows are: as old as the last answer to the first page."""
        if self.missing:
            return Health(Freshness.POLLING)
        age = None if self._arrived_at is None else self._station.clock.monotonic() - self._arrived_at
        return Health(self._state, age, self._reason)

    def narrow(self, filters: Mapping[str, Any]) -> None:
        """Ask the service for other rows from now on."""
        self.filters = dict(filters)
        self.again()

    def again(self) -> None:
        """Ask for the list anew, with the next poll."""
        self._wants_again = True

    def poll(self, *, further: bool = False) -> Delta[Any] | None:
        """Take an answer that has come, and ask for what is wanted next; for one more page if `further`."""
        delta: Delta[Any] | None = None
        if self._asked is not None and self._asked.done():
            asked, self._asked = self._asked, None
            delta = self._take(asked)
        if self._asked is None and self.lists is not None and not self.missing:
            wanted = self._wanted(further)
            if wanted is not None:
                self._request = wanted
                self._asked = self._station.desk.ask(wanted)
        return delta

    def _wanted(self, further: bool) -> Request[Any] | None:
        assert self.lists is not None
        now = self._station.clock.monotonic()
        # What was scrolled to is not taken away from under the cursor.
        scrolled = not self._whole and self._request is not None and _is_further(self._request)
        complete = not self._whole or self._next is None
        old = self._arrived_at is not None and now - self._arrived_at > AGAIN_SECONDS and complete and not scrolled
        if self._wants_again or old:
            self._wants_again = False
            try:
                return first_page(self.lists, self.filters, _LARGEST if self._whole else PAGE_SIZE)
            except ValueError as error:
                self._state, self._reason = Freshness.REFUSED, str(error)
                return None
        if (further or self._whole) and self._next is not None:
            wanted, self._next = self._next, None
            return wanted
        return None

    def _take(self, asked: Future[Any]) -> Delta[Any] | None:
        try:
            answer = asked.result()
        except (Forbidden, NotOffered) as error:
            self._state, self._reason = Freshness.REFUSED, error.reason
            return None
        except ApiError as error:
            self._state, self._reason = Freshness.OFFLINE, error.reason
            return None
        assert self._request is not None
        rows = rows_of(answer)
        further = _is_further(self._request)
        self._next = next_page(self._request, answer, rows)
        self.total = total_of(answer)
        self._state, self._reason = Freshness.POLLING, ""
        if not further:
            self._arrived_at = self._station.clock.monotonic()
        came = {row.key: row for row in rows}
        self._gathered = {**self._gathered, **came} if further else came
        if not self._whole or self._next is None:
            self.rows = self._gathered
        return Delta(0, not further, came, frozenset(), self.health)


def _is_further(request: Request[Any]) -> bool:
    return bool(getattr(request, "page_after", None)) or int(getattr(request, "page", 0) or 0) > 1
