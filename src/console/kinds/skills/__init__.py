"""What is true of skills; their list stands beside that of agents."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.live.feeds import Feed, lists

KIND = Kind(
    "skills",
    feed=Feed("skills", "support:Skill", (lists("support:ListSkills"),), shown_seconds=3.0),
)
