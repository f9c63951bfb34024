"""Presence."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.live.feeds import Feed, lists

KIND = Kind(
    "presence",
    feed=Feed(
        "presence",
        "support:Presence",
        # An admin looks after everybody, whom the embedded service lists by an input of its own.
        (lists("presence:ListPresences", all_users=True), lists("presence:ListPresences")),
    ),
)
