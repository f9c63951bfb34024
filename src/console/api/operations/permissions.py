"""Settings of users, and permissions of domains and users (contract 4.3, 5.5)."""

from __future__ import annotations

from typing import Any

from console.api.annotations import Access, Change, Guard, InBody, InPath, InQuery
from console.api.request import Request
from console.records.access import Permissions, RecordingPermission, VoicemailPermission
from console.records.fields import field
from console.records.people import UserSetting
from console.records.responses import Acknowledgement

LONGEST_VALUE = 64 * 1024
"""Most characters of the value of a setting."""


class ListSettings(
    Request[tuple[UserSetting, ...]],
    name="settings.list",
    section="4.3",
    row="List settings of user",
    route="GET /settings",
):
    """List the caller's own settings."""


class CreateSetting(
    Request[UserSetting],
    name="settings.create",
    section="4.3",
    row="Create setting",
    route="POST /settings",
    change=Change(Guard.SMALL, done="created", touches=("settings",)),
    access=Access.NAMED,
):
    """Store a value for the caller, under a key and the name of a program.

    The default `key` is the setting's id, the default `source` is `user`, the default `value` empty.
    """

    source: InBody[str | None] = None
    setting_key: InBody[str | None] = field(default=None, wire="key")
    value: InBody[str | None] = field(default=None, max_length=LONGEST_VALUE)


class GetSetting(
    Request[UserSetting],
    name="settings.get",
    section="4.3",
    row="Get setting",
    route="GET /settings/{id}",
    access=Access.SELF_OR_ADMIN,
):
    """Get a setting by its id, which has the form `<id>@<source>`."""

    id: InPath[str]


class UpdateSetting(
    Request[UserSetting],
    name="settings.update",
    section="4.3",
    row="Update setting",
    route="PUT /settings/{id}",
    change=Change(Guard.REVERSIBLE, done="changed", touches=("settings",)),
    access=Access.SELF_OR_ADMIN,
):
    """Change a setting.

    Another source changes its id.
    """

    id: InPath[str]
    source: InBody[str | None] = None
    setting_key: InBody[str | None] = field(default=None, wire="key")
    value: InBody[str | None] = field(default=None, max_length=LONGEST_VALUE)


_OF_USERS = "Get / create / update user permissions (admin)"


class GetOwnPermissions(
    Request[Permissions],
    name="permissions.own",
    section="4.3",
    row="Get own permissions",
    route="GET /permissions",
    access=Access.SELF_OR_ADMIN,
):
    """Get the effective permissions of the caller: the caller's own, completed by the domain's."""

    user_id: InQuery[str | None] = None


class _NewPermissions(Request[Any]):
    """Fields of new permissions."""

    id: InPath[str]
    recording: InBody[RecordingPermission]
    voicemail: InBody[VoicemailPermission | None] = None


class _ChangedPermissions(Request[Any]):
    """Fields of permissions that can be changed."""

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
    """Create the permissions of a domain for recording and voicemail, for users without their own."""


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
    """Change the permissions of a domain for recording and voicemail."""


class GetUserPermissions(
    Request[Permissions],
    name="user-permissions.get",
    section="4.3",
    row=_OF_USERS,
    route="GET /permissions/users/{id}",
    access=Access.ADMIN,
):
    """Get a user's own permissions, without the domain's."""

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
    """Create a user's own permissions for recording and voicemail, which replace the domain's."""


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
    """Change a user's own permissions for recording and voicemail."""
