"""The messages that the service has stored."""

from __future__ import annotations

import sqlalchemy as sa

from console.service.domain.deliveries import DELIVERIES, message_of
from console.service.platform import Platform
from console.service.store.json_sql import stored_order
from console.service.store.transaction import Transaction
from console.service.transports.message import Message


def delivered(platform: Platform, tx: Transaction, subject: str) -> tuple[Message, ...]:
    """Return the messages about a subject, in the order of storage."""
    about = (
        sa.select(DELIVERIES.table)
        .where(DELIVERIES.c.subject == subject)
        .order_by(DELIVERIES.c.created, stored_order())
    )
    return tuple(message_of(platform, row) for row in tx.rows(about))
