"""Credentials: how users authenticate (contract 2.5, 4.4).

Answers omit the secrets in `data`, unless `Settings.show_secrets` is on (see `withheld`). A `basic` credential is the
user's password, stored as a hash. A `token` credential starts sessions; it is stored as a hash, and also encrypted
while the setting is on. All others are for gateways and external providers, which need the secret itself; it is
encrypted. Of `data`, only names known to be harmless are stored as plain text.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

import sqlalchemy as sa

from console.records.access import Credential
from console.records.people import User, UserContext
from console.service.auth.passwords import LONGEST_PASSWORD
from console.service.domain import identities, tokens
from console.service.events.visibility import Admins, AnyOf, Same, by_id
from console.service.platform import Platform
from console.service.refusal import conflict, invalid, missing
from console.service.store.documents import Documents
from console.service.store.transaction import Transaction

TYPES = ("basic", "ims", "oauth2", "token", "svc-ims")
LOCAL = "local"
"""Source of passwords that this service stores."""
PUBLIC = frozenset({
    "clientId", "domain", "impi", "impu", "provider", "proxy", "realm", "scope", "subject", "uri", "username",
})  # fmt: skip
"""Names in `data` whose values may be shown."""
SHORTEST_TOKEN = 33
LONGEST_TOKEN = 512
LONGEST_NAME = 200

CREDENTIALS = Documents(
    "credentials",
    Credential,
    columns=(
        sa.Column("short", sa.Text, nullable=False, unique=True),
        sa.Column("user", sa.Text, nullable=False, index=True),
        sa.Column("type", sa.Text, nullable=False),
        sa.Column("username", sa.Text, index=True),
        sa.Column("expires", sa.Integer),
        sa.Column("hash", sa.Text),
        sa.Column("sealed", sa.Text),
    ),
    extract=lambda credential: {
        "short": _short(credential.id),
        "user": credential.user or "",
        "type": credential.type or "",
        "username": _username(credential.data),
    },
    rule=AnyOf(Admins(), Same("user", by_id)),
    announced=False,
)
"""`short` is the id without its source; `expires`, in ms, is empty for leases without an end."""


def _short(credential_id: str) -> str:
    return credential_id.rpartition("@")[0]


def _username(data: Mapping[str, Any] | None) -> str | None:
    name = (data or {}).get("username")
    return name if isinstance(name, str) else None


def create(
    platform: Platform,
    owner: User,
    *,
    source: str,
    type: str,
    domain: str,
    data: Mapping[str, Any],
    lease: int,
    context: UserContext | None = None,
) -> Credential:
    """Create a credential for a user. `lease` is its validity in seconds; 0 means no limit.

    Refuse with 409 a second password, with 400 data that does not fit the type.
    """
    with platform.write() as tx:
        credential = Credential(id=f"{platform.new_id()}@{source}", user=owner.id, context=context)
        changes = {"source": source, "type": type, "domain": domain, "lease": lease}
        return _store(platform, tx, credential.model_copy(update=changes), owner, data, lease)


def update(platform: Platform, credential_id: str, owner: User, given: Mapping[str, Any]) -> Credential:
    """Change `source`, `type`, `domain`, `data`, `lease` and `context`, if given and not None.

    `owner` is the new owner. New `data` replaces the old data completely; a new `lease` starts now. A new `type`
    requires fitting `data`.
    """
    with platform.write() as tx:
        credential = need(tx, credential_id)
        changes = {name: value for name, value in given.items() if value is not None and name != "data"}
        data, lease = given.get("data"), given.get("lease")
        if changes.get("type", credential.type) != credential.type and data is None:
            raise invalid("data", "is needed with another type", "required")
        if "source" in changes:
            changes["id"] = f"{_short(credential.id)}@{changes['source']}"
        changed = credential.model_copy(update={**changes, "user": owner.id})
        return _store(platform, tx, changed, owner, data, lease, credential.id)


def _store(
    platform: Platform,
    tx: Transaction,
    credential: Credential,
    owner: User,
    data: Mapping[str, Any] | None,
    lease: int | None,
    former: str = "",
) -> Credential:
    _check(tx, credential, owner, former)
    columns: dict[str, Any] = {}
    if lease is not None:
        columns["expires"] = tx.now + lease * 1000 if lease else None
    if data is not None:
        public = {name: value for name, value in data.items() if name in PUBLIC}
        secret = {name: value for name, value in data.items() if name not in PUBLIC}
        credential = credential.model_copy(update={"data": public})
        columns |= _stored_secret(platform, tx, credential, secret)
    if former and former != credential.id:
        row = CREDENTIALS.row(tx, former)
        if row is not None:
            columns = {"hash": row.hash, "sealed": row.sealed, "expires": row.expires, **columns}
        CREDENTIALS.remove(tx, former)
    CREDENTIALS.put(tx, credential, **columns)
    if data is not None and former and credential.type == "basic":
        # Tokens obtained with the old password must not stay valid. Sessions are ended one by one.
        tokens.drop(tx, [credential.user or ""], ("access", "refresh"))
        identities.password_is_own(tx, credential.user or "")
    return credential


def _check(tx: Transaction, credential: Credential, owner: User, former: str) -> None:
    source = credential.source or ""
    if not source or len(source) > LONGEST_NAME or "@" in source:
        raise invalid("source", f"must have 1 to {LONGEST_NAME} characters and no @", "pattern")
    if credential.type not in TYPES:
        raise invalid("type", f"must be one of {', '.join(TYPES)}", "enum")
    if (credential.lease or 0) < 0:
        raise invalid("lease", "must be 0 or more seconds", "minimum")
    if credential.domain != owner.domain:
        raise invalid("domain", "is not the domain of the user", "reference")
    if credential.type == "basic" and any(password != former for password in _passwords(tx, credential.user or "")):
        raise conflict("the user has a password already: update it")


def _passwords(tx: Transaction, user: str) -> list[str]:
    column = CREDENTIALS.c
    return [row.key for row in tx.rows(sa.select(column.key).where(column.user == user, column.type == "basic"))]


def _stored_secret(
    platform: Platform, tx: Transaction, credential: Credential, secret: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the stored form of the secret part of the data."""
    if credential.type == "basic":
        password = secret.get("password")
        if not isinstance(password, str) or not 0 < len(password) <= LONGEST_PASSWORD:
            raise invalid("data.password", f"must have 1 to {LONGEST_PASSWORD} characters", "length")
        return {"hash": platform.passwords.hash(password), "sealed": None}
    if credential.type == "token":
        token = secret.get("token")
        if not isinstance(token, str) or not SHORTEST_TOKEN <= len(token) <= LONGEST_TOKEN:
            raise invalid("data.token", f"must have {SHORTEST_TOKEN} to {LONGEST_TOKEN} characters", "length")
        digest = tokens.digest(token)
        others = CREDENTIALS.c.short != _short(credential.id)
        if CREDENTIALS.count(tx, CREDENTIALS.c.hash == digest, others):
            raise conflict("this token cannot be used: choose another")
        sealed_token = sealed(platform, credential.id, {"token": token}) if platform.settings.show_secrets else None
        return {"hash": digest, "sealed": sealed_token}
    return {"hash": None, "sealed": sealed(platform, credential.id, secret)}


