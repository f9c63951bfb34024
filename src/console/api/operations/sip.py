"""Pools of SIP identities, and their mappings to users and groups (contract 4.8)."""

from __future__ import annotations

from typing import Annotated, Literal

from console.api.annotations import SECRET, Access, Change, Guard, InBody, InPath, InQuery
from console.api.request import Request
from console.records.fields import field
from console.records.record import Record
from console.records.responses import Acknowledgement, Page
from console.records.sip import SipCredential, SipIdentity, SipMapping

LONGEST_NAME = 255


class CreateSipIdentity(
    Request[Acknowledgement],
    name="sip-identities.create",
    section="4.8",
    row="Create SIP identity in pool",
    route="POST /sip/identities",
    change=Change(Guard.SMALL, done="created", touches=("sip-identities",)),
    access=Access.ADMIN,
    says="Created",
):
    """Add a SIP identity to the pool of the caller's domain, or of `targetDomain`."""

    username: InBody[str] = field(min_length=1, max_length=LONGEST_NAME)
    password: Annotated[InBody[str], SECRET] = field(min_length=1, max_length=LONGEST_NAME)
    target_domain: InBody[str | None] = field(default=None, min_length=1)


class ListSipIdentities(
    Request[tuple[SipIdentity, ...]],
    name="sip-identities.list",
    section="4.8",
    row="List SIP identities",
    route="GET /sip/identities",
    access=Access.NAMED,
):
    """List the pool of the caller's domain, or for admins all pools or the one of `domain`, without passwords."""

    domain: InQuery[str | None] = None
    available: InQuery[bool | None] = None


class GetSipIdentity(
    Request[SipIdentity],
    name="sip-identities.get",
    section="4.8",
    row="Get SIP identity",
    route="GET /sip/identities/{id}",
    access=Access.NAMED,
):
    """Get a SIP identity without its password."""

    id: InPath[str]
    domain: InQuery[str | None] = None


class UpdateSipIdentity(
    Request[Acknowledgement],
    name="sip-identities.update",
    section="4.8",
    row="Update SIP identity",
    route="PUT /sip/identities/{id}",
    change=Change(Guard.REVERSIBLE, done="changed", touches=("sip-identities",)),
    access=Access.ADMIN,
    says="Updated",
):
    """Change a SIP identity.

    A new password also applies to its mapping.
    """

    id: InPath[str]
    domain: InQuery[str | None] = None
    username: InBody[str | None] = field(default=None, min_length=1, max_length=LONGEST_NAME)
    password: Annotated[InBody[str | None], SECRET] = field(default=None, min_length=1, max_length=LONGEST_NAME)
    available: InBody[bool | None] = None


class DeleteSipIdentity(
    Request[Acknowledgement],
    name="sip-identities.delete",
    section="4.8",
    row="Delete SIP identity",
    route="DELETE /sip/identities/{id}",
    change=Change(
        Guard.WIDE,
        done="deleted",
        touches=("sip-identities",),
        mass=True,
        warning="The SIP identity is deleted from its pool, and its password is lost.",
    ),
    access=Access.ADMIN,
    says="Deleted",
):
    """Delete a SIP identity, unless it is assigned."""

    id: InPath[str]
    domain: InQuery[str | None] = None


class GetSipMapping(
    Request[SipCredential],
    name="sip-mappings.get",
    section="4.8",
    row="Get SIP mapping",
    route="GET /sip/mapping",
    access=Access.SELF_OR_ADMIN,
    answers_secret=True,
):
    """Get the SIP credential of a user or group, including the password."""

    owner_uri: InQuery[str] = field(min_length=1)


class NewSipCredential(Record):
    """The credential to map to (contract 4.8)."""

    username: str = field(default="", min_length=1, max_length=LONGEST_NAME)
    password: str | None = field(default=None, repr=False, min_length=1, max_length=LONGEST_NAME)
    """By default, the password of the pool's identity."""


class SetSipMapping(
    Request[SipCredential],
    name="sip-mappings.set",
    section="4.8",
    row="Create / update SIP mapping",
    route="PUT /sip/mapping",
    change=Change(Guard.REVERSIBLE, done="set", touches=("sip-mappings",)),
    access=Access.ADMIN,
    answers_secret=True,
):
    """Map a user (`svc-user:<id>`) or a group (`svc-group:<groupId>`) to a SIP credential.

    An identity of the pool becomes unavailable. Its password may be omitted.
    """

    owner_uri: InBody[str] = field(min_length=1, description="svc-user:<id> or svc-group:<groupId>")
    credential: InBody[NewSipCredential]


class DeleteSipMapping(
    Request[Acknowledgement],
    name="sip-mappings.delete",
    section="4.8",
    row="Delete SIP mapping",
    route="DELETE /sip/mapping",
    change=Change(
        Guard.REVERSIBLE,
        done="deleted",
        touches=("sip-mappings",),
        irreversible=Guard.WIDE,
        mass=True,
        warning="The password at the gateway is lost with the mapping.",
    ),
    access=Access.ADMIN,
    says="No Content",
):
    """Delete the SIP mapping of a user or group.

    An identity of the pool becomes available again.
    """

    owner_uri: InQuery[str] = field(min_length=1)


class ListSipMappings(
    Request[tuple[SipMapping, ...]],
    name="sip-mappings.list",
    section="4.8",
    row="List SIP mappings",
    route="GET /sip/mappings",
    access=Access.ADMIN,
    unwrap="mappings",
):
    """List the mappings by owner, without passwords; `lastMatch` is the owner of the last one received."""

    limit: InQuery[str | None] = field(default=None, pattern=r"^[1-9][0-9]*$")
    last_match: InQuery[str | None] = None


class PageSipMappings(
    Request[Page[SipMapping]],
    name="sip-mappings.page",
    label="list SIP mappings in pages",
    section="4.8",
    row="List SIP mappings (paginated)",
    route="GET /sip/mappings/page",
    access=Access.ADMIN,
):
    """List the mappings in pages, without passwords."""

    page_size: InQuery[int | None] = field(default=None, wire="page[size]", ge=1)
    page_after: InQuery[str | None] = field(default=None, wire="page[after]")
    owner_uri: InQuery[str | None] = None
    owner_type: InQuery[Literal["user", "group"] | None] = None
    owner_id: InQuery[str | None] = None
    username: InQuery[str | None] = None
    username_partial: InQuery[str | None] = field(default=None, wire="username[partial]")
