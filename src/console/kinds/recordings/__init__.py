"""Recordings."""

from __future__ import annotations

from console.kinds.kind import Kind, Scope
from console.kinds.resource import Branch, Resource

KIND = Kind(
    "recordings",
    resources=(
        Resource(
            "recordings",
            "Recordings",
            "recording",
            Branch.CALLS,
            ("recordings.page", "recordings.list"),
            apart=("recordings.start", "recordings.stop"),
        ),
    ),
    scope=Scope.OWN,
)
