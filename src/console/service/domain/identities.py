"""The identity store of the provisioning service: enabled accounts and temporary passwords (provisioning contract 2.2).

Data that the core service also has (name, domain, e-mail address, telephone, capabilities) is stored only there, so
that both always agree. This table has the rest. Users without an identity were created by the core service, and log in
without these restrictions.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from console.service.refusal import forbidden, missing
from console.service.store.outbox import metadata
from console.service.store.transaction import Transaction

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
"""`id` is a UUID of the identity system; `user` is the id in the core service. `temporary` refers to the password."""


def add(tx: Transaction, identity_id: str, user_id: str, **values: Any) -> None:
    """Store an identity for a user of the core service."""
    tx.run(sa.insert(identities).values(id=identity_id, user=user_id, **values))


def need(tx: Transaction, identity_id: str) -> sa.Row[Any]:
    """Return an identity; refuse with 404 an unknown id."""
    row = tx.row(sa.select(identities).where(identities.c.id == identity_id))
    if row is None:
        raise missing("user", identity_id)
    return row


def change(tx: Transaction, identity_id: str, **values: Any) -> None:
    """Change the given fields of an identity."""
    if values:
        tx.run(sa.update(identities).where(identities.c.id == identity_id).values(**values))


def check_enabled(tx: Transaction, user_id: str) -> None:
    """Refuse with 403 a user whose account is disabled."""
    if tx.value(sa.select(identities.c.enabled).where(identities.c.user == user_id)) is False:
        raise forbidden(DISABLED)


def has_temporary_password(tx: Transaction, user_id: str) -> bool:
    """Return whether the user must change the password before any other use."""
    return tx.value(sa.select(identities.c.temporary).where(identities.c.user == user_id)) is True


def password_is_own(tx: Transaction, user_id: str) -> None:
    """Mark a user's password as no longer temporary."""
    tx.run(sa.update(identities).where(identities.c.user == user_id).values(temporary=False))


def admit(tx: Transaction, user_id: str) -> None:
    """Refuse with 403 the login of a user whose account is disabled or whose password is temporary."""
    check_enabled(tx, user_id)
    if has_temporary_password(tx, user_id):
        raise forbidden(TEMPORARY)


def disabled_users() -> sa.Select[Any]:
    """Select the ids of the core service's users whose accounts are disabled."""
    return sa.select(identities.c.user).where(~identities.c.enabled)
