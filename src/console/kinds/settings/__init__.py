"""Settings of users."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.kinds.resource import Branch, Resource

KIND = Kind(
    "settings",
    resources=(
        Resource(
            "settings",
            "User settings",
            "setting",
            Branch.ACCESS,
            ("settings.list",),
            shown=("setting_key", "value", "source", "id"),
        ),
    ),
)
