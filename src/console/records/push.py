"""Push tokens of devices and of chat clients (contract 2.20)."""

from __future__ import annotations

from console.records.fields import field
from console.records.record import Record


class ChatPushNode(Record):
    """The node of a chat client's pushes, and the secret for its chat server (contract 2.20)."""

    node: str | None = None
    secret: str | None = field(default=None, repr=False)
