"""SIP identities: a pool of gateway credentials for each domain (contract 2.20, 4.8).

An identity in use by a mapping is unavailable until the mapping is deleted; see `sip_mappings.py`. Passwords are
encrypted; only the user who registers with one can read it, through the mapping.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from console.records.sip import SipIdentity
from console.service.auth.caller import Caller
from console.service.domain.domains import DOMAINS
from console.service.events.visibility import Admins, AllOf, AnyOf, Named, Same, by_domain
from console.service.platform import Platform
from console.service.refusal import conflict, forbidden, invalid, missing
from console.service.store.documents import Documents
from console.service.store.transaction import Transaction

SIP_IDENTITIES = Documents(
    "sip_identities",
    SipIdentity,
    columns=(
        sa.Column("domain", sa.Text, nullable=False, index=True),
        sa.Column("username", sa.Text, nullable=False),
        sa.Column("available", sa.Boolean, nullable=False),
        sa.Column("assigned", sa.Text, nullable=False, default=""),
        sa.Column("password", sa.Text, nullable=False),
    ),
    extract=lambda identity: {
        "domain": identity.domain or "",
        "username": identity.username or "",
        "available": bool(identity.available),
    },
    rule=AnyOf(Admins(), AllOf(Named(), Same("domain", by_domain))),
    singular="SIP identity",
)
"""`assigned` is the owner URI of the mapping that uses the identity."""


def create(platform: Platform, caller: Caller, username: str, password: str, domain: str | None) -> SipIdentity:
    """Add an identity to the pool of a domain, by default the caller's.

    Refuse with 400 an unknown domain, with 409 a user name that the pool has.
    """
    domain = domain or caller.domain
    with platform.write() as tx:
        if DOMAINS.row(tx, domain) is None:
            raise invalid("targetDomain", f"there is no domain {domain}", "reference")
        _check_free(tx, domain, username)
        identity = SipIdentity(id=platform.new_id(), username=username, available=True, domain=domain)
        SIP_IDENTITIES.put(tx, identity, password=seal_password(platform, identity.id, password))
        return identity


def update(
    platform: Platform,
    identity: SipIdentity,
    *,
    username: str | None = None,
    password: str | None = None,
    available: bool | None = None,
) -> SipIdentity:
    """Change the given fields of an identity.

    Refuse with 409 a user name that the pool has, and for an assigned identity every change except a new password.
    """
    with platform.write() as tx:
        assigned = SIP_IDENTITIES.need_row(tx, identity.id).assigned
        changes: dict[str, Any] = {}
        if username is not None and username != identity.username:
            _check_free(tx, identity.domain or "", username)
            changes["username"] = username
        if available is not None and available != identity.available:
            changes["available"] = available
        if changes and assigned:
            raise conflict(f"the SIP identity is assigned to {assigned}")
        columns = {} if password is None else {"password": seal_password(platform, identity.id, password)}
        changed = identity.model_copy(update=changes)
        SIP_IDENTITIES.put(tx, changed, **columns)
        return changed


def delete(platform: Platform, identity: SipIdentity) -> None:
    """Delete an identity; refuse with 409 if it is assigned."""
    with platform.write() as tx:
        assigned = SIP_IDENTITIES.need_row(tx, identity.id).assigned
        if assigned:
            raise conflict(f"the SIP identity is assigned to {assigned}")
        SIP_IDENTITIES.remove(tx, identity.id)


def _check_free(tx: Transaction, domain: str, username: str) -> None:
    if in_pool(tx, domain, username) is not None:
        raise conflict(f"the pool of {domain} has a SIP identity {username} already")


def need(tx: Transaction, caller: Caller, identity_id: str, domain: str | None) -> SipIdentity:
    """Return an identity of a pool that the caller may read; refuse with 404 if there is none."""
    domain = pool_of(caller, domain)
    identity = SIP_IDENTITIES.need(tx, identity_id)
    if domain is not None and identity.domain != domain:
        raise missing(SIP_IDENTITIES.singular, identity_id)
    return identity


def pool_of(caller: Caller, domain: str | None) -> str | None:
    """Return the domain of the requested pool: for admins the given one or all; for others their own, otherwise 403."""
    if caller.is_admin:
        return domain
    if domain not in {None, caller.domain}:
        raise forbidden("only an admin may name another domain")
    return caller.domain


# -- mappings ---------------------------------------------------------------------------------------------------------


def in_pool(tx: Transaction, domain: str, username: str) -> SipIdentity | None:
    """Return the identity with this user name in a domain's pool, or None."""
    same = (SIP_IDENTITIES.c.domain == domain, SIP_IDENTITIES.c.username == username)
    return next(iter(SIP_IDENTITIES.records(tx, *same)), None)


def assign(platform: Platform, tx: Transaction, identity: SipIdentity, owner: str, password: str | None) -> None:
    """Assign an identity to the owner of a mapping. A given password replaces the identity's.

    Refuse with 409 an unavailable identity.
    """
    assigned = SIP_IDENTITIES.need_row(tx, identity.id).assigned
    if not identity.available and assigned != owner:
        raise conflict(f"the SIP identity {identity.username} is not available")
    columns = {} if password is None else {"password": seal_password(platform, identity.id, password)}
    SIP_IDENTITIES.put(tx, identity.model_copy(update={"available": False}), assigned=owner, **columns)


def release(tx: Transaction, owner: str) -> None:
    """Make the identity of an owner's mapping available again, if there is one."""
    for identity in SIP_IDENTITIES.records(tx, SIP_IDENTITIES.c.assigned == owner):
        SIP_IDENTITIES.put(tx, identity.model_copy(update={"available": True}), assigned="")


def hand_over(tx: Transaction, former: str, owner: str) -> None:
    """Change the owner of an assigned identity to its new URI."""
    for identity in SIP_IDENTITIES.records(tx, SIP_IDENTITIES.c.assigned == former):
        SIP_IDENTITIES.put(tx, identity, assigned=owner)


def password_of(platform: Platform, tx: Transaction, identity_id: str) -> str:
    """Decrypt an identity's password."""
    return platform.seals.unseal(_purpose(identity_id), SIP_IDENTITIES.need_row(tx, identity_id).password)


def seal_password(platform: Platform, identity_id: str, password: str) -> str:
    """Encrypt an identity's password for storage."""
    return platform.seals.seal(_purpose(identity_id), password)


def _purpose(identity_id: str) -> str:
    return f"SIP identity {identity_id}"
