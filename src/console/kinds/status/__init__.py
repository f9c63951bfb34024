"""The status summary of the service: a single record."""

from __future__ import annotations

from console.api.operations.traffic import GetStatus
from console.kinds.kind import Kind
from console.live.feeds import Feed, one_row
from console.records.traffic import StatusSummary

KIND = Kind(
    "status",
    feed=Feed("status", StatusSummary, (GetStatus(),), rows=one_row),
)
