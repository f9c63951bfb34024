"""Data that is requested only while it is displayed: paged lists, single records, presence.

Kinds with events are kept up to date all the time: see `follower`.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from console.api.errors import ApiError, NotFound
from console.clock import Clock
from console.live.backend_api import BackendApi
from console.live.bounds import bounds_for

if TYPE_CHECKING:
    from console.api.request import Request
    from console.live.paged_list import PagedList
    from console.records.record import Record


class Store:
    """The source of readings: the current backend, and the lists that other lists depend on."""

    def __init__(self, backend: Callable[[], BackendApi], clock: Clock, most_rows: int) -> None:
        self.backend = backend
        self.clock = clock
        self.bounds = bounds_for(most_rows)
        """Limits of each list."""
        self.companions: dict[str, PagedList] = {}
        """Lists that other lists look up names in, by resource."""

    def records(self, name: str) -> Mapping[str, Record]:
        """Return the records of a companion read so far."""
        return self.companions[name].rows if name in self.companions else {}

    async def answer(self, request: Request[Any]) -> Any:
        """Send a read request, and return the answer. Raise `api.errors`."""
        return await asyncio.wrap_future(self.backend().ask(request))


class Reading(ABC):
    """Requests repeated while `look` is called, one at a time. Subclasses decide what to request, and when."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._under_way: Future[Any] | None = None

    def look(self) -> bool:
        """Process a finished request, and send the next one if due; return whether a request was finished."""
        came = self._under_way
        if came is not None:
            if not came.done():
                return False
            self._under_way = None
            try:
                self._take(came.result)
            except ApiError as error:
                self._failed(error)
        wanted = self._wanted(self._store.clock.monotonic())
        if wanted is not None:
            self._under_way = self._store.backend().ask(wanted)
        return came is not None

    @abstractmethod
    def _wanted(self, now: float) -> Request[Any] | None:
        """Return the request to send now, if any."""

    @abstractmethod
    def _take(self, result: Callable[[], Any]) -> None:
        """Process the answer, which `result` returns. `result` raises `api.errors`, and so may this method."""

    @abstractmethod
    def _failed(self, error: ApiError) -> None:
        """Process an error."""


class Asked(Reading):
    """A single request, repeated at an interval."""

    def __init__(self, store: Store, request: Request[Any], again: float = 10.0) -> None:
        """`again` is the interval in seconds."""
        super().__init__(store)
        self.answer: Any = None
        """The last answer; None also if the service answered "not found"."""
        self.answered = False
        """Whether the last request was answered, if only with "not found"."""
        self.reason = ""
        """The last error, if any."""
        self._request = request
        self._again = again
        self._asked_at: float | None = None

    def refresh(self) -> None:
        """Repeat the request with the next look."""
        self._asked_at = None

    def _wanted(self, now: float) -> Request[Any] | None:
        if self._asked_at is not None and now - self._asked_at < self._again:
            return None
        self._asked_at = now
        return self._request

    def _take(self, result: Callable[[], Any]) -> None:
        self.answer, self.answered, self.reason = result(), True, ""

    def _failed(self, error: ApiError) -> None:
        if isinstance(error, NotFound):
            self._take(lambda: None)
        else:
            self.answered, self.reason = False, error.reason
