"""Missed calls: registered by clients, and marked as read (contract 2.20, 4.5)."""

from __future__ import annotations

import re

import sqlalchemy as sa

from console.records.meetings import MissedCall, MissedCallDetails
from console.service.domain.people import need_user
from console.service.domain.relations import user_id_of
from console.service.events.visibility import Admins, AnyOf, Same, by_id
from console.service.platform import Platform
from console.service.refusal import invalid, missing
from console.service.store.documents import Documents
from console.service.store.transaction import Transaction

MOST_KEPT = 1000
"""Most missed calls of one user; the oldest are deleted."""

_NUMBER = re.compile(r"\+?[0-9][0-9 ()./-]{0,39}\Z", re.ASCII)

MISSED_CALLS = Documents(
    "missed_calls",
    MissedCall,
    columns=(
        sa.Column("user", sa.Text, nullable=False, index=True),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("read", sa.Boolean, nullable=False),
    ),
    extract=lambda missed: {"user": missed.user_id or "", "read": bool(missed.read)},
    rule=AnyOf(Admins(), Same("user", by_id)),
    singular="missed call",
    topic="missed-calls",
)
"""`number` counts the missed calls of a user, and defines their order."""


def register(platform: Platform, user_id: str, source: str, meta: MissedCallDetails) -> MissedCall:
    """Register that a user missed a call from a user address or a telephone number.

    Refuse with 404 an unknown user, with 400 any other source.
    """
    with platform.write() as tx:
        need_user(tx, user_id)
        if not user_id_of(source) and not _NUMBER.match(source):
            raise invalid("from", "must be a user address, svc-user:<id>, or a telephone number", "format")
        number = int(tx.value(sa.select(sa.func.max(MISSED_CALLS.c.number)).where(_of(user_id))) or 0) + 1
        record = MissedCall.model_validate(
            {
                "id": platform.new_id(),
                "userId": user_id,
                "from": source,
                "meta": meta,
                "createdAt": tx.now,
                "read": False,
            }
        )
        MISSED_CALLS.put(tx, record, number=number)
        _prune(tx, user_id)
        return record


def mark_read(platform: Platform, user_id: str, last: str) -> int:
    """Mark a missed call of a user and all earlier ones as read; return how many were unread."""
    with platform.write() as tx:
        need_user(tx, user_id)
        row = MISSED_CALLS.row(tx, last)
        if row is None or row.user != user_id:
            raise missing("missed call", last)
        unread = MISSED_CALLS.records(
            tx, _of(user_id), sa.not_(MISSED_CALLS.c.read), MISSED_CALLS.c.number <= row.number
        )
        MISSED_CALLS.put_many(tx, [missed.model_copy(update={"read": True}) for missed in unread])
        return len(unread)


def _of(user_id: str) -> sa.ColumnElement[bool]:
    return MISSED_CALLS.c.user == user_id


def _prune(tx: Transaction, user_id: str) -> None:
    newest_first = sa.select(MISSED_CALLS.c.key).where(_of(user_id)).order_by(MISSED_CALLS.c.number.desc())
    MISSED_CALLS.remove_many(tx, tx.run(newest_first.offset(MOST_KEPT)).scalars().all())
