"""The identity store of the provisioning service: who may log in, and with a password that is their own (provisioning
contract 2.2).

What a user has in the core service too (name, domain, e-mail address, telephone, capabilities) is stored there alone,
so that the two can never differ; here is what only the identity system knows. Who has no identity was made by the core
service itself and logs in freely.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from console.service.database import Transaction, metadata
from console.service.refusal import forbidden, missing

TEMPORARY = "the password is temporary: change it by sending new_password with it"
DISABLED = "the account is disabled"

identities = sa.Table(
    "identities",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("user", sa.Text, nullable=False, unique=True),
    sa.Column("enabled", sa.Boolean, nullable=False, default=True),
    sa.Column("temporary", sa.Boolean, nullable=False, default=False),
    sa.Column("last_name", sa.Text),
    sa.Column("email_verified", sa.Boolean, nullable=False, default=False),
    sa.Column("sip_domain", sa.Text),
    sa.Column("sip_auth_proxy", sa.Text),
)
"""`id` is the identity system's, a UUID; `user` is the core service's. `temporary` says so of the password."""


def add(tx: Transaction, identity_id: str, user_id: str, **values: Any) -> None:
    """Store an identity for a user of the core service."""
    tx.run(sa.insert(identities).values(id=identity_id, user=user_id, **values))


def need(tx: Transaction, identity_id: str) -> sa.Row[Any]:
    """Return an identity; refuse with 404 when there is none of that id."""
    found = tx.row(sa.select(identities).where(identities.c.id == identity_id))
    if found is None:
        raise missing("user", identity_id)
    return found


def change(tx: Transaction, identity_id: str, **values: Any) -> None:
    """Change what is given of an identity."""
    if values:
        tx.run(sa.update(identities).where(identities.c.id == identity_id).values(**values))


def check_enabled(tx: Transaction, user_id: str) -> None:
    """Refuse with 403 a user whose account is disabled."""
    if tx.value(sa.select(identities.c.enabled).where(identities.c.user == user_id)) is False:
        raise forbidden(DISABLED)


def has_temporary_password(tx: Transaction, user_id: str) -> bool:
    """Whether a user must change the password before it is good for anything else."""
    return tx.value(sa.select(identities.c.temporary).where(identities.c.user == user_id)) is True


def password_is_own(tx: Transaction, user_id: str) -> None:
    """Note that a user has a password of their own now."""
    tx.run(sa.update(identities).where(identities.c.user == user_id).values(temporary=False))


def admit(tx: Transaction, user_id: str) -> None:
    """Refuse with 403 to let a user in whose account is disabled or whose password is temporary."""
    check_enabled(tx, user_id)
    if has_temporary_password(tx, user_id):
        raise forbidden(TEMPORARY)


def disabled_users() -> sa.Select[Any]:
    """Select the ids of the core service's users whose accounts are disabled."""
    return sa.select(identities.c.user).where(~identities.c.enabled)
