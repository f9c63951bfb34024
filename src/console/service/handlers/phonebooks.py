"""Handlers for phonebooks, their subscribers and their contacts (contract 4.6)."""

from __future__ import annotations

import sqlalchemy as sa

from console.api.annotations import Variant
from console.api.operations.phonebooks import (
    AddPhonebookContact,
    AddSubscriber,
    CreatePhonebook,
    EditPhonebookContact,
    ListPhonebooksOfSubscriber,
    PagePhonebooks,
    RemovePhonebook,
    RemovePhonebookContact,
    RemoveSubscriber,
)
from console.records.phonebooks import CreatedPhonebookContact, NewPhonebookContact, UpdatedPhonebookContact
from console.service.auth.caller import Caller
from console.service.auth.relation_checks import is_self
from console.service.domain import phonebooks
from console.service.domain.people import need_user
from console.service.domain.phonebooks import PHONEBOOKS
from console.service.events.visibility import has
from console.service.handlers.handler import Stored, StoredPage, bind, handles
from console.service.platform import Platform
from console.service.refusal import invalid
from console.service.store.paging import any_of, page_of, part_of
from console.service.store.transaction import Transaction


@handles(PagePhonebooks)
def page_phonebooks(request: PagePhonebooks, caller: Caller, platform: Platform) -> StoredPage:
    """List phonebooks in pages, by name."""
    where = [
        *any_of(PHONEBOOKS.c.name, request.name),
        *part_of(PHONEBOOKS.c.name, request.name_partial),
        *(sa.not_(column_element) for column_element in part_of(PHONEBOOKS.c.name, request.name_not_partial)),
    ]
    return page_of(PHONEBOOKS, request, caller, platform, *where, sort=PHONEBOOKS.c.name)


@handles(ListPhonebooksOfSubscriber, related=is_self("subscriber_id"))
def phonebooks_of_subscriber(request: ListPhonebooksOfSubscriber, tx: Transaction) -> Stored:
    """List the subscribed phonebooks of a user, by name."""
    need_user(tx, request.subscriber_id)
    subscribed = has(PHONEBOOKS.c.subscribers, request.subscriber_id)
    return Stored(PHONEBOOKS, PHONEBOOKS.bodies(tx, subscribed, order=(PHONEBOOKS.c.name,)))


@handles(AddPhonebookContact)
def add_contact(request: AddPhonebookContact, platform: Platform) -> CreatedPhonebookContact:
    """Add a contact to a phonebook: `contact` in the later variant, its two fields in the earlier one."""
    later = platform.variant is Variant.LATER
    if later and request.contact is None:
        raise invalid("contact", "is required", "required")
    name = request.contact.name if request.contact else request.name
    address = request.contact.address if request.contact else request.address
    path = "contact." if later else ""
    book, created = phonebooks.add_contact(platform, request.phonebook_id, name or "", address or "", path)
    return CreatedPhonebookContact(phonebook=book, created_contact=created)


@handles(EditPhonebookContact)
def edit_contact(request: EditPhonebookContact, platform: Platform) -> UpdatedPhonebookContact:
    """Change a contact in a phonebook."""
    new_phonebook_contact = request.contact or NewPhonebookContact()
    book, updated = phonebooks.edit_contact(
        platform, request.phonebook_id, request.contact_id, new_phonebook_contact.name, new_phonebook_contact.address
    )
    return UpdatedPhonebookContact(phonebook=book, updated_contact=updated)


bind(CreatePhonebook, phonebooks.create, name="phonebook_name")
bind(RemovePhonebook, phonebooks.remove, book_id="phonebook_id")
bind(AddSubscriber, phonebooks.subscribe, book_id="phonebook_id", user_id="subscriber_id")
bind(RemoveSubscriber, phonebooks.unsubscribe, book_id="phonebook_id", user_id="subscriber_id")
bind(RemovePhonebookContact, phonebooks.remove_contact, book_id="phonebook_id")
