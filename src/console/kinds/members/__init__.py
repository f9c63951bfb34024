"""Members of a group."""

from __future__ import annotations

from console.kinds.kind import Kind

KIND = Kind(
    "members",
    shown_on="groups",
    acts_like="groups",
)
