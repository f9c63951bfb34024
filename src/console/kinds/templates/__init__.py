"""Alert templates."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.live.feeds import Feed, lists

KIND = Kind(
    "templates",
    feed=Feed(
        "templates", "support:AlertTemplate", (lists("support:ListTemplates"),), shown_seconds=5.0, hidden_seconds=30.0
    ),
    shown_on="alerts",
)
