"""Alerts and chats that are offered to the caller: an extension, which the contract does not have."""

from __future__ import annotations

from typing import ClassVar

from console.records.record import Record


class Notification(Record):
    """An alert or a chat that is offered to the caller. Time in ms since the epoch."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    """The id for `notifications.resolve`: that of the alert or chat, unless the other kind has the same id."""
    kind: str | None = None
    """`alert` or `chat`."""
    subject: str | None = None
    """The id of the alert or chat."""
    title: str | None = None
    """The alert's title, or the skill that the chat asks for."""
    from_user: str | None = None
    """The id of the user who sent the alert or asks for the chat."""
    created_at: int | float | None = None
