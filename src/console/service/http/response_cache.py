"""Cache of list answers, identified by entity tags.

An operation with `follows=CALLS` declares that its answer depends only on the request, on the caller's visibility of
that kind (`Rule.visibility`), and on the kind's rows. Every commit that writes to a kind raises its version, which
invalidates its answers.

A request with the tag in `If-None-Match` gets 304 and the current point in the event stream. Other requests get the
cached bytes: two hundred consoles that list ten thousand calls each after a break cost one query (about 50 ms) instead
of two hundred.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Hashable

MOST_KEPT = 32 * 1024 * 1024
"""Most bytes of cached answers; the least recently used are evicted first."""


class ResponseCache:
    """The last answers of lists whose kinds have not changed."""

    def __init__(self, epoch: str) -> None:
        """Use the epoch of the database if the versions hold for all its nodes, or a random text."""
        self._epoch = epoch
        self._stored: OrderedDict[str, bytes] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def tag(self, version: int, place: str, visibility: Hashable) -> str:
        """Return the entity tag of an answer; `place` is its service, path and query."""
        asked = hashlib.blake2b(repr((place, visibility)).encode(), digest_size=12).hexdigest()
        return f'"{self._epoch}-{version}-{asked}"'

    def answer(self, tag: str) -> bytes | None:
        """Return the cached answer with this tag, or None."""
        with self._lock:
            body = self._stored.get(tag)
            if body is not None:
                self._stored.move_to_end(tag)
            return body

    def keep(self, tag: str, body: bytes) -> None:
        """Cache an answer, and evict the least recently used ones if necessary."""
        with self._lock:
            if len(body) > MOST_KEPT or tag in self._stored:
                return
            self._stored[tag] = body
            self._bytes += len(body)
            while self._bytes > MOST_KEPT:
                self._bytes -= len(self._stored.popitem(last=False)[1])


def is_known(tag: str, header: str | None) -> bool:
    """Return whether a tag is in an `If-None-Match` header."""
    return header is not None and tag in {part.strip().removeprefix("W/") for part in header.split(",")}
