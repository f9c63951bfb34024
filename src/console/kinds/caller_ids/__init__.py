"""Caller ids."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.kinds.resource import Branch, Resource

KIND = Kind(
    "caller-ids",
    resources=(
        Resource(
            "caller-ids", "Caller ids", "caller id", Branch.PROVISIONING, ("caller-ids.list",), shown=("name", "value")
        ),
    ),
)
