"""Resolved addresses."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.kinds.resource import Branch, Resource

KIND = Kind(
    "addresses",
    resources=(
        Resource(
            "addresses",
            "Resolved addresses",
            "address",
            Branch.SIP,
            ("addresses.list",),
            shown=("username", "domain", "gateway_username"),
        ),
    ),
)
