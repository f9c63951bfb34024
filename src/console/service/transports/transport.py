"""Interface of transports, with permanent and temporary errors."""

from __future__ import annotations

from abc import ABC, abstractmethod

from console.service.transports.message import DueMessage

ATTEMPT_SECONDS = 20.0
"""Timeout of one attempt, from the connection to the last answer."""


class Rejected(Exception):
    """The message was refused permanently."""


class Failed(Exception):
    """The attempt failed; a later one may succeed."""

    def __init__(self, text: str, *, down: bool = False, after_seconds: float | None = None) -> None:
        super().__init__(text)
        self.down = down
        """Whether the whole transport fails, not only this message."""
        self.after_seconds = after_seconds
        """Seconds after which the receiver wants a retry, if given."""


def one_line(text: object, longest: int = 200) -> str:
    """Return a text from a peer as one line, without control characters, cut to a length."""
    printable = "".join(value if value.isprintable() else " " for value in str(text)[: 4 * longest])
    return " ".join(printable.split())[:longest]


class Transport(ABC):
    """Sends deliveries."""

    mechanisms: frozenset[str]
    """The mechanisms that it handles."""
    name: str
    """`mail` or `webhook`."""

    def __init__(self) -> None:
        self.down: str | None = None
        """Why it fails at present; None while it works."""

    @property
    @abstractmethod
    def words(self) -> str:
        """Its destination, without secrets."""

    @abstractmethod
    async def send(self, due: DueMessage) -> None:
        """Send one delivery. Raise Rejected or Failed, and nothing else."""
