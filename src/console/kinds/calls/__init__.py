"""Calls."""

from __future__ import annotations

from console.api.operations.traffic import ListCalls
from console.kinds.kind import Kind, Scope, Screen
from console.live.feeds import Feed
from console.records.state_words import CALL, SERVER_ERROR, WAITING
from console.records.traffic import Call
from console.views.thresholds import MINUTE, SECOND, Threshold, of_age

WAIT = of_age("calls.wait", MINUTE, 2 * MINUTE)
RING = of_age("calls.ring", 30 * SECOND, MINUTE)
LOSS = Threshold(1, 5, name="quality.loss")

KIND = Kind(
    "calls",
    feed=Feed("calls", Call, (ListCalls(),), apart=WAITING | SERVER_ERROR, states=CALL),
    thresholds=(WAIT, RING, LOSS),
    screen=Screen("2", "Calls", "Calls"),
    scope=Scope.OWN,
    scope_of_admins=Scope.PART,
)
