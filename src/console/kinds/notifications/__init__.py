"""Pending notifications."""

from __future__ import annotations

from console.api.operations.extensions import ListNotifications
from console.kinds.kind import Kind, Scope
from console.live.feeds import Feed
from console.records.notifications import Notification

KIND = Kind(
    "notifications",
    feed=Feed("notifications", Notification, (ListNotifications(),), extension=True),
    shown_on="agents",
    scope=Scope.OWN,
    scope_of_admins=Scope.OWN,
)
