"""Permissions of domains and users (contract 4.3, 5.5)."""

from __future__ import annotations

from typing import Any

from console.api.annotations import Access, Change, Guard, InBody, InPath, InQuery
from console.api.request import Request
from console.records.access import Permissions, RecordingPermission, VoicemailPermission
from console.records.responses import Acknowledgement

_OF_USERS = "Get / create / update user permissions (admin)"


class GetOwnPermissions(
    Request[Permissions],
    name="permissions.own",
    section="4.3",
    row="Get own permissions",
    route="GET /permissions",
    access=Access.SELF_OR_ADMIN,
):
    """Say what counts for the caller: the own permissions, and the domain's where there are none."""

    user_id: InQuery[str | None] = None


class _NewPermissions(Request[Any]):
    """What permissions begin with."""

    id: InPath[str]
    recording: InBody[RecordingPermission]
    voicemail: InBody[VoicemailPermission | None] = None


class _ChangedPermissions(Request[Any]):
    """What of permissions may change."""

    id: InPath[str]
    recording: InBody[RecordingPermission | None] = None
    voicemail: InBody[VoicemailPermission | None] = None


class GetDomainPermissions(
    Request[Permissions],
    name="domain-permissions.get",
    section="4.3",
    row="Get domain permissions (admin)",
    route="GET /permissions/domains/{id}",
    access=Access.ADMIN,
):
    """Get the permissions of a domain."""

    id: InPath[str]


class CreateDomainPermissions(
    _NewPermissions,
    Request[Acknowledgement],
    name="domain-permissions.create",
    section="4.3",
    row="Create domain permissions (admin)",
    route="POST /permissions/domains/{id}",
    change=Change(Guard.SMALL, done="created", touches=("domains",)),
    access=Access.ADMIN,
    says="Created",
):
    """Permit a domain recording and voicemail; it counts for its users who have nothing of their own."""


class UpdateDomainPermissions(
    _ChangedPermissions,
    Request[Acknowledgement],
    name="domain-permissions.update",
    section="4.3",
    row="Update domain permissions (admin)",
    route="PUT /permissions/domains/{id}",
    change=Change(Guard.REVERSIBLE, done="changed", touches=("domains",)),
    access=Access.ADMIN,
    says="OK",
):
    """Change what a domain is permitted of recording and voicemail."""


class GetUserPermissions(
    Request[Permissions],
    name="user-permissions.get",
    section="4.3",
    row=_OF_USERS,
    route="GET /permissions/users/{id}",
    access=Access.ADMIN,
):
    """Get the permissions that a user has apart from the domain's."""

    id: InPath[str]


class CreateUserPermissions(
    _NewPermissions,
    Request[Acknowledgement],
    name="user-permissions.create",
    section="4.3",
    row=_OF_USERS,
    route="POST /permissions/users/{id}",
    change=Change(Guard.SMALL, done="created", touches=("users",)),
    access=Access.ADMIN,
    says="Created",
):
    """Permit one user recording and voicemail, in place of what the domain is permitted."""


class UpdateUserPermissions(
    _ChangedPermissions,
    Request[Acknowledgement],
    name="user-permissions.update",
    section="4.3",
    row=_OF_USERS,
    route="PUT /permissions/users/{id}",
    change=Change(Guard.REVERSIBLE, done="changed", touches=("users",)),
    access=Access.ADMIN,
    says="OK",
):
    """Change what one user is permitted of recording and voicemail."""
