"""Credentials of users (contract 4.4)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from console.api.annotations import (
    IN_SECONDS,
    SECRET,
    Access,
    Change,
    Guard,
    InBody,
    InPath,
    InQuery,
    NeededMembers,
)
from console.api.request import Request
from console.records.access import Credential
from console.records.fields import field
from console.records.people import UserContext

CredentialType = Literal["basic", "ims", "oauth2", "token", "svc-ims"]
NEEDED = NeededMembers("type", (("basic", ("password",)), ("token", ("token",))))
"""The secrets without which a credential of a type cannot be used."""


class ListCredentials(
    Request[tuple[Credential, ...]],
    name="credentials.list",
    section="4.4",
    row="List credentials of requester",
    route="GET /credentials",
    access=Access.SELF_OR_ADMIN,
):
    """List the caller's credentials, or for admins those of a user, without secrets."""

    id: InQuery[str | None] = None
    type: InQuery[CredentialType | None] = None
    user: InQuery[str | None] = None
    data: InQuery[str | None] = field(default=None, description="A value that the data must hold.")


class CreateCredential(
    Request[Credential],
    name="credentials.create",
    section="4.4",
    row="Create credential",
    route="POST /credentials",
    change=Change(Guard.SMALL, done="created", touches=("credentials",)),
    access=Access.SELF_OR_ADMIN,
):
    """Create a credential for the caller, or for admins for any user."""

    source: InBody[str] = field(min_length=1)
    type: InBody[CredentialType]
    domain: InBody[str] = field(min_length=1)
    data: Annotated[InBody[dict[str, Any]], SECRET, NEEDED]
    lease: Annotated[InBody[int], IN_SECONDS] = field(ge=0, title="Valid for", description="0 means forever.")
    user: InBody[str | None] = None
    context: InBody[UserContext | None] = None


class GetCredential(
    Request[Credential],
    name="credentials.get",
    section="4.4",
    row="Get credential",
    route="GET /credentials/{id}",
    access=Access.SELF_OR_ADMIN,
):
    """Get a credential, without its secrets."""

    id: InPath[str]


class UpdateCredential(
    Request[Credential],
    name="credentials.update",
    section="4.4",
    row="Update credential",
    route="PUT /credentials/{id}",
    change=Change(Guard.REVERSIBLE, done="changed", touches=("credentials",)),
    access=Access.SELF_OR_ADMIN,
):
    """Change a credential, identified without its `@<source>`."""

    id: InPath[str]
    source: InBody[str | None] = field(default=None, min_length=1)
    type: InBody[CredentialType | None] = None
    domain: InBody[str | None] = field(default=None, min_length=1)
    data: Annotated[InBody[dict[str, Any] | None], SECRET, NEEDED] = None
    lease: InBody[int | None] = field(default=None, ge=0)
    user: InBody[str | None] = None
    context: InBody[UserContext | None] = None
