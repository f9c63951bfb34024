"""Agents and skills."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.live.feeds import Feed, lists

KIND = Kind(
    "agents",
    tables=("AGENTS", "SKILLS"),
    feed=Feed("agents", "support:Agent", (lists("support:ListAgents"),)),
)
