"""Asking for a list page by page, as far as it is looked at, and showing it like any other list."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any

from console.actions.resources import Resource, first_page, list_of, next_page, record_type, rows_of, total_of
from console.api.catalogue import find
from console.api.errors import ApiError, Forbidden, NotOffered
from console.api.request import Request
from console.live.command import Stage
from console.live.delta import Delta, Freshness, Health
from console.records.record import Record
from console.screens.list_pane import ListPane
from console.screens.station import Station
from console.tables.cell import Tone
from console.tables.plain import plain_table, titled
from console.tables.view import Change
from console.text import clean
from console.widgets.saying import Piece, piece

AGAIN_SECONDS = 30.0
"""A list that is looked at is asked for again after this long; a change made from here does not wait for it."""
_AHEAD = 30
"""The next page is asked for when the cursor is this near to the last row."""


class BrowserPane(ListPane):
    """The rows of a resource: asked for when they are looked at, more of them as the cursor nears the end."""

    def __init__(self, station: Station, resource: Resource) -> None:
        self.resource = resource
        self.lists = list_of(resource, station.lacks)
        record = record_type(self.lists) if self.lists is not None else Record
        self._places: dict[str, int] = {}
        table = plain_table(
            resource.name,
            resource.title,
            resource.one,
            record,
            resource.shown,
            lambda each: self._places.get(each.key, 0),
        )
        super().__init__(station, table)
        self.filters: dict[str, Any] = {}
        self.total: int | None = None
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
        self._done = 0

    # -- asking ----------------------------------------------------------------------------------------------------

    @property
    def missing(self) -> tuple[str, ...]:
        """Inputs that the list cannot do without and that nobody has given yet."""
        inputs = self.lists.inputs() if self.lists is not None else ()
        return tuple(each.field for each in inputs if each.required and each.field not in self.filters)

    def narrow(self, filters: Mapping[str, Any]) -> None:
        """Ask the service for other rows from now on."""
        self.filters = dict(filters)
        self.scope_words = clean("  ".join(f"{titled(name)} {value}" for name, value in filters.items()), 70) or None
        self.again()

    def again(self) -> None:
        """Ask for the list anew, with the next beat."""
        self._wants_again = True

    def source(self) -> tuple[Change, Health]:
        """Take an answer that has come, and ask for what is wanted next."""
        change = Change()
        done = sum(each.stage is Stage.DONE and each.command.kind == self.kind for each in self.station.desk.tickets())
        if done != self._done:
            self._done = done
            self.again()
        if self._asked is not None and self._asked.done():
            asked, self._asked = self._asked, None
            change = self._take(asked)
        if self._asked is None and self.lists is not None and not self.missing:
            wanted = self._wanted()
            if wanted is not None:
                self._request = wanted
                self._asked = self.station.desk.ask(wanted)
        return change, self.health

    @property
    def health(self) -> Health:
        """How fresh the rows are: as old as the last answer to the first page."""
        if self.missing:
            return Health(Freshness.POLLING)
        age = None if self._arrived_at is None else self.station.clock.monotonic() - self._arrived_at
        return Health(self._state, age, self._reason)

    def find(self, key: str) -> Record | None:
        """Return a row as it came last."""
        return self.view.record(key)

    def _wanted(self) -> Request[Any] | None:
        assert self.lists is not None
        now = self.station.clock.monotonic()
        old = self._arrived_at is not None and now - self._arrived_at > AGAIN_SECONDS and not self._beyond_first
        if self._wants_again or old:
            self._wants_again = False
            try:
                return first_page(self.lists, self.filters)
            except ValueError as error:
                self._state, self._reason = Freshness.REFUSED, str(error)
                return None
        if self._next is not None:
            index = self.view.index(self.live_table.cursor_key)
            if index is not None and index >= self.view.matched - _AHEAD:
                wanted, self._next = self._next, None
                return wanted
        return None

    @property
    def _beyond_first(self) -> bool:
        """Whether more than the first page was scrolled to: that is not taken away from under the cursor."""
        return self._request is not None and self._is_further(self._request)

    @staticmethod
    def _is_further(request: Request[Any]) -> bool:
        return bool(getattr(request, "page_after", None)) or int(getattr(request, "page", 0) or 0) > 1

    def _take(self, asked: Future[Any]) -> Change:
        try:
            answer = asked.result()
        except (Forbidden, NotOffered) as error:
            self._state, self._reason = Freshness.REFUSED, error.reason
            return Change()
        except ApiError as error:
            self._state, self._reason = Freshness.OFFLINE, error.reason
            return Change()
        assert self._request is not None
        rows = rows_of(answer)
        further = self._is_further(self._request)
        self._next = next_page(self._request, answer, rows)
        self.total = total_of(answer)
        self._state, self._reason = Freshness.POLLING, ""
        if not further:
            self._places.clear()
            self._arrived_at = self.station.clock.monotonic()
        for row in rows:
            self._places.setdefault(row.key, len(self._places))
        records = {row.key: row for row in rows}
        delta: Delta[Any] = Delta(0, not further, records, frozenset(), self.health)
        return self.view.apply(delta)

    # -- saying ----------------------------------------------------------------------------------------------------

    def totals(self) -> list[Piece]:
        """Say how many rows there are, and how many of them are here."""
        loaded = self.view.total
        if self.total is not None and self.total > loaded:
            return [piece(f"{loaded} of {self.total} {self.table.title.lower()}", Tone.STRONG)]
        return [piece(f"{loaded} {self.table.title.lower()}", Tone.STRONG)]

    def why_empty(self) -> str:
        """Say what is needed before there are rows."""
        if not self.resource.lists:
            return "The service has no list of these. Press o for what can be done."
        if self.missing:
            wanted = ", ".join(titled(each).lower() for each in self.missing)
            return f"Press F and say which: {wanted}."
        return ""
