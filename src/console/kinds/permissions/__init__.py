"""Permissions of the caller."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.kinds.resource import Branch, Resource

KIND = Kind(
    "permissions",
    resources=(
        Resource(
            "permissions",
            "Own permissions",
            "permission",
            Branch.ACCESS,
            ("permissions.own",),
            shown=("recording", "voicemail"),
        ),
    ),
)
