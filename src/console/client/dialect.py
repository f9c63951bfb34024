"""The interface of a dialect: the protocol that is spoken on an event channel. See `docs/events.md`.

A package registers its class under the entry point group `console.dialects`; a profile names it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from console.api.errors import ApiError
from console.api.events import Control, Damaged, Event, Heartbeat, Hint, Point, Reset, Subscribed
from console.base.frozen import Frozen, field
from console.client.endpoint import ChannelSettings
from console.records.raw import Json

__all__ = [
    "ChannelSettings",
    "Control",
    "Damaged",
    "Dialect",
    "Event",
    "Heartbeat",
    "Hint",
    "Message",
    "Point",
    "Reset",
    "SseFrame",
    "Subscribed",
    "Target",
    "row",
]

Message = Event | Control | Damaged | Hint
"""Messages that a dialect reads from the frames of a channel."""


class Target(Frozen):
    """Address and headers of a channel."""

    url: str
    """A `ws`, `wss`, `http` or `https` URL, with the credential if the profile shows it in the query."""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    """Headers of the request, with the credential if the profile shows it there."""
    token: str = ""
    """The credential itself, for protocols that send it in a frame; empty without a login."""
    subprotocols: tuple[str, ...] = ()
    """WebSocket subprotocols to offer."""


class SseFrame(bytes):
    """The data of a server-sent event, with the name of the event."""

    event: str

    def __new__(cls, data: bytes, event: str = "") -> SseFrame:
        """Create a frame; `event` is empty if the stream names none."""
        frame = super().__new__(cls, data)
        frame.event = event
        return frame


class Dialect(Protocol):
    """The protocol of an event channel. There is one object for each connection, used by one thread at a time.

    A dialect may raise `LoginNeeded`, `Forbidden` and `NotOffered` of `console.api.errors`. Any other exception breaks
    the connection, which is opened again later.
    """

    def __init__(self, settings: ChannelSettings, /) -> None:
        """Start a connection with the channel's settings of the profile."""
        ...

    def open(self, target: Target, /) -> Target:
        """Return where to connect: the target itself, or one with another path, query or headers on the same host."""
        ...

    def greet(self, topics: tuple[str, ...], resume: Point | None, /) -> Iterable[str]:
        """Return the texts to send once connected. `topics` are the lists of the console."""
        ...

    def read(self, frames: Sequence[bytes], /) -> Iterable[Message]:
        """Return the messages in the frames received since the last call: none, one or several for each frame.

        `frames` is empty if only a sign of life arrived, such as a comment in a stream of server-sent events.
        """
        ...

    def reply(self) -> Iterable[str]:
        """Return the texts to send now. Called after each `read`, and every ten seconds without one."""
        ...

    def closed(self, code: int, reason: str, /) -> ApiError | None:
        """Return the error that the close code of a WebSocket stands for; None for its usual meaning."""
        ...


def row(topic: str, key: str, body: bytes | None) -> Event:
    """Return the event of one changed row, for protocols without offsets. `body` is its JSON; None if it is gone.

    Such a row is shown at once. It proves nothing, so its list is still polled.
    """
    if body is None:
        return Event(offset=0, after=0, topic=topic, kind="remove", key=key)
    return Event(offset=0, after=0, topic=topic, kind="upsert", key=key, body=Json(body))
