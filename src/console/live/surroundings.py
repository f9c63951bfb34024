"""The parts of the engine that a follower knows: the event channel, and who is told of changes."""

from __future__ import annotations

from typing import Protocol

from console.api.errors import ApiError
from console.api.events import Point


class Events(Protocol):
    """What a follower must know of the event channel."""

    @property
    def generation(self) -> int:
        """Rises whenever events may be missing."""
        ...

    @property
    def base(self) -> Point | None:
        """From where on events come without a gap."""
        ...

    def covers(self, kind: str) -> bool:
        """Whether events of that kind come."""
        ...


class Surroundings(Protocol):
    """Whom a follower tells: the engine."""

    def changed(self) -> None:
        """Rows or facts changed."""
        ...

    def answered(self) -> None:
        """The service answered something."""
        ...

    def suspect(self) -> None:
        """Something that was read may have been damaged on the way, and other things with it."""
        ...

    def fatal(self, error: ApiError) -> None:
        """Only a person can help: a certificate or the login."""
        ...
