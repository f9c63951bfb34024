"""Handlers for address books and contacts in backends (contract 4.6)."""

from __future__ import annotations

import sqlalchemy as sa

from console.api.annotations import Variant
from console.api.operations.contacts import (
    CreateContact,
    DeleteContact,
    GetContact,
    InsertContacts,
    ListAddressBooks,
    ListContacts,
    ListContactsAsObject,
    UpdateContact,
)
from console.records.contacts import AddressBook
from console.service.auth.caller import Caller
from console.service.auth.relation_checks import owns, sees
from console.service.domain import address_books, contacts
from console.service.domain.contacts import CLOUD_PERSONAL, CONTACTS, DEVICE, LOCAL
from console.service.handlers.bindings import given
from console.service.handlers.handler import Stored, bind, handles
from console.service.platform import Platform
from console.service.refusal import invalid
from console.service.store.transaction import Transaction


@handles(ListAddressBooks)
def list_address_books(
    request: ListAddressBooks, caller: Caller, platform: Platform, tx: Transaction
) -> tuple[AddressBook, ...]:
    """Return the requested books."""
    earlier = platform.variant is Variant.EARLIER
    books: list[AddressBook] = []
    if request.contacts:
        books.append(address_books.own_contacts(tx, caller, platform.variant))
    if request.domain:
        books.append(address_books.users_of_domain(tx, caller))
    if request.phonebooks:
        books += address_books.phonebooks(tx, caller)
    if earlier if request.static is None else request.static:
        books.append(address_books.static_contacts(tx, caller))
    if request.groups:
        books += address_books.groups(tx, caller)
    for wanted, source in (
        (request.cloud_org_contacts, "cloudOrgContacts"),
        (request.cloud_org_users, "cloudOrgUsers"),
        (request.cloud_personal_contacts, CLOUD_PERSONAL),
    ):
        if wanted:
            books.append(address_books.cloud(tx, caller, source))
    return tuple(address_books.as_earlier(book) for book in books) if earlier else tuple(books)


@handles(ListContacts, ListContactsAsObject)
def list_contacts(request: ListContacts | ListContactsAsObject, caller: Caller, tx: Transaction) -> Stored:
    """List contacts, with filters."""
    where: list[sa.ColumnElement[bool]] = []
    if request.source is not None:
        where.append(CONTACTS.c.source.in_(request.source))
    if request.device_id is not None:
        if request.source != (DEVICE,):
            raise invalid("deviceId", "is only for the source device", "source")
        where.append(CONTACTS.c.device == request.device_id)
    if request.favorite is not None:
        where.append(CONTACTS.c.favorite == request.favorite)
    bodies = contacts.listed(tx, caller, where, request.name, request.offset or 0, request.limit)
    return Stored(CONTACTS, bodies)


bind(GetContact, CONTACTS.need, key="id", related=sees(CONTACTS))
bind(CreateContact, contacts.create, fields=given())
bind(UpdateContact, contacts.update, contact_id="id", fields=given("id"), related=owns(CONTACTS, "user"))
bind(DeleteContact, contacts.delete, contact_id="id", related=owns(CONTACTS, "user"))
bind(InsertContacts, contacts.insert, source=lambda request, _: request.source or LOCAL)
