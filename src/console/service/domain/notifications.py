"""Pending notifications: alerts and offered chats that wait for an answer (contract 4.7).

One record is about one alert or chat, and lists all users whose answer is pending; only they see it. So one answer, or
the end of the alert or chat, is one event.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


def notify(tx: Transaction, kind: str, entries: Sequence[tuple[Notification, Sequence[str]]]) -> None:
    """Add users to the notifications of alerts or chats: each notification, without an id, with its users."""
    entries = [(about, users) for about, users in entries if users]
    known = _rows(tx, kind, [about.subject or "" for about, _ in entries])
    taken = {row.key for row in NOTIFICATIONS.rows(tx, [about.subject or "" for about, _ in entries])}
    notifications: list[Notification] = []
    everybody: dict[str, list[str]] = {}
    for about, users in entries:
        subject = about.subject or ""
        row = known.get(subject)
        key = row.key if row is not None else _free_id(tx, kind, subject) if subject in taken else subject
        notifications.append(about.model_copy(update={"id": key}))
        everybody[key] = list(dict.fromkeys((*_users(row), *users)))
    NOTIFICATIONS.put_many(tx, notifications, users=everybody)


def settle(tx: Transaction, kind: str, subjects: Sequence[str]) -> None:
    """Remove the notifications about alerts or chats, for all users."""
    NOTIFICATIONS.remove_many(tx, [row.key for row in _rows(tx, kind, subjects).values()])


def settle_for(tx: Transaction, kind: str, subject: str, user: str) -> None:
    """Remove the notification about an alert or chat for one user."""
    row = _rows(tx, kind, [subject]).get(subject)
    others = [address for address in _users(row) if address != user]
    if row is not None and others:
        NOTIFICATIONS.put(tx, NOTIFICATIONS.read(row.body), users=others)
    else:
        settle(tx, kind, [subject])


def pending(tx: Transaction, notification_id: str, user: str) -> Notification | None:
    """Return the pending notification with this id for a user, or None."""
    row = NOTIFICATIONS.row(tx, notification_id)
    return NOTIFICATIONS.read(row.body) if row is not None and user in _users(row) else None


def _rows(tx: Transaction, kind: str, subjects: Sequence[str]) -> Mapping[str, sa.Row[Any]]:
    """Return the rows of notifications by their subjects."""
    about = (NOTIFICATIONS.c.subject.in_(subjects), NOTIFICATIONS.c.kind == kind)
    rows = tx.rows(sa.select(NOTIFICATIONS.table).where(*about)) if subjects else ()
    return {row.subject: row for row in rows}


def _users(row: sa.Row[Any] | None) -> list[str]:
    return [] if row is None else cast("list[str]", row.users)


def _free_id(tx: Transaction, kind: str, subject: str) -> str:
    """Return the id of the subject, prefixed with its kind if another kind uses the id."""
    key = subject
    while NOTIFICATIONS.row(tx, key) is not None:
        key = f"{kind}:{key}"
    return key
