"""The event channel: our own protocol, since the contract shows none (section 6). `docs/events.md` describes it.

Over one WebSocket, JSON texts. The client subscribes to topics, optionally from a point it has seen; the service
answers `subscribed` or `reset`, then sends events with rising offsets and a heartbeat every three seconds that carries
the head offset, so that silence can be told from loss. List answers carry the same point in two headers.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from console.records.raw import Json, Message, reader

EPOCH_HEADER = "Event-Epoch"
OFFSET_HEADER = "Event-Offset"
HEARTBEAT_SECONDS = 3.0

CLOSE_LOGIN_NEEDED = 4501
"""Close codes from 4500 say: do not come back as you are. Below, reconnecting is welcome."""
CLOSE_TOO_SLOW = 4001
CLOSE_GOING_DOWN = 4002
CLOSE_BAD_MESSAGE = 4500


class _Message(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True, hide_input_in_errors=True)


class Point(_Message):
    """A place in the stream: offsets are comparable only within one epoch."""

    epoch: str
    offset: int


class Subscribe(_Message):
    """Client: send me these topics, from after `resume` if you still can."""

    type: Literal["subscribe"] = "subscribe"
    topics: tuple[str, ...]
    resume: Point | None = None


class Subscribed(_Message):
    """Service: done; events after this point will come."""

    type: Literal["subscribed"] = "subscribed"
    epoch: str
    offset: int
    topics: tuple[str, ...]
    place: float | None = None
    """Where the subscriber stands among all of them, from 0 to 1: so they come back one by one if the service goes."""


class Reset(_Message):
    """Service: what you resume from is gone; list again, then take events after this point."""

    type: Literal["reset"] = "reset"
    epoch: str
    offset: int
    reason: str = ""


class Event(Message, frozen=True):
    """Service: one record came, changed or went. `body` is the record as a list would show it, unread.

    `relist` says that a change, or several, were too large to be sent: the kind must be listed again.
    A `notice` tells its addressee of a record, whether or not a list shows it to them: it changes no list.

    `after` is the offset of what this subscriber was sent before (or where it subscribed): events that it may not see
    leave gaps between offsets, and only a difference here is a loss.
    """

    offset: int
    after: int
    topic: str
    kind: Literal["upsert", "remove", "relist", "notice"]
    key: str
    body: Json = Json(b"null")
    type: Literal["event"] = "event"


class Heartbeat(_Message):
    """Service: still here. Everything up to `offset` has been sent, the last of it at `after`."""

    type: Literal["heartbeat"] = "heartbeat"
    epoch: str
    offset: int
    after: int


Control = Subscribed | Reset | Heartbeat
"""What the service says besides events: about the channel itself."""

_control: TypeAdapter[Control] = TypeAdapter(Annotated[Control, Field(discriminator="type")])
_event = reader(Event)


class Damaged(Message, frozen=True):
    """Not from the service: a message that is no JSON, which no service sends, was changed on the way."""


DAMAGED = Damaged()


def read_message(text: bytes) -> Event | Control | Damaged | None:
    """Read what the service sent; None when it is nothing that is known. Events cost a tenth of the others."""
    event = _event(text)
    if event is not None:
        return event if text.isascii() or _is_utf8(text) else DAMAGED
    try:
        return _control.validate_json(text)
    except ValidationError as error:
        return DAMAGED if error.errors(include_url=False)[0]["type"] == "json_invalid" else None


def _is_utf8(text: bytes) -> bool:
    """Whether a text is one. The body of an event is not read until somebody looks, and may be anything."""
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True