def sealed(platform: Platform, credential_id: str, secret: Mapping[str, Any]) -> str:
    """Encrypt the secret part of a credential's data for storage."""
    return platform.seals.seal(_purpose(credential_id), json.dumps(secret))


def _purpose(credential_id: str) -> str:
    return f"credential {_short(credential_id)}"


# -- search -----------------------------------------------------------------------------------------------------------


def find(tx: Transaction, credential_id: str) -> sa.Row[Any] | None:
    """Return the row of a credential by its id, with or without the source."""
    row = CREDENTIALS.row(tx, credential_id)
    return row or tx.row(sa.select(CREDENTIALS.table).where(CREDENTIALS.c.short == credential_id))


def need(tx: Transaction, credential_id: str) -> Credential:
    """Return a credential; refuse with 404 if there is none."""
    row = find(tx, credential_id)
    if row is None:
        raise missing("credential", credential_id)
    return CREDENTIALS.read(row.body)


def secret_of(platform: Platform, tx: Transaction, credential_id: str) -> dict[str, Any]:
    """Decrypt the secret part of a credential's data, to authenticate as the user. Empty if there is none."""
    row = find(tx, credential_id)
    if row is None or row.sealed is None:
        return {}
    return json.loads(platform.seals.unseal(_purpose(row.key), row.sealed))


