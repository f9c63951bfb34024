"""Contacts of all kinds, and address books (contract 2.1, 2.10)."""

from __future__ import annotations

from typing import Any, ClassVar

from console.records.record import Record


class ContactEntry(Record):
    """A telephone number or e-mail address (contract 2.1, later variant); the contract names only the type `home`."""

    type: str | None = None
    value: str | None = None
    primary: bool | None = None

    @classmethod
    def prepared(cls, data: Any) -> Any:
        """Refuse a plain text, which otherwise would become an empty entry instead of a text of `Entries`."""
        if isinstance(data, str):
            raise ValueError("a bare text is not an entry")
        return data


Entries = tuple[ContactEntry | str, ...]
"""Numbers or addresses: entries in the later variant, plain texts in the earlier one."""


class ContactPhone(Record):
    """An address of a source-based contact, and its user (contract 2.10)."""

    name: str | None = None
    address: str | None = None
    attached_user_id: str | None = None


class ContactParticipant(Record):
    """A member of a group contact (contract 2.10)."""

    name: str | None = None
    address: str | None = None


class Contact(Record):
    """A contact in the backend `source` (contract 2.10). A `group` has participants."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    source: str | None = None
    user: str | None = None
    name: str | None = None
    favorite: bool | None = None
    phones: tuple[ContactPhone, ...] = ()
    unnormalized_phones: tuple[dict[str, Any], ...] = ()
    emails: tuple[dict[str, Any], ...] = ()
    device_id: str | None = None
    contact_device_id: str | None = None
    participants: tuple[ContactParticipant, ...] = ()


class UserContact(Record):
    """A contact of a user (contract 2.10, later variant). The user chooses its id, which is unique for the user."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    owner: str | None = None
    name: str | None = None
    phones: Entries = ()
    emails: Entries = ()
    favorite: bool | None = None
    associated_user_id: str | None = None

    @property
    def key(self) -> str:
        """Unique key of this contact among the contacts of all users."""
        return f"{self.owner}/{self.id}" if self.id and self.owner else self.id


class StaticContact(Record):
    """A contact that a domain offers to its users (contract 2.10). Its id is unique in the domain."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    name: str | None = None
    phones: Entries = ()
    emails: Entries = ()
    associated_user_id: str | None = None
    domain: str | None = None
    """Additional field: the domain of the contact, since an admin lists the contacts of all domains."""

    @property
    def key(self) -> str:
        """Unique key of this contact among the contacts of all domains."""
        return f"{self.domain}/{self.id}" if self.id and self.domain else self.id


class AddressBookContact(Record):
    """An entry of an address book (contract 2.10); the earlier variant has `user` for `associatedUserId`."""

    id: str | None = None
    name: str | None = None
    phones: Entries = ()
    emails: Entries = ()
    favorite: bool | None = None
    associated_user_id: str | None = None
    user: str | None = None


class AddressBook(Record):
    """Contacts of one origin (contract 2.10); the contract names only the type `contacts`."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    name: str | None = None
    type: str | None = None
    contacts: tuple[AddressBookContact, ...] = ()
