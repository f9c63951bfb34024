"""An answer as it travelled."""

from __future__ import annotations

from console.api.events import Point
from console.frozen import Frozen

LARGE = 256 * 1024
"""Bytes from which an answer is read off the event loop."""


class Fetched(Frozen):
    """An answer as it travelled, and where in the stream of events it stands."""

    body: bytes
    point: Point | None
    """The point in the event stream that the answer holds; None when the service does not say."""
    etag: str | None
    source: str = ""
    """Content type, host, method and path, for errors about the answer."""
    done: bool = False
    """Whether the status said that all is done and there is nothing to send (204)."""
    unchanged: bool = False
    """Whether the service said that the body is still the one of the ETag asked with, and left it out."""
