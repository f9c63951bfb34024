"""Credentials."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.kinds.resource import Branch, Resource

KIND = Kind(
    "credentials",
    resources=(
        Resource(
            "credentials",
            "Credentials",
            "credential",
            Branch.ACCESS,
            ("credentials.list",),
            shown=("id", "type", "user", "domain"),
        ),
    ),
)
