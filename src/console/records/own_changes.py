"""What this console changed: one entry for each record of each change, made here and never sent by a service."""

from __future__ import annotations

from typing import Any, ClassVar

from console.records.record import Record


class OwnChange(Record):
    """One request of a change and what became of it. Times in ms since the epoch; nothing in it is secret."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    state: str | None = None
    """`held`, `pending`, `done`, `refused`, `not sent`, `unknown` or `taken back`."""
    at: int | float | None = None
    """When that was known; until then when it was decided."""
    decided_at: int | float | None = None
    words: str | None = None
    """What was changed, or is to be."""
    answer: str | None = None
    """What the service answered that is worth saying, or why it was not done, on one line."""
    operation: str | None = None
    kind: str | None = None
    """The list that the record stands in."""
    subject: str | None = None
    """The record's key."""
    made: str | None = None
    """The id of what was made."""
    earlier: bool | None = None
    """Whether an earlier run of the console decided it."""
    inputs: Any = None
    """What was sent."""
    answered: Any = None
    """The whole answer."""
