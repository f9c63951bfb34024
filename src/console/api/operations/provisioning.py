"""The provisioning service: users of the identity system, domains and caller ids (provisioning contract 4)."""

from __future__ import annotations

from typing import Annotated, Any

from console.api.annotations import LATER_ONLY, Access, Change, Guard, InBody, InPath, InQuery, Service, Variant
from console.api.request import Answer, Request
from console.records.fields import field
from console.records.provisioning import (
    CallerId,
    CallerIdPage,
    DomainLogout,
    ProvisionedAttributes,
    ProvisionedCredentials,
    ProvisionedDomain,
    ProvisionedUser,
)
from console.records.responses import Acknowledgement

SECTION = "provisioning 4"
LONGEST_NAME = 255


class ProvisioningRequest(Request[Answer]):
    """An operation of the provisioning service: for admins, with wire names equal to the field names."""

    @classmethod
    def wire_name(cls, field: str) -> str:
        """Return the field's own name."""
        return field

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Declare the operation with what all of this service have in common."""
        if "name" in kwargs:
            kwargs |= {"section": SECTION, "service": Service.PROVISIONING, "access": Access.ADMIN}
            kwargs |= {"error_shape": "error"}
        super().__init_subclass__(**kwargs)


class ListProvisionedDomains(
    ProvisioningRequest[tuple[ProvisionedDomain, ...]],
    name="provisioning-domains.list",
    label="list provisioning domains",
    row="List domains",
    route="GET /domains",
    unwrap="domains",
):
    """List all domains, or those with a name."""

    name: InQuery[str | None] = None
    name_contains: Annotated[InQuery[str | None], LATER_ONLY] = field(default=None, wire="nameContains")


class NewProvisionedDomain(ProvisionedDomain):
    """A domain to create (provisioning contract 4)."""

    domain: str | None = field(default="", min_length=1, max_length=LONGEST_NAME)


class CreateProvisionedDomain(
    ProvisioningRequest[ProvisionedDomain],
    name="provisioning-domains.create",
    label="create provisioning domain",
    row="Create domain",
    route="POST /domains",
    change=Change(Guard.SMALL, done="created", touches=("provisioning-domains",)),
    unwrap="domain",
):
    """Create a domain, also in the core service."""

    domain: InBody[NewProvisionedDomain]


class UpdateProvisionedDomain(
    ProvisioningRequest[ProvisionedDomain],
    name="provisioning-domains.update",
    label="update provisioning domain",
    row="Update domain",
    route="PUT /domains/{id}",
    change=Change(
        Guard.REVERSIBLE,
        done="changed",
        touches=("provisioning-domains", "users", "groups", "sessions"),
        renames=("domain", "id"),
    ),
    unwrap="domain",
):
    """Change the given fields of a domain, also in the core service."""

    id: InPath[str]
    domain: InBody[str | None] = field(default=None, min_length=1, max_length=LONGEST_NAME)
    enable_anonymous: InBody[bool | None] = None
    anonymous_capabilities: Annotated[InBody[tuple[str, ...] | None], LATER_ONLY] = None
    origins: InBody[tuple[str, ...] | None] = None
    parent: InBody[str | None] = None
    services: InBody[dict[str, tuple[str, ...]] | None] = None
    remote_sip_register: Annotated[InBody[bool | None], LATER_ONLY] = None


class LogOutDomain(
    ProvisioningRequest[DomainLogout],
    name="provisioning-domains.logout",
    label="end all sessions of domain",
    row="Logout all users of a domain",
    route="POST /domains/{id}/logout",
    change=Change(
        Guard.MASS,
        done="ended all sessions of",
        touches=("provisioning-domains", "sessions"),
        warning="All sessions and tokens of the domain's users end for good; the session you work in stays.",
    ),
):
    """End all sessions and tokens of a domain's users, except the requesting session.

    All logins become invalid at once; the records are cleaned up in the background. Repeated requests return the
    progress, which is also on the event topic `domain_logouts`.
    """

    id: InPath[str]


class ListProvisionedUsers(
    ProvisioningRequest[tuple[ProvisionedUser, ...]],
    name="provisioning-users.list",
    label="list provisioning users",
    row="List users",
    route="GET /users",
    unwrap="users",
):
    """List the users of the identity system by domain and name.

    Pages start at 1. Without `exact`, `email` and `username` match any part.
    """

    email: InQuery[str | None] = None
    username: InQuery[str | None] = None
    exact: InQuery[bool] = False
    phone_number: InQuery[str | None] = None
    domain: InQuery[str | None] = None
    email_verified: Annotated[InQuery[bool | None], LATER_ONLY] = None
    page_size: Annotated[InQuery[int | None], LATER_ONLY] = field(default=None, wire="paginate[max]", ge=1, le=1000)
    page: Annotated[InQuery[int | None], LATER_ONLY] = field(default=None, wire="paginate[page]", ge=1)


class NewProvisionedUser(ProvisionedUser):
    """A user to create, with a credential (provisioning contract 2.2, 4)."""

    username: str | None = field(default="", min_length=1, max_length=LONGEST_NAME)
    credentials: ProvisionedCredentials | None = None


class CreateProvisionedUser(
    ProvisioningRequest[ProvisionedUser],
    name="provisioning-users.create",
    label="create provisioning user",
    row="Create user",
    route="POST /users",
    change=Change(Guard.SMALL, done="created", touches=("provisioning-users", "users")),
    unwrap="user",
):
    """Create a user in the identity system and in the core service, with a SIP mapping if given.

    All or nothing is created. A `temporary` password must be changed before the first login.
    """

    user: InBody[NewProvisionedUser]


class GetProvisionedUser(
    ProvisioningRequest[ProvisionedUser],
    name="provisioning-users.get",
    label="get provisioning user",
    row="Get user",
    route="GET /users/{domain}/{username}",
):
    """Get a user of the identity system."""

    domain: InPath[str]
    username: InPath[str]


class UpdateProvisionedUser(
    ProvisioningRequest[ProvisionedUser],
    name="provisioning-users.update",
    label="update provisioning user",
    row="Update user",
    route="PUT /users/{id}",
    change=Change(Guard.REVERSIBLE, done="changed", touches=("provisioning-users", "users")),
    unwrap="user",
):
    """Change the given fields of a user and its attributes, also in the core service.

    `enabled` false ends all sessions; `credentials` set a new password.
    """

    id: InPath[str]
    attributes: InBody[ProvisionedAttributes | None] = None
    email: InBody[str | None] = None
    enabled: InBody[bool | None] = None
    first_name: InBody[str | None] = None
    last_name: InBody[str | None] = None
    username: InBody[str | None] = field(default=None, min_length=1, max_length=LONGEST_NAME)
    email_verified: Annotated[InBody[bool | None], LATER_ONLY] = None
    credentials: InBody[ProvisionedCredentials | None] = None


class LogOutDomainOfUsers(
    ProvisioningRequest[DomainLogout],
    name="provisioning-users.logout-domain",
    label="end all sessions of domain users",
    row="Logout all users of a domain (repeated under users)",
    route="POST /users/domain/{id}/logout",
    change=Change(
        Guard.MASS,
        done="ended all sessions of",
        touches=("provisioning-domains", "sessions"),
        warning="All sessions and tokens of the domain's users end for good; the session you work in stays.",
    ),
):
    """End all sessions and tokens of a domain's users, as `provisioning-domains.logout`."""

    id: InPath[str]


