"""Messages of the event channel, which the contract (section 6) does not define. See `docs/events.md`.

JSON texts on a WebSocket. The client subscribes to topics, optionally from an earlier point; the service answers
`subscribed` or `reset`, then sends events with increasing offsets, and a heartbeat with the latest offset every three
seconds, which distinguishes silence from loss. List answers carry the same point in two headers.
"""

from __future__ import annotations

from typing import Literal

from console.records.raw import Json, WireStruct, message_reader

EPOCH_HEADER = "Event-Epoch"
OFFSET_HEADER = "Event-Offset"
HEARTBEAT_SECONDS = 3.0

CLOSE_LOGIN_NEEDED = 4501
"""Close codes from 4500 on are refusals. For lower ones, clients reconnect."""
CLOSE_TOO_SLOW = 4001
CLOSE_GOING_DOWN = 4002
CLOSE_BAD_MESSAGE = 4500


class Point(WireStruct, frozen=True):
    """A position in the stream: offsets are comparable only within one epoch."""

    epoch: str
    offset: int


class Subscribe(WireStruct, frozen=True, tag="subscribe", omit_defaults=True):
    """Client: subscribe to these topics, from after `resume` if possible."""

    topics: tuple[str, ...]
    resume: Point | None = None


class Subscribed(WireStruct, frozen=True, tag="subscribed"):
    """Service: subscribed; events after this point follow."""

    epoch: str
    offset: int
    topics: tuple[str, ...]
    place: float | None = None
    """Position among all subscribers, from 0 to 1, to spread reconnects after a restart."""


class Reset(WireStruct, frozen=True, tag="reset"):
    """Service: cannot resume; list again, then apply events after this point."""

    epoch: str
    offset: int
    reason: str = ""


class Event(WireStruct, frozen=True):
    """Service: one record was created, changed or removed. `body` is the unparsed record, as in a list.

    `relist` means that one or more changes were too large to send, so the kind must be listed again. A `notice` informs
    its addressee about a record, and changes no list.

    `after` is the offset of the previous event of this subscriber, or of its subscription. Invisible events leave gaps
    between offsets; only a difference in `after` is a loss.
    """

    offset: int
    after: int
    topic: str
    kind: Literal["upsert", "remove", "relist", "notice"]
    key: str
    body: Json = Json(b"null")
    type: Literal["event"] = "event"


class Heartbeat(WireStruct, frozen=True, tag="heartbeat"):
    """Service: still connected. All events up to `offset` have been sent, the last at `after`."""

    epoch: str
    offset: int
    after: int


Control = Subscribed | Reset | Heartbeat
"""Messages of the service about the channel itself."""

_subscribe = message_reader(Subscribe)


class Damaged(WireStruct, frozen=True):
    """A message that is not JSON. Services never send one, so it was damaged in transit."""


DAMAGED = Damaged()


class Hint(WireStruct, frozen=True, tag="hint"):
    """A hint of another protocol: these lists changed. It proves nothing, and carries no row."""

    lists: tuple[str, ...] = ()
    frames: int = 1
    """Number of frames that were read."""
    skipped: int = 0
    """Number of those that were not understood."""
    unknown: str = ""
    """The beginning of the first that names no list; remote text."""


def read_subscription(text: str) -> Subscribe:
    """Parse the message of a client. Raise ValueError for another."""
    return _subscribe(text)
