"""The status summary of the service: a single record."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.live.feeds import Feed, lists, one_row

KIND = Kind(
    "status",
    feed=Feed("status", "traffic:StatusSummary", (lists("traffic:GetStatus"),), rows=one_row),
)
