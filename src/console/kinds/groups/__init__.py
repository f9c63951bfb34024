"""Groups."""

from __future__ import annotations

from console.kinds.kind import Kind, Screen
from console.live.feeds import PAGE, Feed, lists

KIND = Kind(
    "groups",
    feed=Feed(
        "groups",
        "people:Group",
        (lists("people:PageGroups", page_size=PAGE), lists("people:PageGroups"), lists("people:ListGroups")),
    ),
    screen=Screen("7", "Groups", "Groups"),
)
