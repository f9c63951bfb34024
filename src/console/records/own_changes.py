"""Changes made by this console: one entry per record and change, created locally and never sent by a service."""

from __future__ import annotations

from typing import Any, ClassVar

from console.records.record import Record


class OwnChange(Record):
    """One request of a change and its result. Times in ms since the epoch; it contains no secrets."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    state: str | None = None
    """`held`, `pending`, `done`, `refused`, `not sent`, `unknown` or `taken back`."""
    at: int | float | None = None
    """When the state was reached; before that, when the change was decided."""
    decided_at: int | float | None = None
    words: str | None = None
    """Description of the change."""
    answer: str | None = None
    """The relevant part of the service's answer, or the reason of a failure, on one line."""
    operation: str | None = None
    kind: str | None = None
    """The list of the record."""
    subject: str | None = None
    """The record's key."""
    made: str | None = None
    """The id of the created record."""
    earlier: bool | None = None
    """Whether an earlier session of the console made the change."""
    inputs: Any = None
    """The inputs sent."""
    answered: Any = None
    """The whole answer."""
