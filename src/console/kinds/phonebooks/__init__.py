"""Phone books."""

from __future__ import annotations

from console.kinds.kind import Kind

KIND = Kind(
    "phonebooks",
)