def password_hash_of(tx: Transaction, user: str) -> str | None:
    """Return the hash of a user's password, or None without a valid one."""
    column = CREDENTIALS.c
    return tx.value(sa.select(column.hash).where(column.user == user, column.type == "basic", _valid(tx)))


def owner_of_token(tx: Transaction, text: str) -> str | None:
    """Return the id of the user who owns this `token` credential, if it is valid."""
    column = CREDENTIALS.c
    return tx.value(
        sa.select(column.user).where(column.hash == tokens.digest(text), column.type == "token", _valid(tx))
    )


def shown_at_login(tx: Transaction, user: User) -> dict[str, Any]:
    """Return the credential to include in a login: the password if there is one. Guests have only a token."""
    column = CREDENTIALS.c
    own = CREDENTIALS.records(tx, column.user == user.id, order=[sa.desc(column.type == "basic")], limit=1)
    guest = {"id": f"{user.id}@{LOCAL}", "source": LOCAL, "type": "token", "user": user.id, "domain": user.domain}
    return own[0].wire() if own else guest


def signing_as(name: str) -> sa.Select[Any]:
    """Select the ids of the users with this name at a signaling gateway."""
    column = CREDENTIALS.c
    return sa.select(column.user).where(column.type.in_(("ims", "svc-ims")), column.username == name)


def _valid(tx: Transaction) -> sa.ColumnElement[bool]:
    return sa.or_(CREDENTIALS.c.expires.is_(None), CREDENTIALS.c.expires > tx.now)


# -- changes of users -------------------------------------------------------------------------------------------------


def set_password(platform: Platform, user: User, password_hash: str) -> None:
    """Replace the hash of a user's password (see `Passwords.hash`), without expiry."""
    with platform.write() as tx:
        own = CREDENTIALS.records(tx, CREDENTIALS.c.user == user.id, CREDENTIALS.c.type == "basic", limit=1)
        credential = own[0] if own else Credential(id=f"{user.id}@{LOCAL}", source=LOCAL, type="basic", user=user.id)
        data = credential.data or {"username": user.username}
        changes = {"domain": user.domain, "lease": 0, "data": data}
        CREDENTIALS.put(tx, credential.model_copy(update=changes), hash=password_hash, sealed=None, expires=None)
        identities.password_is_own(tx, user.id)


def follow(tx: Transaction, before: User, user: User) -> None:
    """Update a user's credentials after a change of the user's domain or name."""
    for record in CREDENTIALS.records(tx, CREDENTIALS.c.user == user.id):
        changes: dict[str, Any] = {"domain": user.domain}
        if record.type == "basic" and (record.data or {}).get("username") == before.username:
            changes["data"] = {**(record.data or {}), "username": user.username}
        CREDENTIALS.put(tx, record.model_copy(update=changes))


def forget_users(tx: Transaction, users: Collection[str]) -> None:
    """Delete all credentials of users."""
    tx.run(sa.delete(CREDENTIALS.table).where(CREDENTIALS.c.user.in_(users)))
