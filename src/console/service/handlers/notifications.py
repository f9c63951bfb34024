"""Handlers for alerts and chats that wait for the caller's answer (an extension)."""

from __future__ import annotations

from console.api.operations.extensions import ListNotifications
from console.service.caller import Caller
from console.service.domain.notifications import NOTIFICATIONS
from console.service.handler import Listed, handles
from console.service.platform import Platform


@handles(ListNotifications, follows=NOTIFICATIONS)
def list_notifications(request: ListNotifications, caller: Caller, platform: Platform) -> Listed:
    """List what waits for the caller, the oldest first."""
    with platform.read() as tx:
        oldest_first = (NOTIFICATIONS.c.created,)
        return Listed(NOTIFICATIONS, NOTIFICATIONS.listed(tx, caller=caller, order=oldest_first))