class LogOutUser(
    ProvisioningRequest[Acknowledgement],
    name="provisioning-users.logout",
    label="end all sessions of user",
    row="Logout a single user",
    route="POST /users/{id}/logout",
    change=Change(
        Guard.WIDE,
        done="ended all sessions of",
        touches=("provisioning-users", "sessions"),
        mass=True,
        warning="All sessions and tokens of the user end at once and for good.",
    ),
    says="OK",
):
    """End all sessions and tokens of a user."""

    id: InPath[str]


class ListCallerIds(
    ProvisioningRequest[CallerIdPage],
    name="caller-ids.list",
    row="List caller-id table entries",
    route="GET /caller-ids",
    variant=Variant.LATER,
):
    """List the caller-id table by name.

    Pages start at 1. The administrator must have activated it.
    """

    page_size: InQuery[int | None] = field(default=None, wire="paginate[max]", ge=1, le=1000)
    page: InQuery[int | None] = field(default=None, wire="paginate[page]", ge=1)
    name_contains: InQuery[str | None] = field(default=None, wire="nameContains")
    value_contains: InQuery[str | None] = field(default=None, wire="valueContains")


class CreateCallerId(
    ProvisioningRequest[CallerId],
    name="caller-ids.create",
    row="Create caller-id table entry",
    route="POST /caller-ids",
    change=Change(Guard.SMALL, done="created", touches=("caller-ids",)),
    variant=Variant.LATER,
):
    """Add an entry to the caller-id table.

    The administrator must have activated it.
    """

    name: InBody[str] = field(min_length=1, max_length=LONGEST_NAME)
    value: InBody[str] = field(min_length=1, max_length=LONGEST_NAME)
