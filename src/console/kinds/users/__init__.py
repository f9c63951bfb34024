"""Users."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.live.feeds import PAGE, Feed, lists

KIND = Kind(
    "users",
    feed=Feed(
        "users",
        "people:User",
        (lists("people:PageUsers", page_size=PAGE), lists("people:PageUsers"), lists("people:ListUsers")),
        shown_seconds=5.0,
        hidden_seconds=30.0,
    ),
)
