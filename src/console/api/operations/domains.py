"""Domains, their services, cloud directories and credentials of users (contract 4.4)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from console.api.annotations import (
    IN_SECONDS,
    LATER_ONLY,
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
from console.records.domains import Confirmation, DirectoryCredentials, Domain
from console.records.fields import field
from console.records.people import Capabilities, UserContext

LONGEST_TEXT = 255
"""Most characters of each text of a cloud directory's credentials (contract 8)."""


class ListDomains(
    Request[tuple[Domain, ...]],
    name="domains.list",
    section="4.4",
    row="List domains",
    route="GET /domains",
    access=Access.NAMED,
):
    """List domains: all for admins, their own for users."""

    name: Annotated[InQuery[str | None], LATER_ONLY] = None


class _DomainFields(Request[Any]):
    """Fields of a domain that can be set and changed."""

    domain: InBody[str] = field(min_length=1)
    parent: InBody[str | None] = None
    origins: InBody[tuple[str, ...] | None] = None
    enable_anonymous: InBody[bool | None] = None
    anonymous_capabilities: InBody[tuple[str | tuple[str, ...], ...] | None] = field(
        default=None, description="Texts in the later variant, arrays of texts in the earlier one."
    )
    services: InBody[dict[str, tuple[str, ...]] | None] = None


class CreateDomain(
    _DomainFields,
    Request[Domain],
    name="domains.create",
    section="4.4",
    row="Create domain",
    route="POST /domains",
    change=Change(Guard.SMALL, done="created", touches=("domains",)),
    access=Access.ADMIN,
):
    """Create a domain below another, by default below the caller's own."""


class GetDomain(
    Request[Domain],
    name="domains.get",
    section="4.4",
    row="Get domain",
    route="GET /domains/{id}",
    access=Access.SAME_DOMAIN_OR_ADMIN,
):
    """Get a domain."""

    id: InPath[str]


class UpdateDomain(
    _DomainFields,
    Request[Domain],
    name="domains.update",
    section="4.4",
    row="Update domain",
    route="PUT /domains/{id}",
    change=Change(
        Guard.REVERSIBLE, done="changed", touches=("domains", "users", "groups", "sessions"), renames=("domain", "id")
    ),
    access=Access.ADMIN,
):
    """Change the given fields of a domain.

    Another `domain` renames it: its id, users, sessions and all other references change at once, and users log in with
    the new name.
    """

    id: InPath[str]


class GetCapabilities(
    Request[Capabilities],
    name="capabilities.get",
    section="4.4",
    row="Get capabilities",
    route="GET /capabilities",
    access=Access.SAME_DOMAIN_OR_ADMIN,
):
    """Get the services of a domain and the capabilities of the caller."""

    domain: InQuery[str | None] = None


class CreateDirectoryCredentials(
    Request[DirectoryCredentials],
    name="directory-credentials.create",
    label="create directory credentials",
    section="4.4",
    row="Create cloud directory credentials",
    route="POST /directory-credentials",
    change=Change(Guard.SMALL, done="created", touches=("directory-credentials",)),
    access=Access.ADMIN,
    answers_secret=True,
):
    """Create the cloud directory credentials of a domain."""

    domain: InBody[str] = field(min_length=1, max_length=LONGEST_TEXT)
    client_id: InBody[str] = field(min_length=1, max_length=LONGEST_TEXT)
    client_secret: Annotated[InBody[str], SECRET] = field(min_length=1, max_length=LONGEST_TEXT)
    domain_tenant_id: InBody[str] = field(min_length=1, max_length=LONGEST_TEXT)


class GetDirectoryCredentials(
    Request[DirectoryCredentials],
    name="directory-credentials.get",
    label="get directory credentials",
    section="4.4",
    row="Get them by domain",
    route="GET /directory-credentials/{domain}",
    access=Access.ADMIN,
    answers_secret=True,
):
    """Get the cloud directory credentials of a domain."""

    domain: InPath[str]


class UpdateDirectoryCredentials(
    Request[DirectoryCredentials],
    name="directory-credentials.update",
    label="update directory credentials",
    section="4.4",
    row="Update them",
    route="PUT /directory-credentials/{domain}",
    change=Change(Guard.REVERSIBLE, done="changed", touches=("directory-credentials",)),
    access=Access.ADMIN,
    answers_secret=True,
):
    """Change the cloud directory credentials of a domain."""

    domain: InPath[str]
    client_id: InBody[str | None] = field(default=None, min_length=1, max_length=LONGEST_TEXT)
    client_secret: Annotated[InBody[str | None], SECRET] = field(default=None, min_length=1, max_length=LONGEST_TEXT)
    domain_tenant_id: InBody[str | None] = field(default=None, min_length=1, max_length=LONGEST_TEXT)


class DeleteDirectoryCredentials(
    Request[Confirmation],
    name="directory-credentials.delete",
    label="delete directory credentials",
    section="4.4",
    row="Delete them",
    route="DELETE /directory-credentials/{domain}",
    change=Change(
        Guard.WIDE,
        done="deleted",
        touches=("directory-credentials",),
        mass=True,
        warning="The platform no longer reaches the domain's cloud directory, and the secret is lost.",
    ),
    access=Access.ADMIN,
    error_shape="message",
):
    """Delete the cloud directory credentials of a domain."""

    domain: InPath[str]


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
    """List the caller's credentials, or for admins a user's credentials, without secrets."""

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
