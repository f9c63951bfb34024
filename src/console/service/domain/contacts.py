"""Contacts of users, devices, groups and whole domains in backends (contract 2.10, 4.6).

A contact belongs to a user, or otherwise to a domain, whose users all see it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from console.base.patterns import BadPattern, compiled
from console.records.contacts import Contact, ContactPhone
from console.service.auth.caller import Caller
from console.service.domain.people import USERS
from console.service.events.visibility import Admins, AllOf, AnyOf, Named, Same, by_domain, by_id
from console.service.platform import Platform
from console.service.refusal import forbidden, invalid
from console.service.store.documents import Documents
from console.service.store.transaction import Transaction

LOCAL, DEVICE, GROUP = "local", "device", "group"
"""The default backend, and the two with additional fields."""
CLOUD_PERSONAL = "cloudPersonalContacts"
CLOUD_SHARED = ("cloudOrgContacts", "cloudOrgUsers")
"""Backends whose contacts may belong to a whole domain."""

_NUMBER = re.compile(r"[+0-9][0-9 ()./-]*\Z", re.ASCII)

_LISTS = frozenset({"phones", "emails", "participants", "unnormalized_phones"})

CONTACTS = Documents(
    "contacts",
    Contact,
    columns=(
        sa.Column("source", sa.Text, nullable=False, index=True),
        sa.Column("user", sa.Text, index=True),
        sa.Column("domain", sa.Text, index=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("favorite", sa.Boolean, nullable=False),
        sa.Column("device", sa.Text),
        sa.Column("device_key", sa.Text),
    ),
    extract=lambda contact: {
        "source": contact.source or LOCAL,
        "user": contact.user,
        "name": contact.name or "",
        "favorite": bool(contact.favorite),
        "device": contact.device_id,
        "device_key": contact.contact_device_id,
    },
    rule=AnyOf(Admins(), Same("user", by_id), AllOf(Named(), Same("domain", by_domain))),
)
"""`domain` is set only for contacts without a user."""


def listed(
    tx: Transaction,
    caller: Caller | None,
    where: Sequence[sa.ColumnElement[bool]],
    pattern: str | None,
    offset: int,
    limit: int | None,
) -> tuple[str, ...]:
    """Return the stored contacts that match and the caller may see, sorted by name.

    `pattern` is a regular expression that must match a part of the name. Refuse with 400 an invalid one.
    """
    order = (CONTACTS.c.name,)
    end = None if limit is None else offset + limit
    if pattern is None:
        return CONTACTS.bodies(tx, *where, caller=caller, order=order, limit=end)[offset:]
    try:
        fits = compiled(f"(?i){pattern}").search
    except BadPattern as error:
        raise invalid("name", f"is not a regular expression: {error}", "pattern") from None
    query = sa.select(CONTACTS.c.name, CONTACTS.c.body).where(*CONTACTS.conditions(where, caller))
    bodies = [row.body for row in tx.rows(query.order_by(*order, CONTACTS.c.key)) if fits(row.name)]
    return tuple(bodies[offset:end])


def create(platform: Platform, caller: Caller, fields: Mapping[str, Any]) -> Contact:
    """Create a contact with these fields for the caller, or as an admin for `user`.

    Refuse with 403 contacts for other users, with 400 fields that the backend does not have, or that are missing.
    """
    with platform.write() as tx:
        contact = _normalized(Contact.model_validate({"source": LOCAL, **_present(fields), "id": platform.new_id()}))
        users = {row.key for row in USERS.rows(tx, [contact.user])} if contact.user else set[str]()
        contact = contact.model_copy(update={"user": _owner(caller, contact.user, users, "user")})
        _check(contact)
        CONTACTS.put(tx, contact, domain=None)
        return contact


def update(platform: Platform, contact_id: str, fields: Mapping[str, Any]) -> Contact:
    """Change the given fields of a contact; None removes a value. Refuse with 400 to change backend or user."""
    with platform.write() as tx:
        stored = CONTACTS.need(tx, contact_id)
        for name, was in (("source", stored.source), ("user", stored.user)):
            if fields.get(name) not in {None, was}:
                raise invalid(name, f"must stay {was}: a contact is not moved", "const")
        changed = stored.model_copy(
            update={
                name: () if value is None and name in _LISTS else value
                for name, value in fields.items()
                if name not in {"source", "user"}
            }
        )
        if "phones" in fields:
            changed = _normalized(changed, fields.get("unnormalized_phones"))
        _check(changed)
        CONTACTS.put(tx, changed)
        return changed


def delete(platform: Platform, contact_id: str) -> Contact:
    """Delete a contact and return it."""
    with platform.write() as tx:
        return CONTACTS.take(tx, contact_id)


def insert(platform: Platform, caller: Caller, source: str, contacts: Iterable[Contact]) -> None:
    """Insert contacts into a backend, all or none. A contact with the id of a known device contact replaces it."""
    with platform.write() as tx:
        batch = tuple(contacts)
        users = {row.key for row in USERS.rows(tx, {contact.user for contact in batch if contact.user})}
        known = _device_contacts(tx, caller, source, batch)
        stored: list[Contact] = []
        for place, contact in enumerate(batch):
            path = f"contacts.{place}"
            if contact.source not in {None, source}:
                raise invalid(f"{path}.source", f"must be {source}", "const")
            shared = contact.user is None and caller.is_admin and source in CLOUD_SHARED
            user = None if shared else _owner(caller, contact.user, users, f"{path}.user")
            new_id = platform.new_id()
            if contact.contact_device_id is not None:
                new_id = known.setdefault((user, contact.device_id, contact.contact_device_id), new_id)
            contact = _normalized(contact.model_copy(update={"id": new_id, "source": source, "user": user}))
            _check(contact, path)
            stored.append(contact)
        domains = {contact.id: None if contact.user else caller.domain for contact in stored}
        CONTACTS.put_many(tx, stored, domain=domains)


def _owner(caller: Caller, user: str | None, users: Collection[str], path: str) -> str:
    """Return the user of a new contact; `users` are the ids of existing ones among those that are named."""
    if user is None or user == caller.id:
        return caller.id
    if not caller.is_admin:
        raise forbidden("only admins may keep contacts for others")
    if user not in users:
        raise invalid(path, f"{user} is not a user", "reference")
    return user


def _device_contacts(
    tx: Transaction, caller: Caller, source: str, contacts: Sequence[Contact]
) -> dict[tuple[str | None, str | None, str], str]:
    """Return the ids of stored contacts that these update, by user, device and device id.

    Contacts without a user belong to the caller's domain.
    """
    device_ids = {contact.contact_device_id for contact in contacts if contact.contact_device_id is not None}
    if not device_ids:
        return {}
    owners = {caller.id, *(contact.user for contact in contacts if contact.user)}
    c = CONTACTS.c
    rows = tx.rows(
        sa.select(c.key, c.user, c.device, c.device_key).where(
            c.source == source, c.device_key.in_(device_ids), sa.or_(c.user.in_(owners), c.domain == caller.domain)
        )
    )
    return {(row.user, row.device, row.device_key): row.key for row in rows}


def _check(contact: Contact, path: str = "") -> None:
    def at(name: str) -> str:
        return f"{path}.{name}" if path else name

    if contact.source == DEVICE and not contact.device_id:
        raise invalid(at("deviceId"), "is needed with the source device", "required")
    if contact.source != DEVICE and contact.device_id:
        raise invalid(at("deviceId"), "is only for the source device", "source")
    if contact.source == GROUP and contact.phones:
        raise invalid(at("phones"), "a group contact has participants instead", "source")
    if contact.source != GROUP and contact.participants:
        raise invalid(at("participants"), "are only for the source group", "source")
    for name, entries in (("phones", contact.phones), ("participants", contact.participants)):
        for place, entry in enumerate(entries):
            if not entry.address:
                raise invalid(at(f"{name}.{place}.address"), "is needed", "required")


def _normalized(contact: Contact, unnormalized: Any = None) -> Contact:
    """Normalize telephone numbers: no spaces, `+` prefix. Other spellings stay in `unnormalizedPhones`."""
    phones = tuple(phone.model_copy(update={"address": normal(phone.address)}) for phone in contact.phones)
    as_given: tuple[ContactPhone, ...] = tuple(
        entry for entry, phone in zip(contact.phones, phones, strict=True) if entry.address != phone.address
    )
    kept = unnormalized if unnormalized is not None else tuple(contact_phone.wire() for contact_phone in as_given)
    return contact.model_copy(update={"phones": phones, "unnormalized_phones": kept})


def normal(address: str | None) -> str | None:
    """Return a telephone number without punctuation and with `00` as `+`. Return other addresses unchanged."""
    if address is None or not _NUMBER.match(address.strip()):
        return address
    digits = re.sub(r"[ ()./-]", "", address)
    return f"+{digits[2:]}" if digits.startswith("00") else digits


def _present(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
