"""SIP mappings: the gateway credentials of users and groups (contract 2.20, 4.8).

A mapping to an identity in the pool of its owner's domain uses the identity's password; any other has its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import sqlalchemy as sa

from console.base.frozen import Frozen
from console.records.addresses import GROUP_PREFIX
from console.records.sip import SipCredential, SipIdentity, SipMapping
from console.service.domain import sip
from console.service.domain.groups import GROUPS
from console.service.domain.people import USERS
from console.service.domain.relations import address_of, user_id_of
from console.service.events.visibility import Admins, AnyOf, Same, by_address
from console.service.platform import Platform
from console.service.refusal import conflict, invalid
from console.service.store.documents import Documents
from console.service.store.transaction import Transaction

SIP_MAPPINGS = Documents(
    "sip_mappings",
    SipMapping,
    columns=(
        sa.Column("type", sa.Text, nullable=False),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("domain", sa.Text, nullable=False),
        sa.Column("username", sa.Text, nullable=False, index=True),
        sa.Column("identity", sa.Text, nullable=False, default=""),
        sa.Column("password", sa.Text, nullable=False, default=""),
    ),
    extract=lambda mapping: {"username": mapping.mapping.username if mapping.mapping else ""},
    rule=AnyOf(Admins(), Same("key", by_address)),
    singular="SIP mapping of",
)
"""`owner` is the id of the user or group; `identity` is the identity in use; without one, `password` is encrypted."""


class Owner(Frozen):
    """The owner of a mapping."""

    type: Literal["user", "group"]
    id: str
    domain: str

    @property
    def uri(self) -> str:
        """The URI of the owner in mappings."""
        return address_of(self.id) if self.type == "user" else GROUP_PREFIX + self.id


def owner_of(tx: Transaction, uri: str) -> Owner:
    """Return the user or group of a URI; refuse with 400 any other URI."""
    user_id = user_id_of(uri)
    if user_id is not None:
        user = USERS.get(tx, user_id)
        if user is None or user.role == "anonymous":
            raise invalid("ownerUri", f"{user_id} is not a user", "reference")
        return Owner("user", user.id, user.domain or "")
    if uri.startswith(GROUP_PREFIX):
        group = GROUPS.get(tx, uri.removeprefix(GROUP_PREFIX))
        if group is None:
            raise invalid("ownerUri", f"{uri.removeprefix(GROUP_PREFIX)} is not a group", "reference")
        return Owner("group", group.group_id, (group.owner.domain if group.owner else None) or "")
    raise invalid("ownerUri", f"must be svc-user:<id> or {GROUP_PREFIX}<groupId>", "format")


def set_mapping(platform: Platform, uri: str, username: str, password: str | None) -> SipCredential:
    """Map an owner to a credential, replacing the former one.

    Refuse with 400 a missing password for an identity that is in no pool, with 409 a user name that another owner in
    the domain has or that is unavailable.
    """
    with platform.write() as tx:
        owner = owner_of(tx, uri)
        same = (SIP_MAPPINGS.c.username == username, SIP_MAPPINGS.c.domain == owner.domain)
        taken = next((record.owner for record in SIP_MAPPINGS.records(tx, *same) if record.owner != uri), None)
        if taken is not None:
            raise conflict(f"{username} is assigned to {taken}")
        identity = sip.in_pool(tx, owner.domain, username)
        sealed = ""
        if identity is None:
            sealed = platform.seals.seal(_purpose(uri), _own_password(platform, tx, uri, username, password))
        former = SIP_MAPPINGS.get(tx, uri)
        if former is not None and former.mapping is not None and former.mapping.username != username:
            sip.release(tx, uri)
        if identity is not None:
            sip.assign(platform, tx, identity, uri, password)
        mapping = SipMapping(owner=uri, mapping=SipCredential(username=username))
        SIP_MAPPINGS.put(
            tx,
            mapping,
            type=owner.type,
            owner=owner.id,
            domain=owner.domain,
            identity=identity.id if identity is not None else "",
            password=sealed,
        )
        return credential_of(platform, tx, uri)


def _own_password(platform: Platform, tx: Transaction, uri: str, username: str, text: str | None) -> str:
    """Return the password of a mapping without a pool: the given one, or the stored one of the same user name."""
    if text is not None:
        return text
    row = SIP_MAPPINGS.row(tx, uri)
    if row is None or row.username != username:
        raise invalid("credential.password", "is needed: no pool has this SIP identity", "required")
    return credential_of(platform, tx, uri).password or ""


def adopt(platform: Platform, tx: Transaction, identity: SipIdentity) -> None:
    """Assign a new identity to the mapping that already uses its user name."""
    same = (SIP_MAPPINGS.c.username == identity.username, SIP_MAPPINGS.c.domain == identity.domain)
    for mapping in SIP_MAPPINGS.records(tx, *same):
        set_mapping(platform, mapping.owner, identity.username or "", None)


def follow(platform: Platform, tx: Transaction, uris: Iterable[str]) -> None:
    """Update the mappings of owners that may have moved to another domain.

    An identity belongs to the pool of one domain (contract 2.20), so it is released and its mapping ends. A mapping
    with its own password stays; refuse with 409 if the new domain has the user name.
    """
    for row in SIP_MAPPINGS.rows(tx, uris):
        if row.domain == owner_of(tx, row.key).domain:
            continue
        brought = None if row.identity else credential_of(platform, tx, row.key)
        remove(platform, row.key)
        if brought is not None:
            set_mapping(platform, row.key, brought.username, brought.password)


def rename(platform: Platform, tx: Transaction, former: str, uri: str) -> None:
    """Move the mapping of a renamed group, if any, to the group's new URI."""
    row = SIP_MAPPINGS.row(tx, former)
    if row is None or former == uri:
        return
    owner, mapping = owner_of(tx, uri), SIP_MAPPINGS.read(row.body)
    password = row.password and platform.seals.seal(
        _purpose(uri), platform.seals.unseal(_purpose(former), row.password)
    )
    SIP_MAPPINGS.remove(tx, former)
    SIP_MAPPINGS.put(
        tx,
        mapping.model_copy(update={"owner": uri}),
        type=owner.type,
        owner=owner.id,
        domain=row.domain,
        identity=row.identity,
        password=password,
    )
    sip.hand_over(tx, former, uri)


