"""Missed calls."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.live.feeds import Feed, lists

KIND = Kind(
    "missed-calls",
    feed=Feed(
        "missed-calls",
        "meetings:MissedCall",
        (lists("extensions:ListMissedCalls"),),
        shown_seconds=3.0,
        hidden_seconds=60.0,
        extension=True,
    ),
)
