"""Idempotency-Key: the same change asked twice under one key happens once and is answered the same.

The answer is stored in the transaction of the change itself, so that neither can be there without the other, also when
the process is killed. It may hold a secret that is told only once, such as a token: so it is sealed with the service's
key. It is kept for a day.

Keys are those of whoever asks: of a user, of an OAuth2 client, or, without a login, of an address.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext

import sqlalchemy as sa

from console.frozen import Frozen
from console.service.caller import Caller
from console.service.database import Transaction, metadata
from console.service.refusal import Refusal, conflict, invalid
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
    sa.Column("sealed", sa.Boolean, nullable=False),
    sa.Column("at", sa.Integer, nullable=False, index=True),
)


class Attempt(Frozen):
    """One request that carries a key."""

    owner: str
    """Whose key it is."""
    key: str
    request: str

    @classmethod
    def of(cls, seals: Seals, key: str, caller: Caller, method: str, path: str, body: bytes) -> Attempt:
        """Describe a request; refuse keys that are empty or overlong.

        What is kept of the request itself is only good for telling it from others: its body may hold a password.
        """
        if not key or len(key) > LONGEST_KEY:
            raise invalid("Idempotency-Key", f"must have 1 to {LONGEST_KEY} characters", "length")
        return cls(_owner(caller), key, seals.fingerprint(b"\0".join([method.encode(), path.encode(), body])))

    @property
    def purpose(self) -> str:
        """For what the answer is sealed."""
        return f"answer to {self.key} of {self.owner}"


def _owner(caller: Caller) -> str:
    if caller.id:
        return caller.id
    # No user's id begins so.
    return f"@client {caller.client_id}" if caller.client_id else f"@address {caller.remote}"


def earlier_answer(
    tx: Transaction, seals: Seals, attempt: Attempt, guess: AbstractContextManager[None] | None = None
) -> tuple[int, bytes] | None:
    """Return status and body that this very request got before; refuse with 409 if the key was for another.

    `guess` is held while a request is compared with the one before: another body may be a guess at its password.
    """
    found = tx.row(
        sa.select(_answered).where(
            _answered.c.user == attempt.owner, _answered.c.key == attempt.key, _answered.c.at > tx.now - KEPT_MS
        )
    )
    if found is None:
        return None
    with guess or nullcontext():
        if found.request != attempt.request:
            raise conflict("this Idempotency-Key was used for another request")
    # Answers that versions before 4 of the schema have kept are not sealed.
    body = seals.unseal(attempt.purpose, found.body.decode()).encode() if found.sealed else found.body
    return found.status, body


def keep_answer(tx: Transaction, seals: Seals, attempt: Attempt, status: int, body: bytes) -> None:
    """Remember the answer for who asks again."""
    tx.run(sa.delete(_answered).where(_answered.c.user == attempt.owner, _answered.c.key == attempt.key))
    sealed = seals.seal(attempt.purpose, body.decode()).encode()
    tx.run(
        sa.insert(_answered).values(
            user=attempt.owner,
            key=attempt.key,
            request=attempt.request,
            status=status,
            body=sealed,
            sealed=True,
            at=tx.now,
        )
    )


class UnderWay:
    """The keys of requests that wait for something before they change anything, such as for a password's hash."""

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
    """Drop answers that are older than a day."""
    tx.run(sa.delete(_answered).where(_answered.c.at <= tx.now - KEPT_MS))