def remove(platform: Platform, uri: str) -> None:
    """Delete a mapping and release its identity; refuse with 404 if there is none."""
    with platform.write() as tx:
        SIP_MAPPINGS.need(tx, uri)
        sip.release(tx, uri)
        SIP_MAPPINGS.remove(tx, uri)


def credential_of(platform: Platform, tx: Transaction, uri: str) -> SipCredential:
    """Return the gateway credential of an owner, including the password; refuse with 404 without a mapping."""
    row = SIP_MAPPINGS.need_row(tx, uri)
    if row.identity:
        password = sip.password_of(platform, tx, row.identity)
    else:
        password = platform.seals.unseal(_purpose(uri), row.password)
    return SipCredential(username=row.username, password=password)


# -- names at the gateway -----------------------------------------------------------------------------------------


def gateway_username_of(tx: Transaction, user_id: str) -> str | None:
    """Return the name of a user at the gateway, or None."""
    row = SIP_MAPPINGS.row(tx, address_of(user_id))
    return None if row is None else row.username


def users_at_gateway(tx: Transaction, username: str) -> tuple[str, ...]:
    """Return the ids of the users with this name at the gateway: at most one of each domain."""
    known = (SIP_MAPPINGS.c.username == username, SIP_MAPPINGS.c.type == "user")
    return tuple(tx.run(sa.select(SIP_MAPPINGS.c.owner).where(*known).order_by(SIP_MAPPINGS.c.owner)).scalars())


def _purpose(uri: str) -> str:
    return f"SIP mapping of {uri}"
