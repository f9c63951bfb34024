"""Alerts and chats offered to the caller: an extension of the contract."""

from __future__ import annotations

from typing import ClassVar

from console.records.record import Record


class Notification(Record):
    """An alert or chat offered to the caller. Time in ms since the epoch."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    """The id for `notifications.resolve`: the id of the alert or chat, unless the other kind has the same id."""
    kind: str | None = None
    """`alert` or `chat`."""
    subject: str | None = None
    """The id of the alert or chat."""
    title: str | None = None
    """The title of the alert, or the skill that the chat requires."""
    from_user: str | None = None
    """The id of the user who sent the alert or started the chat."""
    created_at: int | float | None = None
