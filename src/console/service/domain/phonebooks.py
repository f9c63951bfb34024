"""Phonebooks: filled by admins, with users as subscribers (contract 2.10, 4.6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from console.records.phonebooks import Phonebook, PhonebookContact
from console.service.domain.people import USERS
from console.service.events.visibility import Admins, Among, AnyOf, by_id
from console.service.platform import Platform
from console.service.refusal import conflict, invalid, missing
from console.service.store.documents import Documents
from console.service.store.transaction import Transaction

LONGEST_TEXT = 200
MOST_CONTACTS = 2000
MOST_SUBSCRIBERS = 10_000

PHONEBOOKS = Documents(
    "phonebooks",
    Phonebook,
    columns=(
        sa.Column("name", sa.Text, nullable=False, index=True),
        sa.Column("subscribers", sa.JSON, nullable=False),
    ),
    extract=lambda book: {"name": book.name or "", "subscribers": list(book.subscribers)},
    rule=AnyOf(Admins(), Among("subscribers", by_id)),
)


def create(platform: Platform, name: str) -> Phonebook:
    """Create an empty phonebook."""
    with platform.write() as tx:
        _check_text("phonebookName", name)
        return _put(tx, Phonebook(id=platform.new_id(), name=name))


def remove(platform: Platform, book_id: str) -> Phonebook:
    """Delete a phonebook and return it."""
    with platform.write() as tx:
        return PHONEBOOKS.take(tx, book_id)


def subscribe(platform: Platform, book_id: str, user_id: str) -> Phonebook:
    """Subscribe a user to a phonebook; refuse with 409 a subscriber, with 400 an unknown user or a guest."""
    with platform.write() as tx:
        book = PHONEBOOKS.need(tx, book_id)
        if user_id in book.subscribers:
            raise conflict(f"{user_id} subscribes to the phonebook already")
        user = USERS.row(tx, user_id)
        if user is None or user.role == "anonymous":
            raise invalid("subscriberId", f"{user_id} cannot subscribe", "reference")
        if len(book.subscribers) >= MOST_SUBSCRIBERS:
            raise invalid("subscriberId", f"a phonebook has at most {MOST_SUBSCRIBERS} subscribers", "maxItems")
        return _with(tx, book, subscribers=(*book.subscribers, user_id))


def unsubscribe(platform: Platform, book_id: str, user_id: str) -> Phonebook:
    """Unsubscribe a user from a phonebook; refuse with 404 a user who is not subscribed."""
    with platform.write() as tx:
        book = PHONEBOOKS.need(tx, book_id)
        if user_id not in book.subscribers:
            raise missing("subscriber", user_id)
        return _with(tx, book, subscribers=tuple(other for other in book.subscribers if other != user_id))


def add_contact(
    platform: Platform, book_id: str, name: str, address: str, path: str = ""
) -> tuple[Phonebook, PhonebookContact]:
    """Append a contact to a phonebook. `path` is the position of its fields in the request, for refusals."""
    with platform.write() as tx:
        book = PHONEBOOKS.need(tx, book_id)
        _check_text(f"{path}name", name)
        _check_text(f"{path}address", address)
        if len(book.contacts) >= MOST_CONTACTS:
            raise invalid(path.rstrip("."), f"a phonebook has at most {MOST_CONTACTS} contacts", "maxItems")
        contact = PhonebookContact(id=platform.new_id(), name=name, address=address)
        return _with(tx, book, contacts=(*book.contacts, contact)), contact


def edit_contact(
    platform: Platform, book_id: str, contact_id: str, name: str | None, address: str | None
) -> tuple[Phonebook, PhonebookContact]:
    """Change name or address of a contact in a phonebook; None means unchanged."""
    with platform.write() as tx:
        book = PHONEBOOKS.need(tx, book_id)
        contact = _contact(book, contact_id)
        if name is not None:
            _check_text("contact.name", name)
            contact = contact.model_copy(update={"name": name})
        if address is not None:
            _check_text("contact.address", address)
            contact = contact.model_copy(update={"address": address})
        contacts = tuple(contact if other.id == contact_id else other for other in book.contacts)
        return _with(tx, book, contacts=contacts), contact


def remove_contact(platform: Platform, book_id: str, contact_id: str) -> Phonebook:
    """Remove a contact from a phonebook."""
    with platform.write() as tx:
        book = PHONEBOOKS.need(tx, book_id)
        _contact(book, contact_id)
        return _with(tx, book, contacts=tuple(contact for contact in book.contacts if contact.id != contact_id))


def _contact(book: Phonebook, contact_id: str) -> PhonebookContact:
    for contact in book.contacts:
        if contact.id == contact_id:
            return contact
    raise missing("contact in this phonebook", contact_id)


def _with(tx: Transaction, book: Phonebook, **changes: Sequence[Any]) -> Phonebook:
    return _put(tx, book.model_copy(update=changes))


def _put(tx: Transaction, book: Phonebook) -> Phonebook:
    PHONEBOOKS.put(tx, book)
    return book


def _check_text(path: str, text: str) -> None:
    if not text.strip() or len(text) > LONGEST_TEXT:
        raise invalid(path, f"must have 1 to {LONGEST_TEXT} characters", "length")
