"""How many records of each list came, went and changed between two moments of a recording."""

from __future__ import annotations

from console.kinds.kind import Kind

KIND = Kind("changed-lists")
