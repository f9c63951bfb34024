"""Lists that are asked for again and have not changed: known by a tag, and not read anew.

An operation that says `follows=CALLS` promises that its answer is decided by the request, by what the caller may see
of that kind (`Rule.visibility`), and by the kind's rows. Every commit that touches a kind raises its version, so
answers go stale at that very commit and not before.

Who sends the tag back as `If-None-Match` is told 304 and the point in the stream of events up to which the list still
stands. Who does not gets the same bytes once more: two hundred consoles that come back after a break and list ten
thousand calls each cost one reading (some 50 ms) instead of two hundred.
"""

from __future__ import annotations

import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Hashable

MOST_KEPT = 32 * 1024 * 1024
"""Bytes of answers that are kept at most; who asked longest ago goes first."""


class ResponseCache:
    """The answers of lists as they were last given, for as long as their kinds have not changed."""

    def __init__(self) -> None:
        self._instance = secrets.token_hex(4)
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._bytes = 0

    def tag(self, version: int, place: str, visibility: Hashable) -> str:
        """Return the entity tag of an answer: `place` is its service, path and query. Good for this process only."""
        asked = hashlib.blake2b(repr((place, visibility)).encode(), digest_size=12).hexdigest()
        return f'"{self._instance}-{version}-{asked}"'

    def answer(self, tag: str) -> bytes | None:
        """Return the answer with that tag if it is still kept."""
        body = self._kept.get(tag)
        if body is not None:
            self._kept.move_to_end(tag)
        return body

    def keep(self, tag: str, body: bytes) -> None:
        """Keep an answer; it replaces those that are older than there is room for."""
        if len(body) > MOST_KEPT or tag in self._kept:
            return
        self._kept[tag] = body
        self._bytes += len(body)
        while self._bytes > MOST_KEPT:
            self._bytes -= len(self._kept.popitem(last=False)[1])


def is_known(tag: str, header: str | None) -> bool:
    """Return whether a tag is among those of an `If-None-Match` header."""
    return header is not None and tag in {each.strip().removeprefix("W/") for each in header.split(",")}
