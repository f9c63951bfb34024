"""Presence."""

from __future__ import annotations

from console.kinds.kind import Kind, Screen
from console.live.feeds import Feed, lists

KIND = Kind(
    "presence",
    feed=Feed(
        "presence",
        "support:Presence",
        # For admins, the embedded service lists all users by an additional input.
        (lists("presence:ListPresences", all_users=True), lists("presence:ListPresences")),
    ),
    screen=Screen("4", "Presence", "Pres"),
)
