"""What the event channel needs of the client, and whom it notifies."""

from __future__ import annotations

from collections.abc import AsyncIterable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Protocol

from console.api.errors import ApiError
from console.api.events import Event, Point

if TYPE_CHECKING:
    from console.client.dialect import Message


class Streaming(Protocol):
    """The part of the client that the channel needs."""

    def stream(
        self, topics: tuple[str, ...], resume: Point | None = None
    ) -> AbstractAsyncContextManager[AsyncIterable[Sequence[Message]]]:
        """Open the channel; it yields batches of messages."""
        ...


class Watcher(Protocol):
    """Receives the data of the channel: the engine."""

    def subscribed(self, proof: float) -> None:
        """The channel is open at a new point: list again. The data was last proven at `proof`."""
        ...

    def events(self, events: Sequence[Event]) -> None:
        """Events in order, without a gap since `subscribed` or `lost`; or rows that prove nothing, without either."""
        ...

    def hinted(self, lists: Sequence[str]) -> None:
        """These lists may have changed: list them again."""
        ...

    def heard(self, offset: int) -> None:
        """A heartbeat proves that no event is missing up to `offset`."""
        ...

    def lost(self, proof: float) -> None:
        """Events are missing: list again. The data was last proven at `proof`."""
        ...

    def closed(self, proof: float) -> None:
        """The channel is closed, and reconnects. The data was last proven at `proof`."""
        ...

    def changed(self) -> None:
        """A displayed fact may have changed."""
        ...

    def suspect(self) -> None:
        """A message was damaged in transit, and others may have been undetected."""
        ...

    async def renew_login(self) -> bool:
        """The login was refused: renew it. Return False if only a person can."""
        ...

    def fatal(self, error: ApiError) -> None:
        """A permanent error."""
        ...
