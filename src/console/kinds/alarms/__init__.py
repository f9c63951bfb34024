"""Call alarms."""

from __future__ import annotations

from console.api.operations.traffic import ListCallAlarms
from console.kinds.kind import Kind
from console.kinds.resource import Branch, Resource
from console.live.feeds import Feed
from console.records.traffic import CallAlarm

KIND = Kind(
    "alarms",
    feed=Feed("alarms", CallAlarm, (ListCallAlarms(),), shown_seconds=3.0),
    resources=(Resource("alarms", "Quality alarms", "alarm", Branch.CALLS, ("alarms.list",)),),
)
