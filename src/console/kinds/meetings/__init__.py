"""Meetings."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.kinds.resource import Branch, Resource

KIND = Kind(
    "meetings",
    resources=(
        Resource(
            "meetings",
            "Meetings",
            "meeting",
            Branch.CALLS,
            ("meetings.list",),
            shown=("name", "valid_since", "valid_until", "user"),
        ),
    ),
)
