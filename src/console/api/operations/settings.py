"""Settings of users (contract 4.3)."""

from __future__ import annotations

from console.api.annotations import Access, Change, Guard, InBody, InPath
from console.api.request import Request
from console.records.fields import field
from console.records.people import UserSetting

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
