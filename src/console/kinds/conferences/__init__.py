"""Conferences."""

from __future__ import annotations

from console.kinds.kind import Kind, Screen
from console.live.feeds import Feed, lists
from console.views.thresholds import HOUR, of_age

AGE = of_age("conferences.age", 4 * HOUR, 12 * HOUR)

KIND = Kind(
    "conferences",
    feed=Feed("conferences", "traffic:Conference", (lists("traffic:ListConferences"),)),
    thresholds=(AGE,),
    screen=Screen("3", "Conferences", "Conf"),
)
