"""Address books and contacts (contract 4.6).

Permissions that the contract leaves open: a contact is visible to its user and to admins, who may change it; one
without a user is visible to its whole domain, and changed by admins; guests have no contacts.
"""

from __future__ import annotations

from typing import Annotated, Any

from console.api.annotations import LATER_ONLY, Access, Change, Guard, InBody, InPath, InQuery, Variant
from console.api.request import Request
from console.records.contacts import (
    AddressBook,
    Contact,
    ContactEntry,
    ContactParticipant,
    ContactPhone,
    Entries,
    StaticContact,
    UserContact,
)
from console.records.fields import field
from console.records.responses import Acknowledgement


class ListAddressBooks(
    Request[tuple[AddressBook, ...]],
    name="address-books.list",
    section="4.6",
    row="List address books",
    route="GET /address-books",
    access=Access.NAMED,
    unwrap="addressBooks",
):
    """List the caller's address books of the requested kinds.

    Each flag is false by default, except `static` in the earlier variant. `contacts` are the caller's own, `domain` the
    users of the domain, `phonebooks` the subscribed ones, `static` the domain's own, `groups` the members of the
    caller's groups; the cloud flags show the contacts inserted into a backend of that name.
    """

    contacts: InQuery[bool] = False
    domain: InQuery[bool] = False
    phonebooks: InQuery[bool] = False
    static: InQuery[bool | None] = None
    groups: Annotated[InQuery[bool], LATER_ONLY] = False
    cloud_org_contacts: Annotated[InQuery[bool], LATER_ONLY] = False
    cloud_org_users: Annotated[InQuery[bool], LATER_ONLY] = False
    cloud_personal_contacts: Annotated[InQuery[bool], LATER_ONLY] = False


# -- contacts in backends -----------------------------------------------------------------------------------------


class _ContactFilters(Request[Any]):
    """Filters of both lists of contacts. `name` is a regular expression (RE2), ignoring case."""

    source: InQuery[tuple[str, ...] | None] = None
    device_id: InQuery[str | None] = None
    name: InQuery[str | None] = field(default=None, max_length=200)
    favorite: InQuery[bool | None] = None
    limit: InQuery[int | None] = field(default=None, ge=1)
    offset: InQuery[int | None] = field(default=None, ge=0)


class ListContacts(
    _ContactFilters,
    Request[tuple[Contact, ...]],
    name="contacts.list",
    section="4.6",
    row="List contacts",
    route="GET /contacts",
    access=Access.NAMED,
):
    """List the caller's and the domain's contacts by name; for admins, all contacts."""


class ListContactsAsObject(
    _ContactFilters,
    Request[tuple[Contact, ...]],
    name="contacts.list-object",
    label="list contacts as an object",
    section="4.6",
    row="List contacts as object",
    route="GET /contacts/object",
    access=Access.NAMED,
    unwrap="contacts",
):
    """List contacts, wrapped in an object."""


class _ContactFields(Request[Any]):
    """Fields of a contact. A `group` has `participants`, a `device` contact the `deviceId`."""

    source: InBody[str | None] = field(default=None, pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,63}$")
    user: InBody[str | None] = field(default=None, min_length=1)
    name: InBody[str | None] = field(default=None, min_length=1, max_length=200)
    favorite: InBody[bool | None] = None
    phones: InBody[tuple[ContactPhone, ...] | None] = field(default=None, max_length=50)
    emails: InBody[tuple[dict[str, Any], ...] | None] = field(default=None, max_length=50)
    device_id: InBody[str | None] = field(default=None, min_length=1, max_length=200)
    contact_device_id: InBody[str | None] = field(default=None, min_length=1, max_length=200)
    participants: InBody[tuple[ContactParticipant, ...] | None] = field(default=None, max_length=500)


class CreateContact(
    _ContactFields,
    Request[Contact],
    name="contacts.create",
    section="4.6",
    row="Create contact",
    route="POST /contacts",
    change=Change(Guard.SMALL, done="created", touches=("contacts",)),
    access=Access.NAMED,
):
    """Create a contact of the caller, or for admins of any user.

    The default `source` is the backend `local`.
    """


class GetContact(
    Request[Contact],
    name="contacts.get",
    section="4.6",
    row="Get contact",
    route="GET /contacts/{id}",
    access=Access.CREATOR_OR_ADMIN,
):
    """Get a contact."""

    id: InPath[str]


class UpdateContact(
    _ContactFields,
    Request[Contact],
    name="contacts.update",
    section="4.6",
    row="Update contact",
    route="PUT /contacts/{id}",
    change=Change(Guard.REVERSIBLE, done="changed", touches=("contacts",)),
    access=Access.CREATOR_OR_ADMIN,
):
    """Change the given fields of a contact.

    Its backend and user cannot change.
    """

    id: InBody[str] = field(min_length=1)
    unnormalized_phones: InBody[tuple[dict[str, Any], ...] | None] = field(default=None, max_length=50)


class DeleteContact(
    Request[Contact],
    name="contacts.delete",
    section="4.6",
    row="Delete contact",
    route="DELETE /contacts/{id}",
    change=Change(
        Guard.WIDE, done="deleted", touches=("contacts",), mass=True, warning="The contact is deleted for good."
    ),
    access=Access.CREATOR_OR_ADMIN,
):
    """Delete a contact, and return it."""

    id: InPath[str]


