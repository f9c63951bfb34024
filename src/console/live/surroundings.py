"""Interfaces between a follower and the engine."""

from __future__ import annotations

from typing import Protocol

from console.api.errors import ApiError
from console.api.events import Point


class Events(Protocol):
    """The event channel for a follower."""

    @property
    def generation(self) -> int:
        """Increases when events may be missing."""
        ...

    @property
    def base(self) -> Point | None:
        """The point after which events arrive without a gap."""
        ...

    def covers(self, kind: str) -> bool:
        """Return whether events of this kind arrive."""
        ...


class Surroundings(Protocol):
    """The engine for a follower."""

    def changed(self) -> None:
        """Note that rows or facts changed."""
        ...

    def answered(self) -> None:
        """Note that the service answered."""
        ...

    def suspect(self) -> None:
        """Note that data may have been damaged in transit."""
        ...

    def fatal(self, error: ApiError) -> None:
        """Stop after an error that only a person can solve: a certificate or the login."""
        ...
