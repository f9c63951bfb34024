"""Answers about what waits for the caller's answer (an extension)."""

from __future__ import annotations

from collections.abc import Iterator

from console.api.operations.extensions import ListNotifications
from console.records.notifications import Notification
from console.service.answering import answers
from console.service.caller import Caller
from console.service.database import Transaction
from console.service.domain import alerts, notifications
from console.service.domain.alerts import ALERTS
from console.service.domain.chats import CHATS
from console.service.platform import Platform


@answers(ListNotifications)
def list_notifications(request: ListNotifications, caller: Caller, platform: Platform) -> tuple[Notification, ...]:
    """List what waits for the caller, the oldest first."""
    with platform.read() as tx:
        return tuple(sorted(_pending(tx, caller), key=lambda each: (each.created_at or 0, each.id)))


def _pending(tx: Transaction, caller: Caller) -> Iterator[Notification]:
    for kind, subject in notifications.all_pending(tx, caller.id):
        if kind == alerts.NOTICE:
            row = ALERTS.row(tx, subject)
            if row is None:
                continue
            alert = alerts.as_of(ALERTS.read(row.body), alerts.pace_of(row), tx.now)
            if alert.state == "active":
                yield Notification(
                    id=subject, kind=kind, title=alert.title, from_user=alert.from_, created_at=alert.created_at
                )
        elif (row := CHATS.row(tx, subject)) is not None:
            chat = CHATS.read(row.body)
            skill = (chat.context or {}).get("skill")
            asking = next((each.id for each in chat.participants if each.id), None)
            title = skill if isinstance(skill, str) else None
            yield Notification(id=subject, kind=kind, title=title, from_user=asking, created_at=row.began)