class InsertContacts(
    Request[Acknowledgement],
    name="contacts.insert",
    section="4.6",
    row="Insert contacts in a backend",
    route="POST /contacts/insert",
    change=Change(
        Guard.WIDE,
        done="put contacts into",
        unnamed="a backend",
        touches=("contacts",),
        warning="All of these contacts are stored, or none; one with a known `contactDeviceId` is replaced.",
    ),
    access=Access.NAMED,
    says="CREATED",
):
    """Insert contacts into a backend, all or none.

    A known `contactDeviceId` replaces the existing contact. The default `source` is the backend `local`. Without
    `contacts`, nothing is inserted.

    Contacts belong to the caller unless an admin names another `user`. Contacts that an admin inserts into
    `cloudOrgContacts` or `cloudOrgUsers` without a user belong to the admin's whole domain. The service assigns the
    ids.
    """

    source: InBody[str | None] = field(default=None, pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,63}$")
    contacts: InBody[tuple[Contact, ...]] = field(default=(), max_length=1000)


# -- user contacts ------------------------------------------------------------------------------------------------


class ListUserContacts(
    Request[tuple[UserContact, ...]],
    name="user-contacts.list",
    section="4.6",
    row="List user contacts",
    route="GET /user-contacts",
    access=Access.NAMED,
    variant=Variant.LATER,
    unwrap="contacts",
):
    """List the caller's user contacts, or for admins the contacts of all users."""

    associated_user_id: InQuery[str | None] = None


class CreateUserContact(
    Request[Acknowledgement],
    name="user-contacts.create",
    label="create user contact",
    section="4.6",
    row="Create user contact",
    route="POST /user-contacts",
    change=Change(Guard.SMALL, done="created", touches=("user-contacts",)),
    access=Access.NAMED,
    variant=Variant.LATER,
    says="Created",
):
    """Create a user contact of the caller, with an id that is unique for the caller."""

    id: InBody[str] = field(min_length=1, max_length=200)
    name: InBody[str] = field(min_length=1, max_length=200)
    phones: InBody[tuple[ContactEntry, ...]] = field(max_length=50)
    emails: InBody[tuple[ContactEntry, ...]] = field(max_length=50)
    favorite: InBody[bool] = False
    associated_user_id: InBody[str | None] = None


class UpdateUserContact(
    Request[Acknowledgement],
    name="user-contacts.update",
    label="update user contact",
    section="4.6",
    row="Update user contact",
    route="PUT /user-contacts/{id}",
    change=Change(Guard.REVERSIBLE, done="changed", touches=("user-contacts",)),
    access=Access.NAMED,
    variant=Variant.LATER,
    says="Updated",
):
    """Change the given fields of a user contact of the caller."""

    id: InPath[str]
    name: InBody[str | None] = field(default=None, min_length=1, max_length=200)
    phones: InBody[tuple[ContactEntry, ...] | None] = field(default=None, max_length=50)
    emails: InBody[tuple[ContactEntry, ...] | None] = field(default=None, max_length=50)
    favorite: InBody[bool | None] = None
    associated_user_id: InBody[str | None] = None


# -- static contacts ----------------------------------------------------------------------------------------------


class ListStaticContacts(
    Request[tuple[StaticContact, ...]],
    name="static-contacts.list",
    section="4.6",
    row="List static contacts",
    route="GET /static-contacts",
    access=Access.NAMED,
    unwrap="contacts",
):
    """List the static contacts of the caller's domain, or for admins of all domains or of `domain`."""

    domain: InQuery[str | None] = None
    name: InQuery[str | None] = None
    associated_user_id: InQuery[str | None] = None


class CreateStaticContact(
    Request[Acknowledgement],
    name="static-contacts.create",
    label="create static contact",
    section="4.6",
    row="Create static contact (admin)",
    route="POST /static-contacts",
    change=Change(Guard.SMALL, done="created", touches=("static-contacts",)),
    access=Access.ADMIN,
    says="Created",
):
    """Create a static contact in a domain, by default the caller's own."""

    id: InBody[str] = field(min_length=1, max_length=200)
    name: InBody[str] = field(min_length=1, max_length=200)
    phones: InBody[Entries] = field(max_length=50)
    emails: InBody[Entries] = field(max_length=50)
    associated_user_id: InBody[str | None] = None
    target_domain: InBody[str | None] = None


class GetStaticContact(
    Request[StaticContact],
    name="static-contacts.get",
    label="get static contact",
    section="4.6",
    row="Get static contact",
    route="GET /static-contacts/{id}",
    access=Access.NAMED,
):
    """Get a static contact of the caller's domain, or for admins of another."""

    id: InPath[str]
    domain: InQuery[str | None] = None


class UpdateStaticContact(
    Request[Acknowledgement],
    name="static-contacts.update",
    label="update static contact",
    section="4.6",
    row="Update static contact (admin)",
    route="PUT /static-contacts/{id}",
    change=Change(Guard.REVERSIBLE, done="changed", touches=("static-contacts",)),
    access=Access.ADMIN,
    says="Updated",
):
    """Change the given fields of a static contact."""

    id: InPath[str]
    domain: InQuery[str | None] = None
    name: InBody[str | None] = field(default=None, min_length=1, max_length=200)
    phones: InBody[Entries | None] = field(default=None, max_length=50)
    emails: InBody[Entries | None] = field(default=None, max_length=50)
    associated_user_id: InBody[str | None] = None


class DeleteStaticContact(
    Request[Acknowledgement],
    name="static-contacts.delete",
    label="delete static contact",
    section="4.6",
    row="Delete static contact (admin)",
    route="DELETE /static-contacts/{id}",
    change=Change(
        Guard.WIDE, done="deleted", touches=("static-contacts",), mass=True, warning="The contact is deleted for good."
    ),
    access=Access.ADMIN,
    says="Deleted",
):
    """Delete a static contact."""

    id: InPath[str]
    domain: InQuery[str | None] = None
