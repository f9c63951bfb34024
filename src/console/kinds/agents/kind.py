"""Agents and skills as a kind."""

from __future__ import annotations

from console.kinds.agents.columns import AGENTS, SKILLS
from console.kinds.kind import Kind

KIND = Kind("agents", (AGENTS, SKILLS))
