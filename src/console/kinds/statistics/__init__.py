"""Statistics of calls."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.kinds.resource import Branch, Resource

KIND = Kind(
    "statistics",
    resources=(
        Resource(
            "statistics",
            "Call statistics",
            "statistic",
            Branch.CALLS,
            ("statistics.get",),
            shown=("user", "service", "type", "timestamp"),
        ),
    ),
)
