"""Data that is requested only while it is displayed: paged lists, single records, presence.

Kinds with events are kept up to date all the time: see `follower`.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from console.api.errors import ApiError, NotFound
from console.base.clock import Clock
from console.live.backend_api import BackendApi
from console.live.bounds import bounds_for
from console.live.command import Stage
from console.records.extent import Extent

if TYPE_CHECKING:
    from console.api.request import Request
    from console.live.paged_list import PagedList
    from console.records.record import Record

T = TypeVar("T")
_ENDED = frozenset({Stage.DONE, Stage.UNKNOWN})
_NO_ROWS: Mapping[str, Record] = {}
"""One object: another one signals a change."""


class Store:
    """The source of readings: the current backend, and the lists that other lists depend on."""

    def __init__(self, backend: Callable[[], BackendApi], clock: Clock, most_rows: int) -> None:
        self.backend = backend
        self.clock = clock
        self.bounds = bounds_for(most_rows)
        """Limits of each list."""
        self.companions: dict[str, PagedList] = {}
        """Lists that other lists look up names in, by resource."""
        self.displayed: dict[str, PagedList] = {}
        """The lists that are displayed by themselves, by resource."""

    def changes(self, kind: str) -> int:
        """Return the number of own changes that may have affected records of a kind."""
        return sum(
            kind in ticket.command.touches and ticket.stage in _ENDED for ticket in self.backend().commands.tickets()
        )

    def records(self, name: str) -> Mapping[str, Record]:
        """Return the records of a companion read so far."""
        return self.companions[name].rows if name in self.companions else _NO_ROWS

    def extent(self, name: str) -> Extent:
        """Return how much of a list is known: of the displayed one, otherwise of the companion."""
        paged_list = self.displayed.get(name) or self.companions.get(name)
        return paged_list.health.extent if paged_list is not None else Extent.UNKNOWN

    async def answer(self, request: Request[Any]) -> Any:
        """Send a read request, and return the answer. Raise `api.errors`."""
        return await asyncio.wrap_future(self.backend().ask(request))


class Reading(ABC):
    """Requests repeated while `look` is called, one at a time. Subclasses decide what to request, and when."""

    def __init__(self, store: Store, kind: str = "") -> None:
        """`kind` is read again at once after an own change of its records."""
        self._store = store
        self._kind = kind
        self._changes = 0
        self._under_way: Future[Any] | None = None

    def look(self) -> bool:
        """Process a finished request, and send the next one if due; return whether a request was finished."""
        changes = self._store.changes(self._kind)
        if changes != self._changes:
            self._changes = changes
            self.again()
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
    def again(self) -> None:
        """Repeat the request with the next look."""

    @abstractmethod
    def _wanted(self, now: float) -> Request[Any] | None:
        """Return the request to send now, if any."""

    @abstractmethod
    def _take(self, result: Callable[[], Any]) -> None:
        """Process the answer, which `result` returns. `result` raises `api.errors`, and so may this method."""

    @abstractmethod
    def _failed(self, error: ApiError) -> None:
        """Process an error."""


class Asked(Reading, Generic[T]):
    """A single request, repeated at an interval."""

    def __init__(self, store: Store, request: Request[Any], read: Callable[[Any], T], seconds: float = 10.0) -> None:
        """`read` is called once for each answer; `seconds` is the interval."""
        super().__init__(store)
        self.answer: Any = None
        """The last answer; None also if the service answered "not found"."""
        self.value: T | None = None
        """Result of `read` for it."""
        self.answered = False
        """Whether the last request was answered, if only with "not found"."""
        self.reason = ""
        """The last error, if any."""
        self._request = request
        self._read = read
        self._seconds = seconds
        self._asked_at: float | None = None

    def again(self) -> None:
        """Repeat the request with the next look."""
        self._asked_at = None

    def _wanted(self, now: float) -> Request[Any] | None:
        if self._asked_at is not None and now - self._asked_at < self._seconds:
            return None
        self._asked_at = now
        return self._request

    def _take(self, result: Callable[[], Any]) -> None:
        answer = result()
        self.answer, self.value, self.answered, self.reason = answer, self._read(answer), True, ""

    def _failed(self, error: ApiError) -> None:
        self.answered, self.reason = isinstance(error, NotFound), error.reason
        if self.answered:
            self.answer = self.value = None
