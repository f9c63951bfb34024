"""Sessions."""

from __future__ import annotations

from console.api.operations.sessions import ListOwnSessions, ListSessions
from console.kinds.kind import Kind, Scope
from console.kinds.resource import Branch, Resource
from console.live.feeds import Feed
from console.records.people import Session
from console.views.thresholds import MINUTE, of_age

LEFT = of_age("sessions.left", 10 * MINUTE, 2 * MINUTE, below=True)

KIND = Kind(
    "sessions",
    feed=Feed(
        "sessions",
        Session,
        (ListSessions(),),
        own=ListOwnSessions(),
        shown_seconds=5.0,
        hidden_seconds=30.0,
    ),
    thresholds=(LEFT,),
    resources=(Resource("sessions", "Sessions", "session", Branch.ACCESS, ("sessions.list",)),),
    scope=Scope.OWN,
)
