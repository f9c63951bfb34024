"""The dialect of `docs/events.md`, with offsets that prove completeness."""

from __future__ import annotations

from collections.abc import Sequence

from console.api.errors import ApiError
from console.api.events import Point, Subscribe, read_message
from console.client.dialect import ChannelSettings, Message, Target
from console.records.raw import encode


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
