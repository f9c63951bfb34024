"""Queues of waiting calls."""

from __future__ import annotations

from console.kinds.kind import Kind, Scope
from console.views.thresholds import Threshold

IN_TIME = Threshold(80, 50, below=True, goal=True, name="queues.in-time")
"""Threshold of the calls served in time, in percent of those that were served or abandoned."""

KIND = Kind(
    "queues",
    derived=("calls", "agents", "skills"),
    thresholds=(IN_TIME,),
    shown_on="calls",
    scope=Scope.OWN,
    scope_of_admins=Scope.PART,
)
