"""Episodes of rules: what needs attention, and what did."""

from __future__ import annotations

from console.kinds.kind import Kind

KIND = Kind(
    "episodes",
    watched=True,
)
