"""Pending notifications."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.live.feeds import Feed, lists

KIND = Kind(
    "notifications",
    feed=Feed("notifications", "notifications:Notification", (lists("extensions:ListNotifications"),), extension=True),
    attention=("notifications",),
    shown_on="agents",
)
