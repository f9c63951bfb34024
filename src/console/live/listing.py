"""One fresh list of a kind: all pages, cut into raw rows, with the point in the event stream that they hold."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, cast

from pydantic_core import from_json

from console.api.errors import BadAnswer, BadRequest, NotFound, NotOffered
from console.api.events import Point
from console.api.request import Request
from console.client.client import LARGE, Fetched
from console.live.feeds import Feed, Listing
from console.records.record import Record

MOST_PAGES = 2_000


class Fetching(Protocol):
    """What a list needs of the client."""

    def fetch(self, request: Request[Any]) -> Awaitable[Fetched]:
        """Return the answer's bytes. Raises `api.errors`."""
        ...


@dataclass(frozen=True, slots=True)
class Listed:
    """What a list brought."""

    rows: Mapping[str, Any] | None
    """Raw rows by key; None when every byte is as it was the last time."""
    odd: Mapping[str, Record]
    """Records of rows whose key only the record could tell, by that key: they stand in `rows` too."""
    point: Point | None
    """The earliest point that all pages hold; None when the service does not say."""
    digests: tuple[bytes, ...]


class Lister:
    """Lists one kind, by the first of its ways that this deployment has."""

    def __init__(self, feed: Feed, client: Fetching) -> None:
        self._feed = feed
        self._client = client
        self._way = 0

    async def list(self, known: tuple[bytes, ...] | None = None) -> Listed:
        """List all pages now. `known` are the digests of the last list, if the rows are still exactly those.

        Raises `api.errors`: BadAnswer when the pages are not of one life of the service, or of the wrong shape.
        """
        while True:
            listing = self._feed.listings[self._way]
            try:
                first = await self._client.fetch(listing(None))
            except (BadRequest, NotFound, NotOffered):
                if self._way + 1 >= len(self._feed.listings):
                    self._way = 0
                    raise
                self._way += 1
                continue
            return await self._rest(listing, first, known)

    async def _rest(self, listing: Listing, fetched: Fetched, known: tuple[bytes, ...] | None) -> Listed:
        request = listing(None)
        points: list[Point | None] = []
        digests: list[bytes] = []
        rows: dict[str, Any] = {}
        odd: dict[str, Record] = {}
        seen: set[str] = set()
        while True:
            points.append(fetched.point)
            digests.append(fetched.digest)
            if known == (fetched.digest,):
                return Listed(None, {}, _earliest(points), (fetched.digest,))
            if len(fetched.body) > LARGE:
                cursor = await asyncio.to_thread(self._cut, request, fetched.body, rows, odd)
            else:
                cursor = self._cut(request, fetched.body, rows, odd)
            if cursor is None:
                break
            if cursor in seen or len(seen) >= MOST_PAGES:
                raise BadAnswer("the pages of the list never end", operation=request.operation.name)
            seen.add(cursor)
            fetched = await self._client.fetch(listing(cursor))
        found = tuple(digests)
        return Listed(None if found == known else rows, odd, _earliest(points), found)

    def _cut(self, request: Request[Any], body: bytes, rows: dict[str, Any], odd: dict[str, Record]) -> str | None:
        """Add a page's rows, and return the cursor of the next page."""
        name = request.operation.name
        try:
            data = parse(body)
            unwrap = request.operation.unwrap
            if unwrap is not None and isinstance(data, Mapping) and unwrap in data:
                data = cast("Mapping[str, Any]", data)[unwrap]
            for row in self._feed.rows(data):
                key = self._feed.key_of(row)
                if key is None:
                    record = self._feed.read(row)
                    key = record.key
                    odd[key] = record
                rows[key] = row
        except ValueError as error:
            raise BadAnswer(f"the answer to {name} cannot be read: {error}", operation=name) from error
        return _next(data)


def parse(body: bytes) -> Any:
    """Read JSON; bytes that are no UTF-8 are replaced, and a lone surrogate spoils its own string only.

    Raises ValueError.
    """
    if not body.strip():
        return None
    try:
        return from_json(body, allow_inf_nan=False)
    except ValueError:
        text = body.decode("utf-8", errors="replace")
        try:
            data = json.loads(text, parse_constant=_no_number)
        except RecursionError:
            raise ValueError("nested too deeply") from None
        return data


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def _next(data: Any) -> str | None:
    """Find `meta.page.next` (contract 2.1). It is only ever sent back as a parameter, never followed as a URL."""
    for name in ("meta", "page", "next"):
        if not isinstance(data, Mapping):
            return None
        data = cast("Mapping[str, Any]", data).get(name)
    return data if isinstance(data, str) and data else None


def _earliest(points: list[Point | None]) -> Point | None:
    found = [point for point in points if point is not None]
    if not found or len(found) < len(points):
        return None
    if len({point.epoch for point in found}) > 1:
        raise BadAnswer("the service began a new life between two pages")
    return min(found, key=lambda point: point.offset)
