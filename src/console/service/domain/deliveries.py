"""What is to be told to people outside the event channel: an outbox of notices (contract 6).

A notice stands here from the transaction that caused it; whatever carries mail, short messages and the like takes it
from here. The embedded service itself sends nothing: it forgets what is older than a week.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import sqlalchemy as sa

from console.frozen import Frozen, asdict, field
from console.service.database import Transaction, metadata
from console.service.platform import Platform

KEPT_MS = 7 * 24 * 3600 * 1000

Mechanism = Literal["user", "email", "sms", "push"]

deliveries = sa.Table(
    "deliveries",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("at", sa.Integer, nullable=False, index=True),
    sa.Column("mechanism", sa.Text, nullable=False),
    sa.Column("recipient", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("subject", sa.Text, nullable=False, index=True),
    sa.Column("content", sa.JSON, nullable=False),
)


class Delivery(Frozen):
    """One notice to one recipient by one mechanism."""

    mechanism: Mechanism
    recipient: str
    """A user address for `user`, an e-mail address for `email`, a telephone number for `sms`, a token for `push`."""
    kind: str
    """What happened, in the past tense: `meeting created`."""
    subject: str
    """The id of what it is about."""
    content: Mapping[str, Any] = field(default_factory=dict[str, Any])


def deliver(tx: Transaction, notices: Iterable[Delivery]) -> None:
    """Put notices into the outbox, each recipient once per mechanism."""
    unique = {(each.mechanism, each.recipient, each.kind, each.subject): each for each in notices}
    rows = [{"at": tx.now, **asdict(each)} for each in unique.values()]
    if rows:
        tx.run(sa.insert(deliveries), rows)


def delivered(tx: Transaction, subject: str) -> tuple[Delivery, ...]:
    """Return the notices about one thing, in the order they came."""
    found = tx.rows(sa.select(deliveries).where(deliveries.c.subject == subject).order_by(deliveries.c.number))
    return tuple(Delivery(row.mechanism, row.recipient, row.kind, row.subject, row.content) for row in found)


def forget_old(platform: Platform) -> None:
    """Drop the notices that nobody needs any more."""
    with platform.write() as tx:
        tx.run(sa.delete(deliveries).where(deliveries.c.at < tx.now - KEPT_MS))
