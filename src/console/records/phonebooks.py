"""Phonebooks: lists of addresses with subscribers (contract 2.10, 4.6)."""

from __future__ import annotations

from typing import ClassVar

from console.records.fields import field
from console.records.record import Record


class PhonebookContact(Record):
    """An address with a name (contract 2.10)."""

    id: str | None = None
    name: str | None = None
    address: str | None = None


class NewPhonebookContact(Record):
    """A contact to add to a phonebook, or new values of an existing one (contract 4.6)."""

    name: str | None = None
    address: str | None = None


class Phonebook(Record):
    """Addresses, and the ids of the subscribed users (contract 2.10)."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    name: str | None = None
    contacts: tuple[PhonebookContact, ...] = ()
    subscribers: tuple[str, ...] = ()


class CreatedPhonebookContact(Record):
    """A phonebook and its new contact (contract 4.6)."""

    phonebook: Phonebook = field(default_factory=Phonebook)
    created_contact: PhonebookContact = field(default_factory=PhonebookContact)


class UpdatedPhonebookContact(Record):
    """A phonebook and its changed contact (contract 4.6)."""

    phonebook: Phonebook = field(default_factory=Phonebook)
    updated_contact: PhonebookContact = field(default_factory=PhonebookContact)
