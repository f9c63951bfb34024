"""Groups as a kind."""

from __future__ import annotations

from console.kinds.groups.columns import GROUPS
from console.kinds.kind import Kind

KIND = Kind("groups", (GROUPS,))
