"""Datapipes: channels on which users pass data to each other (contract 2.12)."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import Field

from console.records.record import Record


class PipedData(Record):
    """One piece of data as our service keeps it, since the contract shows no fields. `at` in ms since the epoch."""

    from_: str | None = Field(default=None, alias="from")
    data: str | None = None
    at: int | float | None = None


class Datapipe(Record):
    """A channel between the addresses that take part in it (contract 2.12)."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    label: str | None = None
    participants: tuple[str, ...] = ()
    connected: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    data: tuple[Any, ...] = ()
    """What was sent, oldest first; entries of other services may be of any shape."""
