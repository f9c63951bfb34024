"""User contacts and static contacts of domains, with ids chosen by the client (contract 2.10, 4.6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import sqlalchemy as sa

from console.records.contacts import ContactEntry, Entries, StaticContact, UserContact
from console.service.auth.caller import Caller
from console.service.domain.domains import DOMAINS
from console.service.domain.people import USERS
from console.service.events.visibility import Admins, AllOf, AnyOf, Named, Same, by_domain, by_id
from console.service.platform import Platform
from console.service.refusal import conflict, forbidden, invalid, missing
from console.service.store.documents import Documents
from console.service.store.transaction import Transaction

K = TypeVar("K", UserContact, StaticContact)

USER_CONTACTS = Documents(
    "user_contacts",
    UserContact,
    columns=(
        sa.Column("owner", sa.Text, nullable=False, index=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("associated", sa.Text, index=True),
    ),
    extract=lambda contact: {
        "owner": contact.owner or "",
        "name": contact.name or "",
        "associated": contact.associated_user_id,
    },
    rule=AnyOf(Admins(), Same("owner", by_id)),
    singular="user contact",
)


def _as_earlier(contact: dict[str, Any]) -> dict[str, Any]:
    """Convert to the earlier variant, which has plain numbers and addresses (2.1, 2.10)."""
    for name in ("phones", "emails"):
        contact[name] = [item if isinstance(item, str) else item.get("value", "") for item in contact.get(name, [])]
    return contact


STATIC_CONTACTS = Documents(
    "static_contacts",
    StaticContact,
    columns=(
        sa.Column("domain", sa.Text, nullable=False, index=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("associated", sa.Text, index=True),
    ),
    extract=lambda contact: {
        "domain": contact.domain or "",
        "name": contact.name or "",
        "associated": contact.associated_user_id,
    },
    rule=AnyOf(Admins(), AllOf(Named(), Same("domain", by_domain))),
    singular="static contact",
    earlier=_as_earlier,
)


# -- user contacts ------------------------------------------------------------------------------------------------


def keep(platform: Platform, caller: Caller, contact: UserContact) -> None:
    """Store a contact for the caller; refuse with 409 if the caller has another contact with this id."""
    with platform.write() as tx:
        _check_id(contact.id)
        contact = contact.model_copy(update={"owner": caller.id})
        if USER_CONTACTS.row(tx, contact.key) is not None:
            raise conflict(f"you keep a contact {contact.id} already")
        USER_CONTACTS.put(tx, _checked(tx, contact))


def change(platform: Platform, caller: Caller, contact_id: str, given: Mapping[str, Any]) -> None:
    """Change the given fields of a contact of the caller. None means unchanged, or no associated user."""
    with platform.write() as tx:
        stored = USER_CONTACTS.get(tx, UserContact(id=contact_id, owner=caller.id).key)
        if stored is None or stored.owner != caller.id:
            raise missing("user contact of yours", contact_id)
        USER_CONTACTS.put(tx, _checked(tx, stored.model_copy(update=_changes(given))))


# -- static contacts of domains ----------------------------------------------------------------------------------


def offer(platform: Platform, domain: str, contact: StaticContact) -> None:
    """Add a static contact to a domain; refuse with 400 an unknown domain, with 409 an id in use there."""
    with platform.write() as tx:
        _check_id(contact.id)
        if DOMAINS.row(tx, domain) is None:
            raise invalid("targetDomain", f"there is no domain {domain}", "reference")
        contact = contact.model_copy(update={"domain": domain})
        if STATIC_CONTACTS.row(tx, contact.key) is not None:
            raise conflict(f"there is a static contact {contact.id} in {domain} already")
        STATIC_CONTACTS.put(tx, _checked(tx, contact))


def static_key(caller: Caller, contact_id: str, domain: str | None) -> str:
    """Return the key of a static contact of the caller's domain, for admins of any; otherwise refuse with 403."""
    return StaticContact(id=contact_id, domain=chosen_domain(caller, domain) or caller.domain).key


def chosen_domain(caller: Caller, domain: str | None) -> str | None:
    """Return the domain that an admin names, or None without one; refuse with 403 other users who name a domain."""
    if domain is not None and not caller.is_admin:
        raise forbidden("only admins may name a domain")
    return domain


def alter(platform: Platform, key: str, given: Mapping[str, Any]) -> None:
    """Change the given fields of a static contact. None means unchanged, or no associated user."""
    with platform.write() as tx:
        stored = STATIC_CONTACTS.need(tx, key)
        STATIC_CONTACTS.put(tx, _checked(tx, stored.model_copy(update=_changes(given))))


def withdraw(platform: Platform, key: str) -> None:
    """Delete a static contact."""
    with platform.write() as tx:
        STATIC_CONTACTS.need(tx, key)
        STATIC_CONTACTS.remove(tx, key)


def _check_id(contact_id: str) -> None:
    if not contact_id.strip() or contact_id in {".", ".."}:
        raise invalid("id", "must be usable in a path", "format")


def _changes(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if value is not None or name == "associated_user_id"}


def _checked(tx: Transaction, contact: K) -> K:
    user = contact.associated_user_id
    if user is not None and USERS.row(tx, user) is None:
        raise invalid("associatedUserId", f"{user} is not a user", "reference")
    return contact.model_copy(
        update={"phones": entries("phones", contact.phones), "emails": entries("emails", contact.emails)}
    )


def entries(path: str, given: Entries) -> tuple[ContactEntry, ...]:
    """Return numbers or addresses of either form as entries; refuse with 400 entries without a value."""
    contact_entries = tuple(ContactEntry(value=each) if isinstance(each, str) else each for each in given)
    for place, contact_entry in enumerate(contact_entries):
        if not contact_entry.value:
            raise invalid(f"{path}.{place}", "needs a value", "required")
    if sum(1 for contact_entry in contact_entries if contact_entry.primary) > 1:
        raise invalid(path, "may have one primary entry", "primary")
    return contact_entries
