"""Address books: the people that a user can reach, collected from several sources (contract 2.10, 4.6).

Books are not stored. They are built on request from other parts of the domain.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa

from console.api.annotations import Variant
from console.base.collation import collated
from console.records.contacts import AddressBook, AddressBookContact, Contact, ContactEntry, Entries
from console.records.people import User
from console.service.auth.caller import Caller
from console.service.domain.contacts import CLOUD_PERSONAL, CLOUD_SHARED, CONTACTS
from console.service.domain.groups import GROUPS
from console.service.domain.kept_contacts import STATIC_CONTACTS, USER_CONTACTS
from console.service.domain.people import USERS
from console.service.domain.phonebooks import PHONEBOOKS
from console.service.domain.relations import user_id_of
from console.service.events.visibility import has
from console.service.store.transaction import Transaction


def own_contacts(tx: Transaction, caller: Caller, variant: Variant) -> AddressBook:
    """Return the caller's contacts: in the later variant those of the user, and in both those in backends.

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
    address_book_contacts = list(contacts)
    if not ordered:
        address_book_contacts.sort(
            key=lambda address_book_contact: (collated(address_book_contact.name or ""), address_book_contact.id or "")
        )
    return AddressBook(id=key, name=name, type=kind, contacts=tuple(address_book_contacts))


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
