"""Unparsed answers."""

from __future__ import annotations

from console.api.events import Point
from console.base.frozen import Frozen

LARGE = 256 * 1024
"""Size in bytes from which an answer is parsed off the event loop."""


class Fetched(Frozen):
    """An unparsed answer, with its point in the event stream."""

    body: bytes
    point: Point | None
    """The point in the event stream that the answer contains, or None if unknown."""
    etag: str | None
    source: str = ""
    """Content type, host, method and path, for errors about the answer."""
    done: bool = False
    """Whether the status reported success without content (204)."""
    accepted: bool = False
    """Whether the status reported that the request was accepted, and is not done yet (202)."""
    unchanged: bool = False
    """Whether the body is unchanged since the ETag in the request, and was omitted."""
