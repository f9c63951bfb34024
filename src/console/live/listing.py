"""One fresh list of a kind: all pages, cut into raw rows, with the point in the event stream that they hold."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol

from console.api.errors import BadAnswer, BadRequest, Forbidden, NotFound, NotOffered
from console.api.events import Point
from console.api.request import Request
from console.client.fetched import LARGE, Fetched
from console.frozen import Frozen
from console.live.feeds import Feed, Listing
from console.live.naming import Naming
from console.records.raw import Cut, cut, parse
from console.records.record import Record

MOST_PAGES = 2_000


class Fetching(Protocol):
    """What a list needs of the client."""

    def fetch(self, request: Request[Any], *, etag: str | None = None) -> Awaitable[Fetched]:
        """Return the answer's bytes, or that they are still those of `etag`. Raises `api.errors`."""
        ...


class Mark(Frozen):
    """By what a page is known again: the service's own ETag, else all of its bytes.

    Bytes are compared ten times as fast as a digest of them is made; who polls a service without ETags holds them.
    """

    etag: str | None
    body: bytes | None


class Listed(Frozen):
    """What a list brought."""

    rows: dict[str, bytes] | None
    """Raw rows by key, for whoever asked to keep; None when every byte is as it was the last time."""
    fresh: Mapping[str, bytes]
    """Those of them that are not the same as what was known."""
    odd: Mapping[str, Record]
    """Records of rows whose key only the record could tell, by that key: they stand in `rows` too."""
    point: Point | None
    """The earliest point that all pages hold; None when the service does not say."""
    marks: tuple[Mark, ...]


class Lister:
    """Lists one kind, by the first of its ways that this deployment has and the caller may use."""

    def __init__(self, feed: Feed, client: Fetching, is_admin: Callable[[], bool] = lambda: False) -> None:
        """`is_admin` says whether the caller may list everything: a refusal is then not taken for a lack of rights."""
        self._feed = feed
        self._client = client
        self._is_admin = is_admin
        self._way = 0
        self._own = False

    @property
    def own(self) -> bool:
        """Whether the last list holds only what is the caller's own."""
        return self._own

    async def list(self, had: Mapping[str, bytes] | None = None, marks: tuple[Mark, ...] | None = None) -> Listed:
        """List all pages now. `had` are the rows known so far: those that come again are the very same objects.

        `marks` are those of the last list, if the rows are still exactly what it brought: only then can a page be known
        again. Raises `api.errors`: BadAnswer when the pages are not of one life of the service, or of the wrong shape.
        """
        while True:
            self._own = self._own and not self._is_admin()
            listing = self._feed.own if self._own and self._feed.own else self._feed.listings[self._way]
            # Of several pages each would have to be known again, and without its bytes the way to the next is lost.
            etag = marks[0].etag if marks is not None and len(marks) == 1 else None
            try:
                first = await self._client.fetch(listing(None), etag=etag)
            except Forbidden:
                if self._own or self._feed.own is None or self._is_admin():
                    self._own = False
                    raise
                self._own = True
                continue
            except (BadRequest, NotFound, NotOffered):
                if self._own:
                    self._own = False
                    raise
                if self._way + 1 >= len(self._feed.listings):
                    self._way = 0
                    raise
                self._way += 1
                continue
            return await self._rest(listing, first, had or {}, marks)

    async def _rest(
        self, listing: Listing, fetched: Fetched, had: Mapping[str, bytes], known: tuple[Mark, ...] | None
    ) -> Listed:
        request = listing(None)
        points: list[Point | None] = []
        marks: list[Mark] = []
        seen: set[str] = set()
        named: Naming | None = None
        while True:
            points.append(fetched.point)
            marks.append(Mark(fetched.etag, None if fetched.etag else fetched.body))
            if known is not None and (fetched.unchanged or known == (marks[0],)):
                return Listed(None, {}, {}, _earliest(points), known)
            named = named or Naming(self._feed, had)
            if len(fetched.body) > LARGE:
                cursor = await asyncio.to_thread(self._cut, request, fetched.body, named)
            else:
                cursor = self._cut(request, fetched.body, named)
            if cursor is None:
                break
            if cursor in seen or len(seen) >= MOST_PAGES:
                raise BadAnswer("the pages of the list never end", operation=request.operation.name)
            seen.add(cursor)
            fetched = await self._client.fetch(listing(cursor))
        found = tuple(marks)
        return Listed(None if found == known else named.rows, named.fresh, named.odd, _earliest(points), found)

    def _cut(self, request: Request[Any], body: bytes, named: Naming) -> str | None:
        """Add a page's rows, and return the cursor of the next page."""
        name = request.operation.name
        try:
            unwrap = request.operation.unwrap
            if unwrap is not None and body[:1] != b"[":
                data = cut(body)
                if isinstance(data, dict) and unwrap in data:
                    body = bytes(data[unwrap])
            if self._feed.is_plain and body[:1] == b"[":
                named.along(body)
                return None
            data = cut(body)
            named.name(self._feed.rows(data))
            return _next(data)
        except ValueError as error:
            raise BadAnswer(f"the answer to {name} cannot be read: {error}", operation=name) from error


def _next(page: Cut) -> str | None:
    """Find `meta.page.next` (contract 2.1). It is only ever sent back as a parameter, never followed as a URL."""
    for name in ("meta", "page"):
        if not isinstance(page, dict) or name not in page or not bytes(page[name]).startswith(b"{"):
            return None
        page = cut(bytes(page[name]))
    cursor = parse(bytes(page.get("next", b""))) if isinstance(page, dict) else None
    return cursor if isinstance(cursor, str) and cursor else None


def _earliest(points: list[Point | None]) -> Point | None:
    found = [point for point in points if point is not None]
    if not found or len(found) < len(points):
        return None
    if len({point.epoch for point in found}) > 1:
        raise BadAnswer("the service began a new life between two pages")
    return min(found, key=lambda point: point.offset)
