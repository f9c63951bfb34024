"""Skills."""

from __future__ import annotations

from console.api.operations.support import ListSkills
from console.kinds.kind import Kind
from console.live.feeds import Feed
from console.records.support import Skill
from console.views.thresholds import Threshold

ONLINE = Threshold(1, 0, below=True, name="skills.online")
"""Threshold of the number of agents who can take work."""

KIND = Kind(
    "skills",
    feed=Feed("skills", Skill, (ListSkills(),), shown_seconds=3.0),
    thresholds=(ONLINE,),
    shown_on="agents",
)
