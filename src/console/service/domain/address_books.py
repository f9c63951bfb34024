"""Address books, and the user contacts and static contacts (contract 2.10, 4.6).

Books have the people that a user can reach. They are not stored, but built on request from other parts of the domain.
User and static contacts have ids chosen by the client.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import sqlalchemy as sa

from console.api.annotations import Variant
from console.base.collation import collated
from console.records.contacts import (
    AddressBook,
    AddressBookContact,
    Contact,
    ContactEntry,
    Entries,
    StaticContact,
    UserContact,
)
from console.records.people import User
from console.service.auth.caller import Caller
from console.service.domain.contacts import CLOUD_PERSONAL, CLOUD_SHARED, CONTACTS
from console.service.domain.domains import DOMAINS
from console.service.domain.groups import GROUPS
from console.service.domain.people import USERS
from console.service.domain.phonebooks import PHONEBOOKS
from console.service.domain.relations import user_id_of
from console.service.events.visibility import Admins, AllOf, AnyOf, Named, Same, by_domain, by_id, has
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


def create_user_contact(platform: Platform, caller: Caller, contact: UserContact) -> None:
    """Store a contact for the caller; refuse with 409 if the caller has another contact with this id."""
    with platform.write() as tx:
        _check_id(contact.id)
        contact = contact.model_copy(update={"owner": caller.id})
        if USER_CONTACTS.row(tx, contact.key) is not None:
            raise conflict(f"you keep a contact {contact.id} already")
        USER_CONTACTS.put(tx, _checked(tx, contact))


def update_user_contact(platform: Platform, caller: Caller, contact_id: str, given: Mapping[str, Any]) -> None:
    """Change the given fields of a contact of the caller. None means unchanged, or no associated user."""
    with platform.write() as tx:
        stored = USER_CONTACTS.get(tx, UserContact(id=contact_id, owner=caller.id).key)
        if stored is None or stored.owner != caller.id:
            raise missing("user contact of yours", contact_id)
        USER_CONTACTS.put(tx, _checked(tx, stored.model_copy(update=_changes(given))))


# -- static contacts of domains ----------------------------------------------------------------------------------


def create_static_contact(platform: Platform, domain: str, contact: StaticContact) -> None:
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


def update_static_contact(platform: Platform, key: str, given: Mapping[str, Any]) -> None:
    """Change the given fields of a static contact. None means unchanged, or no associated user."""
    with platform.write() as tx:
        stored = STATIC_CONTACTS.need(tx, key)
        STATIC_CONTACTS.put(tx, _checked(tx, stored.model_copy(update=_changes(given))))


def delete_static_contact(platform: Platform, key: str) -> None:
    """Delete a static contact."""
    with platform.write() as tx:
        STATIC_CONTACTS.take(tx, key)


def _check_id(contact_id: str) -> None:
    if not contact_id.strip() or contact_id in {".", ".."}:
        raise invalid("id", "must be usable in a path", "format")


def _changes(inputs: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in inputs.items() if value is not None or name == "associated_user_id"}


def _checked(tx: Transaction, contact: K) -> K:
    user = contact.associated_user_id
    if user is not None and USERS.row(tx, user) is None:
        raise invalid("associatedUserId", f"{user} is not a user", "reference")
    return contact.model_copy(
        update={"phones": entries("phones", contact.phones), "emails": entries("emails", contact.emails)}
    )


def entries(path: str, written: Entries) -> tuple[ContactEntry, ...]:
    """Return numbers or addresses of either form as entries; refuse with 400 entries without a value."""
    contact_entries = tuple(ContactEntry(value=entry) if isinstance(entry, str) else entry for entry in written)
    for place, contact_entry in enumerate(contact_entries):
        if not contact_entry.value:
            raise invalid(f"{path}.{place}", "needs a value", "required")
    if sum(1 for contact_entry in contact_entries if contact_entry.primary) > 1:
        raise invalid(path, "may have one primary entry", "primary")
    return contact_entries


def own_contacts(tx: Transaction, caller: Caller, variant: Variant) -> AddressBook:
    """Return the caller's contacts: in the later variant the user's own, and in both the contacts in backends.

    Contacts from a cloud are in separate books.
    """
    clouds = (CLOUD_PERSONAL, *CLOUD_SHARED)
    kept = USER_CONTACTS.records(tx, USER_CONTACTS.c.owner == caller.id) if variant is Variant.LATER else ()
    address_book_contacts = [
        AddressBookContact(
            id=user_contact.id,
            name=user_contact.name,
            phones=user_contact.phones,
            emails=user_contact.emails,
            favorite=bool(user_contact.favorite),
            associated_user_id=user_contact.associated_user_id,
        )
        for user_contact in kept
    ]
    own = CONTACTS.records(tx, CONTACTS.c.user == caller.id, CONTACTS.c.source.not_in(clouds))
    return _book("contacts", "contacts", "Contacts", [*address_book_contacts, *map(_from_backend, own)])


def users_of_domain(tx: Transaction, caller: Caller) -> AddressBook:
    """Return the users of the caller's domain, except the caller and guests."""
    where = (USERS.c.domain == caller.domain, USERS.c.role != "anonymous", USERS.c.key != caller.id)
    return _book("domain", "domain", caller.domain, map(_from_user, USERS.records(tx, *where)))


