"""Calls."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.live.feeds import Feed, lists
from console.records.state_words import SERVER_ERROR, WAITING

KIND = Kind(
    "calls",
    tables=("CALLS",),
    feed=Feed("calls", "traffic:Call", (lists("traffic:ListCalls"),), apart=WAITING | SERVER_ERROR),
)
