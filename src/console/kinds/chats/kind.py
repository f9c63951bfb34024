"""Support chats as a kind."""

from __future__ import annotations

from console.kinds.chats.columns import CHATS
from console.kinds.kind import Kind

KIND = Kind("chats", (CHATS,))
