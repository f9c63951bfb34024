"""A way to notify a person."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from console.notices.notice import Notice

Write = Callable[[str], object]
"""Writes a control sequence to the terminal."""


class NotDelivered(Exception):
    """A notice did not arrive; the text says why, in words for a person."""


class Way(ABC):
    """One way to notify a person."""

    name: ClassVar[str]
    """Its name in the configuration."""

    def available(self) -> str:
        """Return why this way cannot be used here, empty if it can. Waits for nothing."""
        return ""

    @abstractmethod
    def send(self, notice: Notice) -> None:
        """Notify a person. Raise NotDelivered."""

    def fault(self) -> str:
        """Return why a notice has not arrived yet although it was tried repeatedly; otherwise empty."""
        return ""

    def close(self) -> None:  # noqa: B027 - most ways have nothing to end
        """Wait no longer, and restore what the way changed."""

    def expected_effect(self) -> str:
        """Return what a person should have noticed, for a test."""
        return ""
