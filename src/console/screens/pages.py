"""The rows of a resource as the service gives them: page by page, as far as they are wanted, and again when old."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from console.api.catalogue import find
from console.api.errors import ApiError, Forbidden, LoginNeeded, NotOffered, Refused, TooMany, Unreachable
from console.api.request import Request
from console.kinds.resources import PAGE_SIZE, Resource, cursor_of, first_page, list_of, next_page, rows_of, total_of
from console.live.bounds import Paging, bounds_for
from console.live.delta import Delta, Freshness, Health
from console.live.listing import RESTARTS
from console.records.record import Record

if TYPE_CHECKING:
    from console.screens.app_context import AppContext

AGAIN_SECONDS = 30.0
"""A list that is looked at is asked for again after this long; a change made from here does not wait for it."""

_LARGEST = 500
"""Rows asked for at once of a list that is wanted as a whole: the page size of the contract's sample (8)."""


class Pages:
    """One list of a resource. Nothing is asked before `poll` is called, and one page at a time.

    A `whole` list is asked for to its end, in large pages, and there are other rows only once that is reached. A list
    whose cursor expires while it is read begins again from its first page, as far as it was read before.
    """

    def __init__(self, context: AppContext, resource: Resource, *, whole: bool = False) -> None:
        self.resource = resource
        self.lists = list_of(resource, context.lacks)
        self.filters: dict[str, Any] = {}
        self.total: int | None = None
        """How many rows there are in all, where the service says so."""
        self.rows: dict[str, Record] = {}
        """Those that have come, in the service's order; another object whenever there are others."""
        self._context = context
        self._whole = whole
        self._bounds = bounds_for(context.profile.max_rows)
        self._paging: Paging | None = None
        self._least = 0
        """Rows that are gathered before they are shown, because so many were there before."""
        self._restarts = 0
        self._gathered: dict[str, Record] = {}
        self._asked: Future[Any] | None = None
        self._request: Request[Any] | None = None
        self._next: Request[Any] | None = None
        self._arrived_at: float | None = None
        self._reason, self._state = "", Freshness.LOADING
        if self.lists is None:
            lacking = [context.lacks(find(name).operation) for name in resource.lists]
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
        age = None if self._arrived_at is None else self._context.clock.monotonic() - self._arrived_at
        return Health(self._state, age, self._reason, cut=self._paging.cut if self._paging is not None else "")

    def narrow(self, filters: Mapping[str, Any]) -> None:
        """Ask the service for other rows from now on."""
        self.filters = dict(filters)
        self._least = 0
        self.again()

    def again(self) -> None:
        """Ask for the list anew, with the next poll."""
        self._wants_again = True
        self._restarts = 0

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
                self._asked = self._context.backend.ask(wanted)
        return delta

    def _wanted(self, further: bool) -> Request[Any] | None:
        assert self.lists is not None
        now = self._context.clock.monotonic()
        # What was scrolled to is not taken away from under the cursor.
        scrolled = not self._whole and self._request is not None and _is_further(self._request)
        complete = not self._gathering or self._next is None
        old = self._arrived_at is not None and now - self._arrived_at > AGAIN_SECONDS and complete and not scrolled
        if self._wants_again or old:
            self._wants_again = False
            try:
                return first_page(self.lists, self.filters, _LARGEST if self._whole else PAGE_SIZE)
            except ValueError as error:
                self._state, self._reason = Freshness.REFUSED, str(error)
                return None
        if (further or self._gathering) and self._next is not None:
            wanted, self._next = self._next, None
            return wanted
        return None

    @property
    def _gathering(self) -> bool:
        """Whether more pages are wanted before there are other rows to show."""
        return self._whole or len(self._gathered) < self._least

    def _take(self, asked: Future[Any]) -> Delta[Any] | None:
        assert self._request is not None
        further = _is_further(self._request)
        try:
            answer = asked.result()
            return self._shown(self._request, answer, further)
        except (LoginNeeded, TooMany, Unreachable) as error:
            self._state, self._reason = Freshness.OFFLINE, error.reason
        except (Refused, NotOffered) as error:
            if further:
                self._begin_again(error)
            else:
                refused = isinstance(error, Forbidden | NotOffered)
                self._state, self._reason = Freshness.REFUSED if refused else Freshness.OFFLINE, error.reason
        except ApiError as error:
            self._state = Freshness.OFFLINE if self._arrived_at is None else Freshness.STALE
            self._reason = error.reason
        return None

    def _begin_again(self, error: ApiError) -> None:
        """Read the list from its first page, a few times: it is the cursor that was refused."""
        self._state, self._reason = Freshness.STALE, f"a later page of the list was refused: {error.reason}"
        self._least = max(self._least, len(self.rows))
        if self._restarts < len(RESTARTS):
            self._restarts += 1
            self._wants_again = True
        # What is missing is asked for anew with the next look at an old list.
        self._request = None

    def _shown(self, request: Request[Any], answer: object, further: bool) -> Delta[Any] | None:
        """Take a page; return what has changed in the rows that are shown. Raises BadAnswer for a list without end."""
        rows = rows_of(answer)
        came = {row.key: row for row in rows}
        gathered = {**self._gathered, **came} if further else came
        if self._paging is None or not further:
            self._paging = Paging(self._bounds, request.operation.name)
        following = next_page(request, answer, rows)
        self._next = following if self._paging.goes_on(cursor_of(following), len(gathered)) else None
        self.total = total_of(answer)
        if not further:
            self._arrived_at = self._context.clock.monotonic()
        self._gathered = gathered
        if self._gathering and self._next is not None:
            return None
        self._state, self._reason = Freshness.POLLING, ""
        self._restarts = 0
        whole, self._least = self._whole or not further or self._least > 0, 0
        self.rows = gathered
        return Delta(0, whole, gathered if whole else came, frozenset(), self.health)


def _is_further(request: Request[Any]) -> bool:
    return bool(getattr(request, "page_after", None)) or int(getattr(request, "page", 0) or 0) > 1
