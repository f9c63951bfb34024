"""Members of a group as a kind."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.kinds.members.columns import MEMBERS

KIND = Kind("members", (MEMBERS,))
