"""Calls."""

from __future__ import annotations

from console.kinds.kind import Kind, Screen
from console.live.feeds import Feed, lists
from console.records.state_words import SERVER_ERROR, WAITING
from console.views.thresholds import MINUTE, SECOND, Threshold, of_age

WAIT = of_age("calls.wait", MINUTE, 2 * MINUTE)
RING = of_age("calls.ring", 30 * SECOND, MINUTE)
LOSS = Threshold(1, 5, name="quality.loss")

KIND = Kind(
    "calls",
    feed=Feed("calls", "traffic:Call", (lists("traffic:ListCalls"),), apart=WAITING | SERVER_ERROR),
    thresholds=(WAIT, RING, LOSS),
    attention=("calls",),
    screen=Screen("2", "Calls", "Calls"),
)
