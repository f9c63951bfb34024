"""How long people have been in their state. Observed by the console, since services do not tell."""

from __future__ import annotations

from typing import ClassVar

from console.records.record import Record


class ObservedActivity(Record):
    """The current state of a user, and since when it was observed."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    """The user's id."""
    activity: str | None = None
    since_at: int | float | None = None
    """When the console first saw this state, in ms since the epoch."""
    from_start: bool | None = None
    """Whether the console saw the state begin; otherwise the user may have been in it for longer."""
