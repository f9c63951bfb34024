"""What waits for somebody's answer: alerts that were sent to them, chats they were offered (contract 4.7).

A notification has the id of what it is about; everybody who was told has one of their own.
"""

from __future__ import annotations

from collections.abc import Iterable

import sqlalchemy as sa

from console.service.database import Transaction, metadata

notifications = sa.Table(
    "notifications",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("user", sa.Text, primary_key=True),
    sa.Column("kind", sa.Text, primary_key=True),
)


def notify(tx: Transaction, kind: str, subject: str, users: Iterable[str]) -> None:
    """Let something wait for the answer of each of these users."""
    rows = [{"id": subject, "user": user, "kind": kind} for user in dict.fromkeys(users)]
    if rows:
        tx.run(sa.insert(notifications).prefix_with("OR IGNORE"), rows)


def settle(tx: Transaction, kind: str, subject: str, user: str | None = None) -> None:
    """Take back what waits for one user's answer, or for everybody's."""
    which = [notifications.c.id == subject, notifications.c.kind == kind]
    if user is not None:
        which.append(notifications.c.user == user)
    tx.run(sa.delete(notifications).where(*which))


def pending(tx: Transaction, subject: str, user: str) -> str | None:
    """Return the kind of what waits under this id for this user, or None."""
    mine = sa.select(notifications.c.kind).where(notifications.c.id == subject, notifications.c.user == user)
    return tx.value(mine.order_by(notifications.c.kind))


def all_pending(tx: Transaction, user: str) -> tuple[tuple[str, str], ...]:
    """Return kind and id of everything that waits for this user."""
    mine = sa.select(notifications.c.kind, notifications.c.id).where(notifications.c.user == user)
    return tuple((row.kind, row.id) for row in tx.rows(mine.order_by(notifications.c.kind, notifications.c.id)))
