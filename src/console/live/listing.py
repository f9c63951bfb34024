"""A complete list of a kind: all pages, split into raw rows, with their point in the event stream."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

from console.api.errors import BadAnswer, BadRequest, Forbidden, NotFound, NotOffered
from console.api.events import Event, Point
from console.api.listed import following
from console.api.request import Request
from console.base.frozen import Frozen
from console.client.fetched import LARGE, Fetched
from console.live.bounds import MOST_BUFFERED, MOST_BUFFERED_BYTES, Bounds
from console.live.collection import KnownRows
from console.live.feeds import Feed
from console.live.list_differ import ListDiffer
from console.live.paging import Paging, from_the_first_page
from console.live.resync import ListRequests
from console.records.raw import fields, parse
from console.records.record import Record

LARGEST_HELD = 8 * 1024 * 1024
"""Most bytes of a page that is stored for comparison with the next list."""


class Fetching(Protocol):
    """The part of the client that a list needs."""

    def fetch(self, request: Request[Any], *, etag: str | None = None) -> Awaitable[Fetched]:
        """Return the unparsed answer, or that it is unchanged since `etag`. Raise `api.errors`."""
        ...


class PageTag(Frozen):
    """Identifies an unchanged page: by the service's ETag, otherwise by its bytes or their digest.

    Comparing bytes is ten times as fast as computing a digest, so a list of a single page is stored. Of several pages,
    only digests are stored, because they may be large.
    """

    etag: str | None
    body: bytes | None


class Listed(Frozen):
    """Result of a list."""

    rows: dict[str, bytes] | None
    """Raw rows by key, which the caller may keep; None if every byte is unchanged."""
    fresh: dict[str, Record]
    """Records of the new and changed rows, which the caller may keep."""
    point: Point | None
    """The earliest point of all pages; None if the service does not tell."""
    etags: tuple[PageTag, ...]
    cut: str = ""
    """Message for a list that has more rows; empty if complete."""
    total: int | None = None
    """The total number of rows, if the service tells."""


class EventsMeanwhile:
    """The events that arrive while a list is requested; of too many, only the keys are kept."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        """In the order of their arrival."""
        self.dropped: set[str] = set()
        """Keys of events that are not kept."""
        self._bytes = 0

    def add(self, events: Sequence[Event]) -> None:
        """Add events, up to `MOST_BUFFERED` and `MOST_BUFFERED_BYTES`."""
        self.events += events
        self._bytes += sum(memoryview(event.body).nbytes for event in events)
        if len(self.events) > MOST_BUFFERED or self._bytes > MOST_BUFFERED_BYTES:
            self.dropped.update(event.key for event in self.events)
            self.events.clear()

    def all_keys(self) -> set[str]:
        """Return the keys of all events, dropped ones included."""
        return self.dropped.union(event.key for event in self.events)


class Lister:
    """Lists one kind, by the first request that the deployment offers and the caller may use."""

    def __init__(
        self,
        feed: Feed,
        client: Fetching,
        bounds: Bounds | None = None,
        *,
        is_admin: Callable[[], bool] = lambda: False,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """`is_admin` returns whether the caller may list everything: a refusal then does not mean a missing
        permission.
        """
        self._feed = feed
        self._client = client
        self.bounds = bounds or Bounds()
        """The limits of the list."""
        self._is_admin = is_admin
        self._pause = pause
        self._ways = ListRequests()
        self._said_cut = ""
        self._said_total: int | None = None
        self.doubtful = False
        """Whether the last list used another request than the preferred one because of a first refusal."""

    @property
    def own(self) -> bool:
        """Whether the last list contains only the caller's own records."""
        return self._ways.own

    async def list(
        self, had: KnownRows | None = None, etags: tuple[PageTag, ...] | None = None, *, full: bool = False
    ) -> Listed:
        """List all pages. `had` are the known rows: unchanged ones keep their objects.

        `etags` belong to the last list, if the rows are still exactly its result. A `full` list uses none, and tries
        the preferred request again. The list starts again a few times if a later page is refused. Raise `api.errors`:
        BadAnswer if the pages have different epochs, never end, or have a wrong format.
        """
        self._ways.begin(full=full)
        listed = await from_the_first_page(lambda: self._list(had, etags), self._pause)
        self.doubtful = self._ways.listed()
        return listed

    async def _list(self, had: KnownRows | None, etags: tuple[PageTag, ...] | None) -> Listed:
        forbidden: Forbidden | None = None
        while True:
            self._ways.own = self._ways.own and not self._is_admin()
            request = self._feed.own if self._ways.own and self._feed.own else self._feed.listings[self._ways.way]
            # Each of several pages would have to be identified, and without its content the cursor of the next is
            # missing.
            etag = etags[0].etag if etags is not None and len(etags) == 1 else None
            try:
                first = await self._client.fetch(request, etag=etag)
            except Forbidden as error:
                if self._ways.own or self._feed.own is None or self._is_admin():
                    self._ways.own = False
                    raise
                self._ways.own, forbidden = True, error
                continue
            except (BadRequest, NotFound, NotOffered):
                if self._ways.own:
                    self._ways.own = False
                    if forbidden is not None:
                        # Raise the original refusal: that the own list is missing says nothing.
                        raise forbidden from None
                    raise
                if self._ways.way + 1 >= len(self._feed.listings):
                    self._ways.way = 0
                    raise
                self._ways.way += 1
                continue
            return await self._rest(request, first, KnownRows() if had is None else had, etags)

    async def _rest(
        self, request: Request[Any], fetched: Fetched, had: KnownRows, known: tuple[PageTag, ...] | None
    ) -> Listed:
        points: list[Point | None] = []
        etags: list[PageTag] = []
        paging = Paging(request, self.bounds)
        named: ListDiffer | None = None
        while True:
            points.append(fetched.point)
            body = fetched.body
            if known and not etags and (fetched.unchanged or known == (_page_tag(fetched, alone=True),)):
                return Listed(None, {}, _earliest(points), known, self._said_cut, self._said_total)
            named = named or ListDiffer(self._feed, had.by_key, self.bounds.rows, self.bounds.room(had.memory))
            if len(body) > LARGE:
                cursor, total = await asyncio.to_thread(self._cut, request, fetched, named)
            else:
                cursor, total = self._cut(request, fetched, named)
            etags.append(_page_tag(fetched, alone=cursor is None and not etags))
            paging.total = total
            del fetched, body
            if named.full:
                break
            paging.took(following(request, cursor), len(named.rows), self._memory(had, named))
            if paging.next is None:
                break
            with paging.asking():
                fetched = await self._client.fetch(paging.next)
        page_tags = tuple(etags)
        self._said_cut = self.bounds.cut_words(len(named.rows), paging.total) if named.full else paging.cut
        self._said_total = paging.total
        rows = None if page_tags == known else named.rows
        return Listed(rows, named.fresh, _earliest(points), page_tags, self._said_cut, paging.total)

    def _memory(self, had: KnownRows, named: ListDiffer) -> int:
        """Return the memory of the rows of the list: exactly where it may exceed the limit."""
        most = had.memory + named.memory
        return most if most < self.bounds.memory else KnownRows(named.rows).memory

    def _cut(self, request: Request[Any], fetched: Fetched, named: ListDiffer) -> tuple[str | None, int | None]:
        """Add a page's rows, and return the cursor of the next page, and the total number of rows if known."""
        try:
            body = fetched.body.lstrip()
            unwrap = request.operation.unwrap
            if unwrap is not None and body[:1] == b"{":
                inner = fields(body, (unwrap,)).get(unwrap)
                body = body if inner is None else bytes(inner)
            if self._feed.is_plain and body[:1] == b"[":
                named.along(body)
                return None, None
            named.name(self._feed.rows(body, self.bounds.rows))
            return _page(body) if body[:1] == b"{" else (None, None)
        except ValueError as error:
            where = f" ({fetched.source})" if fetched.source else ""
            reason = str(error)
            text = f"the answer {reason[3:]}" if reason.startswith("it is ") else f"the answer cannot be read: {reason}"
            raise BadAnswer(f"{text}{where}", operation=request.operation.name) from error


def _page_tag(fetched: Fetched, *, alone: bool) -> PageTag:
    if fetched.etag:
        return PageTag(fetched.etag, None)
    held = alone and len(fetched.body) <= LARGEST_HELD
    return PageTag(None, fetched.body if held else hashlib.sha256(fetched.body).digest())


def _page(page: bytes) -> tuple[str | None, int | None]:
    """Return `meta.page.next` (contract 2.1) and `meta.page.total`.

    The cursor is only sent back as a parameter, never followed as a URL.
    """
    for name in ("meta", "page"):
        page = bytes(fields(page, (name,)).get(name, b"")).strip()
        if not page.startswith(b"{"):
            return None, None
    cursor, total = (parse(bytes(fields(page, (name,)).get(name, b""))) for name in ("next", "total"))
    count = isinstance(total, int) and not isinstance(total, bool)
    return cursor if isinstance(cursor, str) and cursor else None, total if count else None


def _earliest(points: list[Point | None]) -> Point | None:
    matching_points = [point for point in points if point is not None]
    if not matching_points or len(matching_points) < len(points):
        return None
    if len({point.epoch for point in matching_points}) > 1:
        raise BadAnswer("the service restarted between two pages")
    return min(matching_points, key=lambda point: point.offset)
