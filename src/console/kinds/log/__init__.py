"""The remote log."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.kinds.resource import Branch, Resource

KIND = Kind(
    "log",
    resources=(Resource("log", "Remote log", "entry", Branch.DEVICES),),
)
