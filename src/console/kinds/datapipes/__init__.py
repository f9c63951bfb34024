"""Datapipes."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.kinds.resource import Branch, Resource

KIND = Kind(
    "datapipes",
    resources=(
        Resource(
            "datapipes",
            "Datapipes",
            "datapipe",
            Branch.DEVICES,
            ("datapipes.list",),
            shown=("label", "participants", "connected"),
        ),
    ),
)
