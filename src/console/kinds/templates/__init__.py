"""Alert templates."""

from __future__ import annotations

from console.api.operations.support import ListTemplates
from console.kinds.kind import Kind
from console.live.feeds import Feed
from console.records.support import AlertTemplate

KIND = Kind(
    "templates",
    feed=Feed("templates", AlertTemplate, (ListTemplates(),), shown_seconds=5.0, hidden_seconds=30.0),
    shown_on="alerts",
)
