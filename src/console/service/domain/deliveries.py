"""Messages outside the event channel: mails, SMS, pushes and notices to users (contract 6).

A delivery is stored in the transaction that causes it. `transports/sending.py` sends it afterwards, retries, and gives
up after a while. Without a transport it is stored as `unsent`, for administrators to read. The content is stored
encrypted; lists and events mask codes.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable
from typing import Any, Literal

import sqlalchemy as sa

from console.records.deliveries import Delivery
from console.service.domain.delivery_texts import compose, secret_of
from console.service.events.visibility import Admins
from console.service.platform import Platform
from console.service.refusal import conflict
from console.service.store.documents import Documents
from console.service.store.transaction import Transaction
from console.service.transports.message import GIVEN_UP_MS, DueMessage, Message

KEPT_MS = 7 * 24 * 3600 * 1000
"""How long sent and given-up deliveries stay listed."""
MOST_KEPT = 2_000
"""Most sent and given-up deliveries that stay listed; the oldest are deleted first."""
MOST_PENDING = 5_000
"""Most pending deliveries. Further ones are given up at once, with the reason."""
LONGEST_ERROR = 300
"""Most characters of an error that are stored."""

State = Literal["pending", "sent", "dead", "unsent"]

DELIVERIES = Documents(
    "deliveries",
    Delivery,
    columns=(
        sa.Column("created", sa.Integer, nullable=False, index=True),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("mechanism", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False, index=True),
        sa.Column("due", sa.Integer, index=True),
        sa.Column("expires", sa.Integer, index=True),
        sa.Column("finished", sa.Integer, index=True),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("sealed", sa.Text),
    ),
    extract=lambda delivery: {
        "created": delivery.created_at,
        "state": delivery.state,
        "mechanism": delivery.mechanism,
        "subject": delivery.subject,
        "due": delivery.next_attempt_at,
        "expires": delivery.expires_at if delivery.state == "pending" else None,
        "finished": delivery.finished_at,
    },
    rule=Admins(),
    singular="delivery",
    order_desc="created",
)
"""`due` and `expires` are set only while a delivery is pending; `tries` counts since it was last queued."""


def deliver(platform: Platform, tx: Transaction, messages: Iterable[Message]) -> None:
    """Store messages for sending, each recipient once per mechanism."""
    unique = {(message.mechanism, message.recipient, message.kind, message.subject): message for message in messages}
    if not unique:
        return
    waiting = DELIVERIES.count(tx, DELIVERIES.c.state == "pending")
    deliveries: list[Delivery] = []
    sealed: dict[str, str] = {}
    for message in unique.values():
        key = secrets.token_hex(12)
        title, text = compose(message.kind, message.content, hide=True)
        record = Delivery(
            id=key,
            mechanism=message.mechanism,
            kind=message.kind,
            recipient=_masked(message.recipient) if message.mechanism == "push" else message.recipient,
            subject=message.subject,
            title=title,
            text=text,
            attempts=0,
            created_at=tx.now,
            expires_at=tx.now + message.good_for_ms,
        )
        if message.mechanism not in platform.transports:
            record = _finished(record, "unsent", tx.now, "no transport")
        elif waiting >= MOST_PENDING:
            record = _finished(record, "dead", tx.now, f"more than {MOST_PENDING} deliveries wait")
        else:
            record = record.model_copy(update={"state": "pending", "next_attempt_at": tx.now})
            waiting += 1
        deliveries.append(record)
        content = {"recipient": message.recipient, "content": dict(message.content)}
        sealed[key] = platform.seals.seal(_purpose(key), json.dumps(content))
    DELIVERIES.put_many(tx, deliveries, tries=dict.fromkeys(sealed, 0), sealed=sealed)


def revealed(platform: Platform, delivery_id: str) -> Delivery:
    """Return a delivery with its code or push token unmasked. Refuse with 404 if there is none."""
    with platform.read() as tx:
        row = DELIVERIES.need_row(tx, delivery_id)
        record = DELIVERIES.read(row.body)
        message = message_of(platform, row)
        _, text = compose(message.kind, message.content, hide=True)
        shown = {"secret": secret_of(message.content), "text": text}
        if message.mechanism == "push":
            shown["token"] = message.recipient
        return record.model_copy(update=shown)


def retry(platform: Platform, delivery_id: str) -> None:
    """Queue a delivery again.

    Refuse with 404 if there is none; with 409 if it is queued, sent, expired or without a transport.
    """
    with platform.write() as tx:
        row = DELIVERIES.need_row(tx, delivery_id)
        record = DELIVERIES.read(row.body)
        if record.state not in {"dead", "unsent"}:
            raise conflict("the delivery was sent" if record.state == "sent" else "the delivery is waiting to be sent")
        if record.mechanism not in platform.transports:
            raise conflict(f"no transport for {record.mechanism}: see console serve --help")
        expires = int(record.expires_at or 0)
        if _expires_early(record) and expires <= tx.now:
            raise conflict("the delivery has expired")
        changes = {"state": "pending", "next_attempt_at": tx.now, "finished_at": None}
        if expires <= tx.now:
            changes["expires_at"] = tx.now + GIVEN_UP_MS
        DELIVERIES.put(tx, record.model_copy(update=changes), tries=0)


# -- sending ----------------------------------------------------------------------------------------------------------


def due_messages(platform: Platform, mechanisms: Iterable[str], limit: int) -> list[DueMessage]:
    """Return due messages of these mechanisms, the longest due first."""
    with platform.read() as tx:
        rows = tx.rows(
            sa.select(DELIVERIES.table)
            .where(DELIVERIES.c.due <= tx.now, DELIVERIES.c.mechanism.in_(list(mechanisms)))
            .order_by(DELIVERIES.c.due, DELIVERIES.c.key)
            .limit(limit)
        )
    return [DueMessage(row.key, int(row.tries), message_of(platform, row)) for row in rows]


def note_sent(platform: Platform, delivery_id: str) -> None:
    """Store a successful attempt. Ignore deleted deliveries."""
    with platform.write() as tx:
        row = DELIVERIES.row(tx, delivery_id)
        if row is not None:
            record = _attempted(DELIVERIES.read(row.body), None)
            DELIVERIES.put(tx, _finished(record, "sent", tx.now, None), tries=int(row.tries) + 1)


def note_failed(platform: Platform, delivery_id: str, error: str, again_in_ms: int | None) -> None:
    """Store a failed attempt and the delay of the next one; None gives the delivery up."""
    with platform.write() as tx:
        row = DELIVERIES.row(tx, delivery_id)
        if row is None:
            return
        record = _attempted(DELIVERIES.read(row.body), error[:LONGEST_ERROR])
        if again_in_ms is None:
            record = _finished(record, "dead", tx.now, record.last_error)
        else:
            record = record.model_copy(update={"next_attempt_at": tx.now + again_in_ms})
        DELIVERIES.put(tx, record, tries=int(row.tries) + 1)


def give_back(platform: Platform) -> None:
    """Set pending deliveries without a transport to unsent. Called when the service starts."""
    with platform.write() as tx:
        carried = DELIVERIES.c.mechanism.in_(list(platform.transports))
        left = DELIVERIES.records(tx, DELIVERIES.c.state == "pending", ~carried)
        DELIVERIES.put_many(tx, [_finished(record, "unsent", tx.now, "no transport") for record in left])


def keep_time(platform: Platform) -> None:
    """Give up expired deliveries, and delete finished ones that are old or too many."""
    with platform.read() as tx:
        old = sa.or_(DELIVERIES.c.expires <= tx.now, DELIVERIES.c.finished < tx.now - KEPT_MS)
        if not DELIVERIES.count(tx, old) and DELIVERIES.count(tx, DELIVERIES.c.finished.is_not(None)) <= MOST_KEPT:
            return
    with platform.write() as tx:
        expired = DELIVERIES.records(tx, DELIVERIES.c.expires <= tx.now)
        DELIVERIES.put_many(tx, [_finished(record, "dead", tx.now, _expiry_error(record)) for record in expired])
        newest = sa.select(DELIVERIES.c.key).where(DELIVERIES.c.finished.is_not(None))
        newest = newest.order_by(DELIVERIES.c.finished.desc(), DELIVERIES.c.key).offset(MOST_KEPT)
        gone = sa.select(DELIVERIES.c.key).where(DELIVERIES.c.finished < tx.now - KEPT_MS)
        keys = {*tx.run(newest).scalars(), *tx.run(gone).scalars()}
        if keys:
            DELIVERIES.remove_many(tx, sorted(keys))


def _expiry_error(record: Delivery) -> str:
    reason = "expired before it could be sent"
    return (f"{reason}: {record.last_error}" if record.last_error else reason)[:LONGEST_ERROR]


def _finished(record: Delivery, state: State, now: int, error: str | None) -> Delivery:
    changes = {"state": state, "finished_at": now, "next_attempt_at": None, "last_error": error}
    return record.model_copy(update=changes)


def _attempted(record: Delivery, error: str | None) -> Delivery:
    return record.model_copy(update={"attempts": int(record.attempts or 0) + 1, "last_error": error})


def _expires_early(record: Delivery) -> bool:
    """Return whether the message has an expiry of its own."""
    return int(record.expires_at or 0) - int(record.created_at or 0) < GIVEN_UP_MS


def message_of(platform: Platform, row: sa.Row[Any]) -> Message:
    """Return the message of a stored delivery."""
    record = DELIVERIES.read(row.body)
    kept: dict[str, Any] = json.loads(platform.seals.unseal(_purpose(row.key), row.sealed))
    return Message(row.mechanism, kept["recipient"], record.kind or "", row.subject, kept["content"])


def _masked(token: str) -> str:
    return f"…{token[-4:]}" if len(token) >= 12 else "…"


def _purpose(key: str) -> str:
    return f"delivery {key}"
