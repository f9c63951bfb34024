"""Push tokens of devices and of chat clients (contract 2.20)."""

from __future__ import annotations

from pydantic import Field

from console.records.record import Record


class ChatPushNode(Record):
    """Where pushes of a chat client go, and the secret its chat server shows to send them (contract 2.20)."""

    node: str | None = None
    secret: str | None = Field(default=None, repr=False)
