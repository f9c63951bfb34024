"""Datapipes: channels on which users send data to each other (contract 2.12)."""

from __future__ import annotations

from typing import Any, ClassVar

from console.records.fields import field
from console.records.record import Record


class PipedData(Record):
    """One message, in a format of the embedded service: the contract defines none. `at` in ms since the epoch."""

    from_: str | None = field(default=None, wire="from")
    data: str | None = None
    at: int | float | None = None


class Datapipe(Record):
    """A channel between addresses (contract 2.12)."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    label: str | None = None
    participants: tuple[str, ...] = ()
    connected: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    data: tuple[Any, ...] = ()
    """The sent messages, oldest first; other services may use any format."""
