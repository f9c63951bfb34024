"""Phonebooks: lists of addresses that users subscribe to (contract 2.10, 4.6)."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from console.records.record import Record


class PhonebookContact(Record):
    """An address under a name (contract 2.10)."""

    id: str | None = None
    name: str | None = None
    address: str | None = None


class NewPhonebookContact(Record):
    """A contact to put into a phonebook, or the values to give to one that is there (contract 4.6)."""

    name: str | None = None
    address: str | None = None


class Phonebook(Record):
    """Addresses, and the ids of the users who see them (contract 2.10)."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    name: str | None = None
    contacts: tuple[PhonebookContact, ...] = ()
    subscribers: tuple[str, ...] = ()


class CreatedPhonebookContact(Record):
    """A phonebook and the contact that was put into it (contract 4.6)."""

    phonebook: Phonebook = Field(default_factory=Phonebook)
    created_contact: PhonebookContact = Field(default_factory=PhonebookContact)


class UpdatedPhonebookContact(Record):
    """A phonebook and the contact of it that was changed (contract 4.6)."""

    phonebook: Phonebook = Field(default_factory=Phonebook)
    updated_contact: PhonebookContact = Field(default_factory=PhonebookContact)
