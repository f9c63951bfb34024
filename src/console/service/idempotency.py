"""Idempotency-Key: the same change asked twice under one key happens once and is answered the same.

The answer is stored in the transaction of the change itself, so that neither can be there without the other. Kept for
a day. Log-in operations are left out: their answers hold secrets, which are stored nowhere.
"""

from __future__ import annotations

import sqlalchemy as sa

from console.frozen import Frozen
from console.service.caller import Caller
from console.service.database import Transaction, metadata
from console.service.refusal import conflict, faulty
from console.service.sealing import Seals

HEADER = "idempotency-key"
KEPT_MS = 24 * 3600 * 1000
LONGEST_KEY = 255

_answered = sa.Table(
    "idempotency",
    metadata,
    sa.Column("user", sa.Text, primary_key=True),
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("request", sa.Text, nullable=False),
    sa.Column("status", sa.Integer, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.Column("at", sa.Integer, nullable=False, index=True),
)


class Attempt(Frozen):
    """One request that carries a key."""

    user: str
    key: str
    request: str

    @classmethod
    def of(cls, seals: Seals, key: str, caller: Caller, method: str, path: str, body: bytes) -> Attempt:
        """Describe a request; refuse keys that are empty or overlong.

        What is kept of the request itself is only good for telling it from others: its body may hold a password.
        """
        if not key or len(key) > LONGEST_KEY:
            raise faulty("Idempotency-Key", f"must have 1 to {LONGEST_KEY} characters", "length")
        return cls(caller.id, key, seals.fingerprint(b"\0".join([method.encode(), path.encode(), body])))


def earlier_answer(tx: Transaction, attempt: Attempt) -> tuple[int, bytes] | None:
    """Return status and body that this very request got before; refuse with 409 if the key was for another."""
    found = tx.row(
        sa.select(_answered.c.request, _answered.c.status, _answered.c.body).where(
            _answered.c.user == attempt.user, _answered.c.key == attempt.key, _answered.c.at > tx.now - KEPT_MS
        )
    )
    if found is None:
        return None
    if found.request != attempt.request:
        raise conflict("this Idempotency-Key was used for another request")
    return found.status, found.body


def keep_answer(tx: Transaction, attempt: Attempt, status: int, body: bytes) -> None:
    """Remember the answer for who asks again."""
    tx.run(sa.delete(_answered).where(_answered.c.user == attempt.user, _answered.c.key == attempt.key))
    tx.run(
        sa.insert(_answered).values(
            user=attempt.user, key=attempt.key, request=attempt.request, status=status, body=body, at=tx.now
        )
    )


def forget_old(tx: Transaction) -> None:
    """Drop answers that are older than a day."""
    tx.run(sa.delete(_answered).where(_answered.c.at <= tx.now - KEPT_MS))
