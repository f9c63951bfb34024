"""Support chats."""

from __future__ import annotations

from console.api.operations.support import ListSupportChats
from console.kinds.kind import Kind
from console.live.feeds import Feed
from console.records.support import SupportChat
from console.views.thresholds import MINUTE, of_age

AGE = of_age("chats.age", 10 * MINUTE, 30 * MINUTE)

KIND = Kind(
    "chats",
    feed=Feed("chats", SupportChat, (ListSupportChats(),)),
    thresholds=(AGE,),
    shown_on="agents",
)