def static_contacts(tx: Transaction, caller: Caller) -> AddressBook:
    """Return the static contacts of the caller's domain."""
    records = STATIC_CONTACTS.records(tx, STATIC_CONTACTS.c.domain == caller.domain)
    return _book(
        "static",
        "static",
        f"{caller.domain} directory",
        (
            AddressBookContact(
                id=static_contact.id,
                name=static_contact.name,
                phones=static_contact.phones,
                emails=static_contact.emails,
                favorite=False,
                associated_user_id=static_contact.associated_user_id,
            )
            for static_contact in records
        ),
    )


def phonebooks(tx: Transaction, caller: Caller) -> list[AddressBook]:
    """Return one book for each phonebook to which the caller is subscribed."""
    mine = PHONEBOOKS.records(tx, has(PHONEBOOKS.c.subscribers, caller.id), order=(PHONEBOOKS.c.name,))
    return [
        _book(
            book.id,
            "phonebook",
            book.name or "",
            (
                AddressBookContact(
                    id=contact.id,
                    name=contact.name,
                    phones=_number(contact.address),
                    favorite=False,
                    associated_user_id=user_id_of(contact.address),
                )
                for contact in book.contacts
            ),
        )
        for book in mine
    ]


def groups(tx: Transaction, caller: Caller) -> list[AddressBook]:
    """Return one book for each group that the caller owns or belongs to, with its members in order."""
    inside = sa.or_(GROUPS.c.owner == caller.id, has(GROUPS.c.participants, caller.id))
    records = GROUPS.records(tx, inside, order=(GROUPS.c.name,))
    users = USERS.get_many(tx, {participant for group in records for participant in group.participants})
    return [
        _book(
            group.group_id,
            "group",
            group.name or "",
            (_from_user(users[participant]) for participant in group.participants if participant in users),
            ordered=True,
        )
        for group in records
    ]


def cloud(tx: Transaction, caller: Caller, source: str) -> AddressBook:
    """Return the caller's and the domain's contacts in the cloud backend of this name."""
    whose = sa.or_(CONTACTS.c.user == caller.id, CONTACTS.c.domain == caller.domain)
    return _book(source, source, source, map(_from_backend, CONTACTS.records(tx, whose, CONTACTS.c.source == source)))


def as_earlier(book: AddressBook) -> AddressBook:
    """Convert a book to the earlier variant: plain numbers and addresses, `user` for the associated user."""
    contacts = tuple(
        AddressBookContact(
            id=contact.id,
            name=contact.name,
            phones=_bare(contact.phones),
            emails=_bare(contact.emails),
            user=contact.associated_user_id,
        )
        for contact in book.contacts
    )
    return book.model_copy(update={"contacts": contacts})


def _book(
    key: str, kind: str, name: str, contacts: Iterable[AddressBookContact], *, ordered: bool = False
) -> AddressBook:
    if not ordered:
        contacts = sorted(contacts, key=lambda contact: (collated(contact.name or ""), contact.id or ""))
    return AddressBook(id=key, name=name, type=kind, contacts=tuple(contacts))


def _from_user(user: User) -> AddressBookContact:
    mobile = [ContactEntry(value=value) for value in user.mobile_phone]
    landline = [ContactEntry(value=user.land_line_number)] if user.land_line_number else []
    return AddressBookContact(
        id=user.id,
        name=user.alias or user.username,
        phones=(*landline, *mobile),
        emails=(ContactEntry(value=user.email, primary=True),) if user.email else (),
        favorite=False,
        associated_user_id=user.id,
    )


def _from_backend(contact: Contact) -> AddressBookContact:
    addresses = [phone.address for phone in (*contact.phones, *contact.participants) if phone.address]
    attached = [phone.attached_user_id or user_id_of(phone.address) for phone in contact.phones]
    return AddressBookContact(
        id=contact.id,
        name=contact.name,
        phones=tuple(ContactEntry(value=address) for address in addresses),
        emails=tuple(ContactEntry(value=value) for value in map(_email, contact.emails) if value),
        favorite=bool(contact.favorite),
        associated_user_id=next((value for value in attached if value), None),
    )


def _email(entry: dict[str, Any]) -> str | None:
    """Return the address in an e-mail entry: the first text with an @. The contract does not define its fields."""
    return next((item for item in entry.values() if isinstance(item, str) and "@" in item), None)


def _number(address: str | None) -> tuple[ContactEntry, ...]:
    return (ContactEntry(value=address),) if address else ()


def _bare(entries: Entries) -> tuple[str, ...]:
    return tuple(entry if isinstance(entry, str) else entry.value or "" for entry in entries)
