"""Missed calls."""

from __future__ import annotations

from console.api.operations.extensions import ListMissedCalls
from console.kinds.kind import Kind, Scope
from console.kinds.resource import Branch, Resource
from console.live.feeds import Feed
from console.records.meetings import MissedCall

KIND = Kind(
    "missed-calls",
    feed=Feed(
        "missed-calls",
        MissedCall,
        (ListMissedCalls(),),
        shown_seconds=3.0,
        hidden_seconds=60.0,
        extension=True,
    ),
    resources=(
        Resource(
            "missed-calls",
            "Missed calls",
            "missed call",
            Branch.CALLS,
            ("missed-calls.list",),
            binds={"user_id": "user_id", "last": "id"},
            apart=("missed-calls.register",),
        ),
    ),
    scope=Scope.OWN,
)
