"""Phonebooks, who subscribes to them, and their contacts (contract 4.6).

The contract does not say who may change phonebooks: here admins do, and subscribers read.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from console.api.annotations import EARLIER_ONLY, LATER_ONLY, Access, Change, Guard, InBody, InPath, InQuery, Variant
from console.api.request import Request
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
    """List phonebooks by name, a page at a time; a user who is no admin sees those they subscribe to."""

    page_size: InQuery[int | None] = Field(default=None, alias="page[size]", ge=1)
    page_after: InQuery[str | None] = Field(default=None, alias="page[after]")
    name: InQuery[str | tuple[str, ...] | None] = None
    name_partial: InQuery[str | None] = Field(default=None, alias="name[partial]")
    name_not_partial: InQuery[str | None] = Field(default=None, alias="name[notpartial]")


class ListPhonebooksOfSubscriber(
    Request[tuple[Phonebook, ...]],
    name="phonebooks.of-subscriber",
    section="4.6",
    row="List phonebooks of a subscriber",
    route="GET /subscribers/{subscriberId}/phonebooks",
    access=Access.SELF_OR_ADMIN,
    unwrap="phonebooks",
    unwrap_in=Variant.LATER,
):
    """List the phonebooks that a user subscribes to."""

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

    phonebook_name: InBody[str] = Field(min_length=1, max_length=200)


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
    """Remove a phonebook with its contacts, and answer what it was."""

    phonebook_id: InPath[str]


class AddSubscriber(
    Request[Phonebook],
    name="phonebooks.subscribe",
    section="4.6",
    row="Add subscriber",
    route="POST /phonebooks/{phonebookId}/subscribers",
    change=Change(Guard.REVERSIBLE, done="subscribed somebody to", touches=("phonebooks",)),
    access=Access.ADMIN,
    unwrap="phonebook",
):
    """Let a user see a phonebook."""

    phonebook_id: InPath[str]
    subscriber_id: InBody[str] = Field(min_length=1)


class RemoveSubscriber(
    Request[Phonebook],
    name="phonebooks.unsubscribe",
    section="4.6",
    row="Remove subscriber",
    route="DELETE /phonebooks/{phonebookId}/subscribers/{subscriberId}",
    change=Change(Guard.REVERSIBLE, done="unsubscribed somebody from", touches=("phonebooks",)),
    access=Access.ADMIN,
    unwrap="phonebook",
):
    """Let a user no longer see a phonebook."""

    phonebook_id: InPath[str]
    subscriber_id: InPath[str]


class AddPhonebookContact(
    Request[CreatedPhonebookContact],
    name="phonebooks.add-contact",
    section="4.6",
    row="Add contact to phonebook",
    route="POST /phonebooks/{phonebookId}/contacts",
    change=Change(Guard.SMALL, done="added a contact to", touches=("phonebooks",)),
    access=Access.ADMIN,
):
    """Put a contact into a phonebook; the earlier variant wants its name and address bare."""

    phonebook_id: InPath[str]
    contact: Annotated[InBody[NewPhonebookContact | None], LATER_ONLY] = None
    name: Annotated[InBody[str | None], EARLIER_ONLY] = None
    address: Annotated[InBody[str | None], EARLIER_ONLY] = None


class EditPhonebookContact(
    Request[UpdatedPhonebookContact],
    name="phonebooks.edit-contact",
    section="4.6",
    row="Edit phonebook contact name",
    route="PUT /phonebooks/{phonebookId}/contacts/{contactId}",
    change=Change(Guard.REVERSIBLE, done="changed a contact of", touches=("phonebooks",)),
    access=Access.ADMIN,
):
    """Change what is given of the name and the address of a contact in a phonebook."""

    phonebook_id: InPath[str]
    contact_id: InPath[str]
    contact: InBody[NewPhonebookContact | None] = None


class RemovePhonebookContact(
    Request[Phonebook],
    name="phonebooks.remove-contact",
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
    """Take a contact out of a phonebook."""

    phonebook_id: InPath[str]
    contact_id: InPath[str]
