"""Support chats."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.live.feeds import Feed, lists

KIND = Kind(
    "chats",
    tables=("CHATS",),
    feed=Feed("chats", "support:SupportChat", (lists("support:ListSupportChats"),)),
)
