"""The presence of people whom the caller does not follow, requested while it is displayed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any, cast

from console.api.errors import ApiError, Forbidden, NotFound, NotOffered
from console.api.operations.presence import GetPresence, ListPresences
from console.api.request import Request
from console.kinds.scope import ADMIN
from console.live.store import Reading, Store
from console.records import state_words
from console.records.support import Presence

_ADMINS, _OTHERS = (5.0, 40, 400), (15.0, 1, 30)
"""Interval in seconds, addresses per request (they are part of its URL), and most addresses. Only admins may name
several addresses in one request."""


class AskedPresence(Reading):
    """The presence of addresses that are not followed."""

    def __init__(self, store: Store) -> None:
        super().__init__(store, "presence")
        self.rows: Mapping[str, Presence] = {}
        """By address; a new object after every change."""
        self._addresses: tuple[str, ...] = ()
        self._in_view: Callable[[], Iterable[str]] = tuple
        self._asked_at: dict[str, float] = {}
        self._looked = -1
        self._refused = False

    def poll(self, in_view: Callable[[], Iterable[str]]) -> None:
        """Look, and request the addresses that are due; `in_view` is called once a second."""
        self._in_view = in_view
        self.look()

    def _wanted(self, now: float) -> Request[Any] | None:
        backend = self._store.backend()
        if self._refused or backend.me is None or int(now) == self._looked:
            return None
        self._looked = int(now)
        again, at_once, most = _ADMINS if state_words.role(backend.me.user.role) == ADMIN else _OTHERS
        followed, unasked = backend.records("presence"), now - again
        others = (fromkey for fromkey in dict.fromkeys(self._in_view()) if fromkey not in followed)
        due = (other for other in islice(others, most) if self._asked_at.get(other, unasked) <= unasked)
        self._addresses = tuple(islice(due, at_once))
        self._asked_at |= dict.fromkeys(self._addresses, now)
        if not self._addresses:
            return None
        return ListPresences(addresses=self._addresses) if at_once > 1 else GetPresence(address=self._addresses[0])

    def again(self) -> None:
        """Repeat all requests with the next looks."""
        self._looked = -1
        self._asked_at.clear()

    def _take(self, result: Callable[[], Any]) -> None:
        # Request the other addresses at once.
        self._looked = -1
        answer = result()
        presences = cast("tuple[Presence, ...]", answer if isinstance(answer, tuple) else (answer,))
        kept = {address: row for address, row in self.rows.items() if address not in self._addresses}
        rows = kept | {presence.address: presence for presence in presences if presence.address in self._addresses}
        if rows != self.rows:
            self.rows = rows

    def _failed(self, error: ApiError) -> None:
        if isinstance(error, NotFound):
            self._take(tuple)
        self._refused = isinstance(error, Forbidden | NotOffered)
