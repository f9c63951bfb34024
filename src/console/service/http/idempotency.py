"""Idempotency-Key: a change repeated under the same key is made once, and gets the same answer.

The answer is stored in the transaction of the change, so both survive a kill or neither. It may contain a secret that
is returned only once, such as a token, so it is encrypted with the service's key. It is stored for a day.

A key belongs to the user, to the OAuth2 client, or without a login to the address.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext

import sqlalchemy as sa

from console.base.frozen import Frozen
from console.service.auth.caller import Caller
from console.service.auth.sealing import Seals
from console.service.refusal import Refusal, conflict, invalid
from console.service.store.outbox import metadata
from console.service.store.transaction import Transaction

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
    """A request with a key."""

    owner: str
    """The owner of the key."""
    key: str
    request: str

    @classmethod
    def of(cls, seals: Seals, key: str, caller: Caller, method: str, path: str, body: bytes) -> Attempt:
        """Describe a request; refuse empty and overlong keys.

        Only a keyed hash of the request is stored, because its body may contain a password.
        """
        if not key or len(key) > LONGEST_KEY:
            raise invalid("Idempotency-Key", f"must have 1 to {LONGEST_KEY} characters", "length")
        return cls(_owner(caller), key, seals.fingerprint(b"\0".join([method.encode(), path.encode(), body])))

    @property
    def purpose(self) -> str:
        """The purpose for which the answer is encrypted."""
        return f"answer to {self.key} of {self.owner}"


def _owner(caller: Caller) -> str:
    if caller.id:
        return caller.id
    # No user id starts like this.
    return f"@client {caller.client_id}" if caller.client_id else f"@address {caller.remote}"


def earlier_answer(
    tx: Transaction, seals: Seals, attempt: Attempt, guess: AbstractContextManager[None] | None = None
) -> tuple[int, bytes] | None:
    """Return status and body of the earlier answer to this request; refuse with 409 if the key was used for another.

    `guess` is entered while a request is compared with the earlier one, because another body may be a guess at its
    password.
    """
    row = tx.row(
        sa.select(_answered).where(
            _answered.c.user == attempt.owner, _answered.c.key == attempt.key, _answered.c.at > tx.now - KEPT_MS
        )
    )
    if row is None:
        return None
    with guess or nullcontext():
        if row.request != attempt.request:
            raise conflict("this Idempotency-Key was used for another request")
    return row.status, seals.unseal(attempt.purpose, row.body.decode()).encode()


def keep_answer(tx: Transaction, seals: Seals, attempt: Attempt, status: int, body: bytes) -> None:
    """Store the answer for repeated requests."""
    tx.run(sa.delete(_answered).where(_answered.c.user == attempt.owner, _answered.c.key == attempt.key))
    sealed = seals.seal(attempt.purpose, body.decode()).encode()
    tx.run(
        sa.insert(_answered).values(
            user=attempt.owner,
            key=attempt.key,
            request=attempt.request,
            status=status,
            body=sealed,
            at=tx.now,
        )
    )


class UnderWay:
    """Keys of requests that wait before they change anything, for example for a password hash."""

    def __init__(self) -> None:
        self._keys: set[tuple[str, str]] = set()

    @contextmanager
    def hold(self, attempt: Attempt | None) -> Generator[None]:
        """Hold the key of a request; refuse with 409 while another request holds it."""
        if attempt is None:
            yield
            return
        key = attempt.owner, attempt.key
        if key in self._keys:
            raise Refusal(409, "the request with this Idempotency-Key is still being answered", retry_after=1)
        self._keys.add(key)
        try:
            yield
        finally:
            self._keys.discard(key)


def forget_old(tx: Transaction) -> None:
    """Delete answers that are older than a day."""
    tx.run(sa.delete(_answered).where(_answered.c.at <= tx.now - KEPT_MS))
