"""Pending notifications: alerts and offered chats that wait for an answer (contract 4.7).

One record is about one alert or chat, and lists all users whose answer is pending; only they see it. So one answer, or
the end of the alert or chat, is one event.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

import sqlalchemy as sa

from console.records.notifications import Notification
from console.service.events.visibility import Among, by_id
from console.service.store.documents import Documents
from console.service.store.transaction import Transaction

NOTIFICATIONS = Documents(
    "notifications",
    Notification,
    columns=(
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False, index=True),
        sa.Column("users", sa.JSON, nullable=False),
        sa.Column("created", sa.Integer, nullable=False),
    ),
    extract=lambda notification: {
        "kind": notification.kind or "",
        "subject": notification.subject or "",
        "created": int(notification.created_at or 0),
    },
    rule=Among("users", by_id),
    singular="pending notification",
)


def notify(tx: Transaction, about: Notification, users: Iterable[str]) -> None:
    """Add users to the notification of an alert or chat. The id of `about` is assigned here."""
    kind, subject = about.kind or "", about.subject or ""
    row = _row(tx, kind, subject)
    everybody = list(dict.fromkeys((*_users(row), *users)))
    if everybody:
        key = _free_id(tx, kind, subject) if row is None else row.key
        NOTIFICATIONS.put(tx, about.model_copy(update={"id": key}), users=everybody)


def settle(tx: Transaction, kind: str, subject: str, user: str | None = None) -> None:
    """Remove the notification for one user, or for all."""
    row = _row(tx, kind, subject)
    if row is None:
        return
    others = [] if user is None else [each for each in _users(row) if each != user]
    if others:
        NOTIFICATIONS.put(tx, NOTIFICATIONS.read(row.body), users=others)
    else:
        NOTIFICATIONS.remove(tx, row.key)


def pending(tx: Transaction, notification_id: str, user: str) -> Notification | None:
    """Return the pending notification with this id for a user, or None."""
    row = NOTIFICATIONS.row(tx, notification_id)
    return NOTIFICATIONS.read(row.body) if row is not None and user in _users(row) else None


def _row(tx: Transaction, kind: str, subject: str) -> sa.Row[Any] | None:
    about = (NOTIFICATIONS.c.subject == subject, NOTIFICATIONS.c.kind == kind)
    return tx.run(sa.select(NOTIFICATIONS.table).where(*about)).first()


def _users(row: sa.Row[Any] | None) -> list[str]:
    return [] if row is None else cast("list[str]", row.users)


def _free_id(tx: Transaction, kind: str, subject: str) -> str:
    """Return the id of the subject, prefixed with its kind if another kind uses the id."""
    key = subject
    while NOTIFICATIONS.row(tx, key) is not None:
        key = f"{kind}:{key}"
    return key
