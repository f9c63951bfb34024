"""The dialect of `docs/events.md`, with offsets that prove completeness."""

from __future__ import annotations

from collections.abc import Sequence

from console.api.errors import ApiError
from console.api.events import DAMAGED, Control, Damaged, Event, Point, Subscribe
from console.client.dialect import ChannelSettings, Message, Target
from console.records.raw import UNREADABLE, NotJson, decoder, encode, message_reader

_control = message_reader(Control)
_event = decoder(Event)


class OwnDialect:
    """Our own protocol."""

    def __init__(self, _settings: ChannelSettings, /) -> None:
        """Need no settings."""

    def open(self, target: Target) -> Target:
        """Connect to the URL itself."""
        return target

    def greet(self, topics: tuple[str, ...], resume: Point | None) -> tuple[str, ...]:
        """Subscribe."""
        return (encode(Subscribe(topics=topics, resume=resume)).decode(),)

    def read(self, frames: Sequence[bytes]) -> Sequence[Message]:
        """Parse the messages. Unknown ones are skipped: a lost event appears as a gap in the offsets."""
        came = [read_message(text) for text in frames]
        return [message for message in came if message is not None]

    def reply(self) -> tuple[str, ...]:
        """Send nothing: the service needs no answers."""
        return ()

    def closed(self, _code: int, _reason: str, /) -> ApiError | None:
        """Leave the codes to the client: they are those of the service."""
        return None


def read_message(text: bytes) -> Event | Control | Damaged | None:
    """Parse a message of the service; return None for an unknown one."""
    if not (text.isascii() or _is_utf8(text)):
        return DAMAGED
    try:
        return _event(text)
    except UNREADABLE:
        return _read_control(text)


def _read_control(text: bytes) -> Control | Damaged | None:
    try:
        return _control(text)
    except NotJson:
        return DAMAGED
    except ValueError:
        return None


def _is_utf8(text: bytes) -> bool:
    """Return whether a text is valid UTF-8. The body of an event is parsed later, and unknown fields never."""
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True
