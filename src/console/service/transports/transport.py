"""What a transport is: it sends one delivery, or says why not and whether trying again may help."""

from __future__ import annotations

from abc import ABC, abstractmethod

from console.service.domain.deliveries import Due

ATTEMPT_SECONDS = 20.0
"""How long one attempt may take in all, from the connection to the last answer."""


class Rejected(Exception):
    """The message was refused for good: another attempt would be refused as well."""


class Failed(Exception):
    """The attempt failed; a later one may succeed."""

    def __init__(self, words: str, *, down: bool = False, after_seconds: float | None = None) -> None:
        super().__init__(words)
        self.down = down
        """Whether the transport as a whole does not work, and not this message alone."""
        self.after_seconds = after_seconds
        """When the receiver wants to be asked again, where it says so."""


def one_line(text: object, longest: int = 200) -> str:
    """Return a text from a peer as a single line without control characters, cut."""
    printable = "".join(each if each.isprintable() else " " for each in str(text)[: 4 * longest])
    return " ".join(printable.split())[:longest]


class Transport(ABC):
    """One way out of the service."""

    mechanisms: frozenset[str]
    """Which deliveries it carries."""
    name: str
    """`mail` or `webhook`."""

    def __init__(self) -> None:
        self.down: str | None = None
        """Why it does not work at present; None while it does."""

    @property
    @abstractmethod
    def words(self) -> str:
        """Where it sends to, without secrets."""

    @abstractmethod
    async def send(self, due: Due) -> None:
        """Send one delivery. Raises Rejected or Failed, and nothing else."""
