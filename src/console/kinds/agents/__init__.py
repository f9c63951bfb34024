"""Agents."""

from __future__ import annotations

from console.api.operations.support import ListAgents
from console.kinds.kind import Kind, Screen
from console.live.feeds import Feed
from console.records.support import Agent
from console.views.thresholds import Threshold

LOAD = Threshold(4, 6, name="agents.load")

KIND = Kind(
    "agents",
    feed=Feed("agents", Agent, (ListAgents(),)),
    thresholds=(LOAD,),
    screen=Screen("5", "Agents", "Agents"),
)
