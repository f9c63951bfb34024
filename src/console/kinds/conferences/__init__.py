"""Conferences."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.live.feeds import Feed, lists

KIND = Kind(
    "conferences",
    tables=("CONFERENCES",),
    feed=Feed("conferences", "traffic:Conference", (lists("traffic:ListConferences"),)),
)
