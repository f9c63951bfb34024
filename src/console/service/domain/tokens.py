"""Opaque tokens: OAuth2 access and refresh tokens, session tokens (contract 4.2, 5). Their hashes are stored.

The tokens themselves are stored, encrypted, only if `Settings.show_secrets` includes them in lists.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Literal

import sqlalchemy as sa

from console.base.frozen import Frozen
from console.records.people import BearerToken, TokenRecord
from console.service.platform import Platform
from console.service.refusal import login_needed
from console.service.store.outbox import metadata
from console.service.store.transaction import Transaction

Kind = Literal["access", "refresh", "session"]

NO_CLIENT = "console"
"""Client of tokens that no OAuth2 client requested."""

tokens = sa.Table(
    "tokens",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("hash", sa.Text, nullable=False, unique=True),
    sa.Column("user", sa.Text, nullable=False, index=True),
    sa.Column("session", sa.Text, nullable=False, index=True),
    sa.Column("family", sa.Text, nullable=False, index=True),
    sa.Column("client", sa.Text, nullable=False),
    sa.Column("expires", sa.Integer, nullable=False),
    sa.Column("revoked", sa.Integer),
    sa.Column("spent", sa.Integer),
    sa.Column("sealed", sa.Text),
)


class Token(Frozen):
    """A stored token. Times in ms; `session` is empty for OAuth2 tokens, `family` links a refresh chain.

    `client` is the `clientId` of the OAuth2 client that requested it.
    """

    id: str
    kind: Kind
    user: str
    session: str
    family: str
    client: str
    expires: int
    revoked: int | None
    spent: int | None

    def alive(self, now: int) -> bool:
        """Return whether the token is valid."""
        return self.revoked is None and self.expires > now


def digest(token: str) -> str:
    """Return the hash that is stored instead of a token; any text is a valid argument."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def mint(
    platform: Platform,
    kind: Kind,
    user: str,
    seconds: int,
    *,
    session: str = "",
    family: str = "",
    client: str = NO_CLIENT,
) -> str:
    """Create a token, store its hash, and return the token, of which no readable copy is stored."""
    text = secrets.token_urlsafe(32)
    with platform.write() as tx:
        token_id = secrets.token_hex(8)
        tx.run(
            sa.insert(tokens).values(
                id=token_id,
                kind=kind,
                hash=digest(text),
                user=user,
                session=session,
                family=family or token_id,
                client=client,
                expires=tx.now + seconds * 1000,
                sealed=platform.seals.seal(_purpose(token_id), text) if platform.settings.show_secrets else None,
            )
        )
    return text


def text_of(platform: Platform, tx: Transaction, *where: sa.ColumnElement[bool]) -> str | None:
    """Return the token that matches the conditions, or None if its text was not stored."""
    row = tx.row(sa.select(tokens.c.id, tokens.c.sealed).where(*where, tokens.c.sealed.is_not(None)))
    return None if row is None else platform.seals.unseal(_purpose(row.id), row.sealed)


def _purpose(token_id: str) -> str:
    return f"token {token_id}"


def find(tx: Transaction, text: str) -> Token | None:
    """Return the record of a token, valid or not, or None."""
    sought = digest(text)
    row = tx.row(sa.select(tokens).where(tokens.c.hash == sought))
    if row is None or not hmac.compare_digest(row.hash.encode(), sought.encode()):
        return None
    return _token(row)


def by_id(tx: Transaction, token_id: str) -> Token | None:
    """Return the token record with this id, or None."""
    row = tx.row(sa.select(tokens).where(tokens.c.id == token_id))
    return None if row is None else _token(row)


def _token(row: sa.Row[Any]) -> Token:
    return Token(row.id, row.kind, row.user, row.session, row.family, row.client, row.expires, row.revoked, row.spent)


def issue(platform: Platform, user: str, client: str = "", family: str = "") -> BearerToken:
    """Issue an access token and a refresh token for a user, to an OAuth2 client if given."""
    with platform.write():
        seconds, chain = platform.settings, {"family": family or secrets.token_hex(8), "client": client or NO_CLIENT}
        return BearerToken(
            access_token=mint(platform, "access", user, seconds.token_seconds, **chain),
            refresh_token=mint(platform, "refresh", user, seconds.refresh_seconds, **chain),
            expires_in=platform.settings.token_seconds,
            token_type="Bearer",
        )


