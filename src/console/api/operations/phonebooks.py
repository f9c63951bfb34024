"""Phonebooks, their subscribers and contacts (contract 4.6).

The contract does not define who may change phonebooks: here admins may, and subscribers read.
"""

from __future__ import annotations

from typing import Annotated

from console.api.annotations import EARLIER_ONLY, LATER_ONLY, Access, Change, Guard, InBody, InPath, InQuery, Variant
from console.api.request import Request
from console.records.fields import field
from console.records.phonebooks import (
    CreatedPhonebookContact,
    NewPhonebookContact,
    Phonebook,
    UpdatedPhonebookContact,
)
from console.records.responses import Page


class PagePhonebooks(
    Request[Page[Phonebook]],
    name="phonebooks.page",
    section="4.6",
    row="List phonebooks (paginated)",
    route="GET /phonebooks/page",
    access=Access.NAMED,
):
    """List phonebooks by name, in pages.

    Users who are not admins see those to which they are subscribed.
    """

    page_size: InQuery[int | None] = field(default=None, wire="page[size]", ge=1)
    page_after: InQuery[str | None] = field(default=None, wire="page[after]")
    name: InQuery[str | tuple[str, ...] | None] = None
    name_partial: InQuery[str | None] = field(default=None, wire="name[partial]")
    name_not_partial: InQuery[str | None] = field(default=None, wire="name[notpartial]")


class ListPhonebooksOfSubscriber(
    Request[tuple[Phonebook, ...]],
    name="phonebooks.of-subscriber",
    label="list phonebooks of subscriber",
    section="4.6",
    row="List phonebooks of a subscriber",
    route="GET /subscribers/{subscriberId}/phonebooks",
    access=Access.SELF_OR_ADMIN,
    unwrap="phonebooks",
    unwrap_in=Variant.LATER,
):
    """List the phonebooks to which a user is subscribed."""

    subscriber_id: InPath[str]


class CreatePhonebook(
    Request[Phonebook],
    name="phonebooks.create",
    section="4.6",
    row="Create phonebook",
    route="POST /phonebooks",
    change=Change(Guard.SMALL, done="created", touches=("phonebooks",)),
    access=Access.ADMIN,
    unwrap="phonebook",
):
    """Create an empty phonebook."""

    phonebook_name: InBody[str] = field(min_length=1, max_length=200)


class RemovePhonebook(
    Request[Phonebook],
    name="phonebooks.remove",
    section="4.6",
    row="Remove phonebook",
    route="DELETE /phonebooks/{phonebookId}",
    change=Change(
        Guard.WIDE,
        done="removed",
        touches=("phonebooks",),
        mass=True,
        warning="The phonebook is removed with all of its contacts.",
    ),
    access=Access.ADMIN,
    unwrap="phonebook",
):
    """Delete a phonebook with its contacts, and return it."""

    phonebook_id: InPath[str]


class AddSubscriber(
    Request[Phonebook],
    name="phonebooks.subscribe",
    label="subscribe user to phonebook",
    section="4.6",
    row="Add subscriber",
    route="POST /phonebooks/{phonebookId}/subscribers",
    change=Change(Guard.REVERSIBLE, done="subscribed somebody to", touches=("phonebooks",)),
    access=Access.ADMIN,
    unwrap="phonebook",
):
    """Subscribe a user to a phonebook."""

    phonebook_id: InPath[str]
    subscriber_id: InBody[str] = field(min_length=1)


class RemoveSubscriber(
    Request[Phonebook],
    name="phonebooks.unsubscribe",
    label="unsubscribe user from phonebook",
    section="4.6",
    row="Remove subscriber",
    route="DELETE /phonebooks/{phonebookId}/subscribers/{subscriberId}",
    change=Change(Guard.REVERSIBLE, done="unsubscribed somebody from", touches=("phonebooks",)),
    access=Access.ADMIN,
    unwrap="phonebook",
):
    """Unsubscribe a user from a phonebook."""

    phonebook_id: InPath[str]
    subscriber_id: InPath[str]


class AddPhonebookContact(
    Request[CreatedPhonebookContact],
    name="phonebooks.add-contact",
    label="add contact to phonebook",
    section="4.6",
    row="Add contact to phonebook",
    route="POST /phonebooks/{phonebookId}/contacts",
    change=Change(Guard.SMALL, done="added a contact to", touches=("phonebooks",)),
    access=Access.ADMIN,
):
    """Add a contact to a phonebook; the earlier variant has name and address as separate inputs."""

    phonebook_id: InPath[str]
    contact: Annotated[InBody[NewPhonebookContact | None], LATER_ONLY] = None
    name: Annotated[InBody[str | None], EARLIER_ONLY] = None
    address: Annotated[InBody[str | None], EARLIER_ONLY] = None


class EditPhonebookContact(
    Request[UpdatedPhonebookContact],
    name="phonebooks.edit-contact",
    label="edit contact of phonebook",
    section="4.6",
    row="Edit phonebook contact name",
    route="PUT /phonebooks/{phonebookId}/contacts/{contactId}",
    change=Change(Guard.REVERSIBLE, done="changed a contact of", touches=("phonebooks",)),
    access=Access.ADMIN,
):
    """Change the given name or address of a contact in a phonebook."""

    phonebook_id: InPath[str]
    contact_id: InPath[str]
    contact: InBody[NewPhonebookContact | None] = None


class RemovePhonebookContact(
    Request[Phonebook],
    name="phonebooks.remove-contact",
    label="remove contact from phonebook",
    section="4.6",
    row="Remove contact from phonebook",
    route="DELETE /phonebooks/{phonebookId}/contacts/{contactId}",
    change=Change(
        Guard.REVERSIBLE,
        done="removed a contact from",
        touches=("phonebooks",),
        irreversible=Guard.WIDE,
        warning="The contact is removed for good.",
    ),
    access=Access.ADMIN,
    unwrap="phonebook",
):
    """Remove a contact from a phonebook."""

    phonebook_id: InPath[str]
    contact_id: InPath[str]
