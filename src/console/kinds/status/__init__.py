"""The status summary of the service: a single record."""

from __future__ import annotations

from math import inf

from console.api.operations.traffic import GetStatus
from console.kinds.kind import Kind
from console.live.feeds import Feed, one_row
from console.records.traffic import StatusSummary
from console.views.thresholds import Threshold

MEMORY = Threshold(inf, inf, unit=1_000_000, name="status.memory")
"""Threshold of the memory of the service in bytes, in MB in the configuration. By default there is none."""

KIND = Kind(
    "status",
    feed=Feed("status", StatusSummary, (GetStatus(),), rows=one_row),
    thresholds=(MEMORY,),
)
