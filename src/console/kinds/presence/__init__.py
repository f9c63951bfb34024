"""Presence."""

from __future__ import annotations

from console.api.operations.presence import ListPresences
from console.kinds.kind import Kind, Scope, Screen
from console.live.feeds import Feed
from console.records.support import Presence

KIND = Kind(
    "presence",
    feed=Feed(
        "presence",
        Presence,
        # For admins, the embedded service lists all users by an additional input.
        (ListPresences(all_users=True), ListPresences()),
    ),
    screen=Screen("4", "Presence", "Pres"),
    scope=Scope.FOLLOWED,
    # Some services list everybody's to admins, others only of those whom they follow.
    scope_of_admins=Scope.LISTED,
)
