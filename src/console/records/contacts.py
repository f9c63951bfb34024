"""Contacts of all kinds and the address books that gather them (contract 2.1, 2.10)."""

from __future__ import annotations

from typing import Any, ClassVar

from console.records.record import Record


class ContactEntry(Record):
    """A telephone number or an e-mail address (contract 2.1, later variant); only the type `home` is shown there."""

    type: str | None = None
    value: str | None = None
    primary: bool | None = None

    @classmethod
    def _prepared(cls, data: Any) -> Any:
        """Leave a bare text to the text among `Entries`: read tolerantly, it would become an empty entry."""
        if isinstance(data, str):
            raise ValueError("a bare text is no entry")
        return data


Entries = tuple[ContactEntry | str, ...]
"""Numbers or addresses: entries in the later variant, bare texts in the earlier one."""


class ContactPhone(Record):
    """An address of a source-based contact and the user behind it (contract 2.10)."""

    name: str | None = None
    address: str | None = None
    attached_user_id: str | None = None


class ContactParticipant(Record):
    """A member of a group contact (contract 2.10)."""

    name: str | None = None
    address: str | None = None


class Contact(Record):
    """A contact in one of several backends, which `source` names (contract 2.10). A `group` has participants."""

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
    """A contact that a user keeps (contract 2.10, later variant). Its id is the user's choice and unique to them."""

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
        """What identifies this contact among those of all users."""
        return f"{self.owner}/{self.id}" if self.id and self.owner else self.id


class StaticContact(Record):
    """A contact that a domain offers to its users (contract 2.10). Its id is unique to the domain."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    name: str | None = None
    phones: Entries = ()
    emails: Entries = ()
    associated_user_id: str | None = None
    domain: str | None = None
    """Our addition: the domain that has it, since an admin lists those of all domains."""

    @property
    def key(self) -> str:
        """What identifies this contact among those of all domains."""
        return f"{self.domain}/{self.id}" if self.id and self.domain else self.id


class AddressBookContact(Record):
    """Somebody in an address book (contract 2.10); the earlier variant has `user` for `associatedUserId`."""

    id: str | None = None
    name: str | None = None
    phones: Entries = ()
    emails: Entries = ()
    favorite: bool | None = None
    associated_user_id: str | None = None
    user: str | None = None


class AddressBook(Record):
    """Contacts of one origin (contract 2.10); only the type `contacts` is shown there."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    name: str | None = None
    type: str | None = None
    contacts: tuple[AddressBookContact, ...] = ()
