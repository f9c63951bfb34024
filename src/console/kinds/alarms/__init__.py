"""Call alarms."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.kinds.resource import Branch, Resource
from console.live.feeds import Feed, lists

KIND = Kind(
    "alarms",
    feed=Feed("alarms", "traffic:CallAlarm", (lists("traffic:ListCallAlarms"),), shown_seconds=3.0),
    attention=("alarms",),
    resources=(Resource("alarms", "Quality alarms", "alarm", Branch.CALLS, ("alarms.list",)),),
)