def refresh(platform: Platform, text: str, client: str = "") -> BearerToken | None:
    """Exchange a refresh token for a new pair, or return None if it is invalid or belongs to another client.

    A refresh token is valid once. If it is used again, somebody has a copy, and the family is revoked.
    """
    with platform.write() as tx:
        token = find(tx, text)
        if token is not None and token.client != (client or NO_CLIENT):
            return None
        if token is None or token.kind != "refresh" or not token.alive(tx.now):
            if token is not None and token.kind == "refresh" and token.spent is not None:
                revoke_family(tx, token.family)
            return None
        tx.run(sa.update(tokens).where(tokens.c.id == token.id).values(spent=tx.now, revoked=tx.now))
        tx.run(
            sa.update(tokens)
            .where(tokens.c.family == token.family, tokens.c.kind == "access", tokens.c.revoked.is_(None))
            .values(revoked=tx.now)
        )
        return issue(platform, token.user, token.client, token.family)


def revoke_family(tx: Transaction, family: str) -> None:
    """Revoke all tokens of a refresh chain."""
    tx.run(sa.update(tokens).where(tokens.c.family == family, tokens.c.revoked.is_(None)).values(revoked=tx.now))


def revoke(tx: Transaction, token: Token) -> None:
    """Revoke one token; for a refresh token, revoke the whole family."""
    if token.kind == "refresh":
        revoke_family(tx, token.family)
    tx.run(sa.update(tokens).where(tokens.c.id == token.id, tokens.c.revoked.is_(None)).values(revoked=tx.now))


def revoke_sessions(tx: Transaction, sessions: Sequence[str]) -> None:
    """Revoke the tokens of several sessions."""
    theirs = (tokens.c.session.in_(sessions), tokens.c.revoked.is_(None))
    tx.run(sa.update(tokens).where(*theirs).values(revoked=tx.now))


def drop(tx: Transaction, users: Sequence[str], kinds: tuple[Kind, ...]) -> int:
    """Delete the tokens of users, including invalid ones; return the number of valid ones, as in lists."""
    theirs = (tokens.c.user.in_(users), tokens.c.kind.in_(kinds))
    count = sa.select(sa.func.count()).select_from(tokens).where(*theirs, *_alive(tx))
    alive = int(tx.value(count))
    tx.run(sa.delete(tokens).where(*theirs))
    return alive


def listed(tx: Transaction, user: str, kind: Kind) -> tuple[TokenRecord, ...]:
    """Return the valid OAuth2 tokens of a user, without their texts, which are not stored."""
    rows = tx.rows(
        sa.select(tokens)
        .where(tokens.c.user == user, tokens.c.kind == kind, *_alive(tx))
        .order_by(tokens.c.expires, tokens.c.id)
    )
    return tuple(
        TokenRecord(
            id=row.id,
            user_id=row.user,
            client_id=row.client,
            expires_at=datetime.fromtimestamp(row.expires / 1000, UTC).isoformat(timespec="milliseconds"),
        )
        for row in rows
    )


def users_with_one(tx: Transaction) -> sa.Select[tuple[str]]:
    """Return the query for the ids of users with a valid token."""
    return sa.select(tokens.c.user).where(*_alive(tx))


def _alive(tx: Transaction) -> tuple[sa.ColumnElement[bool], ...]:
    """Return the conditions for valid tokens."""
    return tokens.c.revoked.is_(None), tokens.c.expires > tx.now


def forget_dead(tx: Transaction, older_than: int) -> None:
    """Delete the records of tokens that expired before a time in ms."""
    tx.run(sa.delete(tokens).where(tokens.c.expires < older_than))


def need_alive(tx: Transaction, text: str, kinds: tuple[Kind, ...]) -> Token:
    """Return a valid token; refuse with 401 all others alike."""
    token = find(tx, text)
    if token is None or token.kind not in kinds or not token.alive(tx.now):
        raise login_needed("the token is invalid or expired")
    return token
