"""Undo of changes to phonebooks."""

from __future__ import annotations

from console.api.annotations import Variant
from console.api.operations.phonebooks import (
    AddPhonebookContact,
    AddSubscriber,
    RemovePhonebookContact,
    RemoveSubscriber,
)
from console.commands.action import Situation
from console.commands.lookup import find
from console.kinds.inverses import Inverse, Inverses
from console.records.phonebooks import NewPhonebookContact, Phonebook


def _book(situation: Situation, key: str) -> Phonebook | None:
    return find(situation.render, "phonebooks", key, Phonebook)


def adding_contact(variant: Variant, book_id: str, name: str | None, address: str | None) -> AddPhonebookContact:
    """Return the request that adds a contact to a phonebook; the earlier variant has separate inputs."""
    if variant is Variant.EARLIER:
        return AddPhonebookContact(phonebook_id=book_id, name=name, address=address)
    return AddPhonebookContact(phonebook_id=book_id, contact=NewPhonebookContact(name=name, address=address))


def _put_contact_back(situation: Situation, request: RemovePhonebookContact) -> Inverse:
    book = _book(situation, request.phonebook_id)
    contacts = book.contacts if book is not None else ()
    return tuple(
        adding_contact(situation.variant, request.phonebook_id, contact.name, contact.address)
        for contact in contacts
        if contact.id == request.contact_id
    )


def _subscribe(situation: Situation, request: AddSubscriber) -> Inverse:
    book = _book(situation, request.phonebook_id)
    if book is None or request.subscriber_id in book.subscribers:
        return ()
    return (RemoveSubscriber(phonebook_id=request.phonebook_id, subscriber_id=request.subscriber_id),)


def _unsubscribe(situation: Situation, request: RemoveSubscriber) -> Inverse:
    book = _book(situation, request.phonebook_id)
    if book is None or request.subscriber_id not in book.subscribers:
        return ()
    return (AddSubscriber(phonebook_id=request.phonebook_id, subscriber_id=request.subscriber_id),)


INVERSES: Inverses = {
    RemovePhonebookContact: _put_contact_back,
    AddSubscriber: _subscribe,
    RemoveSubscriber: _unsubscribe,
}
