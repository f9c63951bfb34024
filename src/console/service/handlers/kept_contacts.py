"""Handlers for user contacts and static contacts of domains (contract 4.6)."""

from __future__ import annotations

import sqlalchemy as sa

from console.api.operations.contacts import (
    CreateStaticContact,
    CreateUserContact,
    DeleteStaticContact,
    GetStaticContact,
    ListStaticContacts,
    ListUserContacts,
    UpdateStaticContact,
    UpdateUserContact,
)
from console.records.contacts import StaticContact, UserContact
from console.records.responses import Acknowledgement
from console.service.auth.caller import Caller
from console.service.domain import address_books
from console.service.domain.address_books import STATIC_CONTACTS, USER_CONTACTS
from console.service.handlers.bindings import as_record, given
from console.service.handlers.handler import DONE, Stored, bind, handles
from console.service.platform import Platform
from console.service.refusal import missing
from console.service.store.paging import any_of
from console.service.store.transaction import Transaction


@handles(ListUserContacts)
def list_user_contacts(request: ListUserContacts, caller: Caller, tx: Transaction) -> Stored:
    """List user contacts by name."""
    where = any_of(USER_CONTACTS.c.associated, request.associated_user_id)
    bodies = USER_CONTACTS.bodies(tx, *where, caller=caller, order=(USER_CONTACTS.c.name,))
    return Stored(USER_CONTACTS, bodies)


@handles(ListStaticContacts)
def list_static_contacts(request: ListStaticContacts, caller: Caller, tx: Transaction) -> Stored:
    """List static contacts by name."""
    where: list[sa.ColumnElement[bool]] = [
        *any_of(STATIC_CONTACTS.c.domain, address_books.chosen_domain(caller, request.domain)),
        *any_of(STATIC_CONTACTS.c.name, request.name),
        *any_of(STATIC_CONTACTS.c.associated, request.associated_user_id),
    ]
    order = (STATIC_CONTACTS.c.name, STATIC_CONTACTS.c.domain)
    return Stored(STATIC_CONTACTS, STATIC_CONTACTS.bodies(tx, *where, caller=caller, order=order))


@handles(CreateStaticContact)
def create_static_contact(request: CreateStaticContact, caller: Caller, platform: Platform) -> Acknowledgement:
    """Add a static contact to a domain."""
    contact = StaticContact(
        id=request.id,
        name=request.name,
        phones=request.phones,
        emails=request.emails,
        associated_user_id=request.associated_user_id,
    )
    address_books.create_static_contact(platform, request.target_domain or caller.domain, contact)
    return DONE


@handles(GetStaticContact)
def get_static_contact(request: GetStaticContact, caller: Caller, tx: Transaction) -> Stored:
    """Get one static contact."""
    key = address_books.static_key(caller, request.id, request.domain)
    body = STATIC_CONTACTS.body(tx, key)
    if body is None:
        raise missing("static contact", request.id)
    return Stored(STATIC_CONTACTS, (body,), many=False)


def _key(request: UpdateStaticContact | DeleteStaticContact, caller: Caller) -> str:
    return address_books.static_key(caller, request.id, request.domain)


bind(CreateUserContact, address_books.create_user_contact, contact=as_record(UserContact))
bind(UpdateUserContact, address_books.update_user_contact, contact_id="id", given=given("id"))
bind(UpdateStaticContact, address_books.update_static_contact, key=_key, given=given("id", "domain"))
bind(DeleteStaticContact, address_books.delete_static_contact, key=_key)
