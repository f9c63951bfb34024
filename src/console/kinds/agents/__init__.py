"""Agents and skills."""

from __future__ import annotations

from console.kinds.kind import Kind, Screen
from console.live.feeds import Feed, lists
from console.views.thresholds import Threshold

LOAD = Threshold(4, 6, name="agents.load")

KIND = Kind(
    "agents",
    feed=Feed("agents", "support:Agent", (lists("support:ListAgents"),)),
    thresholds=(LOAD,),
    screen=Screen("5", "Agents", "Agents"),
)
