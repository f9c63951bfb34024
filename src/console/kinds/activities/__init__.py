"""Observed states of people: since when they are free, busy or away."""

from __future__ import annotations

from console.kinds.kind import Kind

KIND = Kind("activities", derived=("presence", "agents"))
