"""Users and groups (contract 4.3)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from console.api.annotations import (
    DEPRECATED,
    LATER_ONLY,
    SECRET,
    Access,
    Change,
    Guard,
    InBody,
    InPath,
    InQuery,
    Travels,
)
from console.api.request import Request
from console.records.fields import field
from console.records.people import CurrentUser, Group, RingingStrategy, User
from console.records.record import Record
from console.records.responses import Acknowledgement, Page

Words = str | tuple[str, ...] | None
Role = Literal["user", "admin", "anonymous"]
"""The earlier variant has no `anonymous` (contract 2.2)."""


class ListUsers(
    Request[tuple[User, ...]],
    name="users.list",
    section="4.3",
    row="List users (legacy filters)",
    route="GET /users",
):
    """List users with the legacy filters.

    Users who are not admins see their own domain.
    """

    limit: InQuery[int | None] = field(default=None, ge=1)
    sort_by: InQuery[str | None] = field(default=None, wire="sort_by", pattern=r"^[A-Za-z_]+\.(asc|desc)$")
    last_item: InQuery[int | None] = field(default=None, wire="last_item")
    last_match: InQuery[str | None] = field(default=None, wire="last_match")
    logged_before: InQuery[int | None] = None
    logged_after: InQuery[int | None] = None
    created_before: InQuery[int | None] = None
    created_after: InQuery[int | None] = None
    capabilities: InQuery[tuple[str, ...] | None] = None
    username: InQuery[str | None] = None
    registered: InQuery[bool | None] = None
    ids: Annotated[InQuery[Words], LATER_ONLY] = None
    domain: Annotated[InQuery[Words], LATER_ONLY] = None
    email: Annotated[InQuery[Words], LATER_ONLY] = None
    role: Annotated[InQuery[Words], LATER_ONLY] = None
    alias: Annotated[InQuery[Words], LATER_ONLY] = None


class PageUsers(
    Request[Page[User]],
    name="users.page",
    label="list users in pages",
    section="4.3",
    row="List users (paginated)",
    route="GET /users/page",
):
    """List users in pages.

    Users who are not admins see their own domain.
    """

    sort: InQuery[
        Literal[
            "created", "email", "lastLogin", "alias", "role", "domain", "username",
            "-created", "-email", "-lastLogin", "-alias", "-role", "-domain", "-username",
        ]
    ] = "created"  # fmt: skip
    page_size: InQuery[int | None] = field(default=None, wire="page[size]", ge=1)
    page_after: InQuery[str | None] = field(default=None, wire="page[after]")
    last_login_gt: InQuery[int | None] = field(default=None, wire="lastLogin[gt]")
    last_login_lt: InQuery[int | None] = field(default=None, wire="lastLogin[lt]")
    created_gt: InQuery[int | None] = field(default=None, wire="created[gt]")
    created_lt: InQuery[int | None] = field(default=None, wire="created[lt]")
    alias: InQuery[Words] = None
    alias_partial: InQuery[str | None] = field(default=None, wire="alias[partial]")
    email: InQuery[Words] = None
    email_partial: InQuery[str | None] = field(default=None, wire="email[partial]")
    domain: InQuery[Words] = None
    domain_partial: InQuery[str | None] = field(default=None, wire="domain[partial]")
    username: InQuery[Words] = None
    username_partial: InQuery[str | None] = field(default=None, wire="username[partial]")
    mobile_phone: InQuery[str | None] = None
    mobile_phone_partial: InQuery[str | None] = field(default=None, wire="mobilePhone[partial]")
    capabilities: InQuery[tuple[str, ...] | None] = None
    registered: InQuery[bool | None] = None
    id: InQuery[Words] = None
    role: InQuery[Words] = None


class _UserFields(Request[Any]):
    """Fields of a user that can be set and changed, except name, domain and role."""

    email: InBody[str | None] = None
    capabilities: InBody[tuple[str, ...] | None] = None
    mobile_phone: InBody[tuple[str, ...] | None] = None
    land_line_number: InBody[str | None] = None
    alias: InBody[str | None] = None
    current_timezone: Annotated[InBody[str | None], LATER_ONLY] = None
    locale: Annotated[InBody[str | None], LATER_ONLY] = None


class CreateUser(
    _UserFields,
    Request[User],
    name="users.create",
    section="4.3",
    row="Create user",
    route="POST /users",
    change=Change(Guard.SMALL, done="created", touches=("users",)),
    access=Access.ADMIN,
):
    """Create a user; a `basic` credential allows logins."""

    username: InBody[str] = field(min_length=1)
    domain: InBody[str] = field(min_length=1)
    role: InBody[Role] = field(description="Usually user.")
    id: Annotated[InBody[str | None], DEPRECATED] = field(
        default=None, description="Deprecated and ignored: the service makes the id."
    )


class GetCurrentUser(
    Request[CurrentUser],
    name="users.current",
    label="get own user",
    section="4.3",
    row="Get current user",
    route="GET /users/current",
):
    """Get the caller's own user."""


class GetUser(
    Request[User],
    name="users.get",
    section="4.3",
    row="Get user",
    route="GET /users/{id}",
    access=Access.SAME_DOMAIN_OR_ADMIN,
):
    """Get a user."""

    id: InPath[str]


class UpdateUser(
    _UserFields,
    Request[User],
    name="users.update",
    section="4.3",
    row="Update user",
    route="PUT /users/{id}",
    change=Change(Guard.REVERSIBLE, done="changed", touches=("users", "agents", "skills")),
    access=Access.SELF_OR_ADMIN,
):
    """Change a user.

    Only admins can change name, domain, role and capabilities. An empty text removes a value.
    """

    id: InPath[str]
    username: InBody[str | None] = field(default=None, min_length=1)
    domain: InBody[str | None] = field(default=None, min_length=1)
    role: InBody[Role | None] = None


class ValidatePhone(
    Request[Acknowledgement],
    name="users.validate-phone",
    label="validate phone of user",
    section="4.3",
    row="Validate user's mobile phone",
    route="POST /users/{id}/validate-phone",
    change=Change(Guard.SMALL, done="validated the telephone of", touches=("users",)),
    access=Access.SELF_OR_ADMIN,
):
    """Validate a user's mobile number by the code that was sent to it."""

    id: InPath[str]
    code: Annotated[InBody[str], SECRET] = field(min_length=1)
    field: InBody[str] = field(min_length=1, description="The telephone number.")


class ListGroups(
    Request[tuple[Group, ...]],
    name="groups.list",
    section="4.3",
    row="List groups",
    route="GET /groups",
    access=Access.SELF_OR_ADMIN,
    unwrap="groupList",
):
    """List the groups that the caller, or for admins any user, owns or belongs to."""

    participating: InQuery[bool | None] = None
    target_user_id: InQuery[str | None] = None


class PageGroups(
    Request[Page[Group]],
    name="groups.page",
    label="list groups in pages",
    section="4.3",
    row="List groups (paginated)",
    route="GET /groups/page",
):
    """List groups in pages."""

    sort: InQuery[Literal["groupId", "-groupId", "name", "-name"]] = "groupId"
    page_size: InQuery[int | None] = field(default=None, wire="page[size]", ge=1)
    page_after: InQuery[str | None] = field(default=None, wire="page[after]")
    id: InQuery[str | None] = None
    name: InQuery[str | None] = None
    name_partial: InQuery[str | None] = field(default=None, wire="name[partial]")
    group_id: InQuery[str | None] = None
    group_id_partial: InQuery[str | None] = field(default=None, wire="groupId[partial]")
    owner_or_participant_user: InQuery[str | None] = None
    owner_user: InQuery[str | None] = None
    participant_user: InQuery[str | None] = None


class NewGroup(Record):
    """A group to create together with others (contract 4.3)."""

    group_id: str | None = field(default=None, min_length=1)
    name: str = field(default="", min_length=1)
    ringing_strategy: RingingStrategy | None = None


class CreateGroup(
    Request[Group],
    name="groups.create",
    section="4.3",
    row="Create group",
    route="POST /groups",
    change=Change(Guard.SMALL, done="created", touches=("groups",)),
    access=Access.NAMED,
):
    """Create a group owned by the caller.

    The default `groupId` is generated.
    """

    group_id: InBody[str | None] = field(default=None, min_length=1)
    name: InBody[str] = field(min_length=1)
    ringing_strategy: InBody[RingingStrategy | None] = None


class CreateGroups(
    Request[tuple[Group, ...]],
    name="groups.create-many",
    label="create several groups",
    section="4.3",
    row="Create several groups",
    route="POST /groups/several",
    change=Change(
        Guard.WIDE,
        done="created",
        touches=("groups",),
        warning="All of these groups are created, or none; a group cannot be deleted afterwards.",
    ),
    access=Access.NAMED,
    unwrap="groups",
):
    """Create several groups, all or none.

    An empty or missing list creates none.
    """

    groups: InBody[tuple[NewGroup, ...]] = ()


class LeaveGroups(
    Request[Acknowledgement],
    name="groups.leave-all",
    label="leave all groups",
    section="4.3",
    row="Leave all groups",
    route="POST /groups/leave",
    change=Change(
        Guard.WIDE, done="left", touches=("users", "groups"), mass=True, warning="The user leaves every group at once."
    ),
    access=Access.SELF_OR_ADMIN,
    says="No Content",
):
    """Remove the caller, or for admins any user, from all groups."""

    target_user_id: InBody[str | None] = None


class GetGroup(
    Request[Group],
    name="groups.get",
    section="4.3",
    row="Get group",
    route="GET /groups/{groupId}",
    access=Access.GROUP_MEMBER_OR_ADMIN,
):
    """Get a group."""

    group_id: InPath[str]


class UpdateGroup(
    Request[Acknowledgement],
    name="groups.update",
    section="4.3",
    row="Update group",
    route="PUT /groups/{groupId}",
    change=Change(Guard.REVERSIBLE, done="changed", touches=("groups",), renames=("new_group_id", "group_id")),
    access=Access.GROUP_OWNER,
    says="No Content",
):
    """Change a group's name, ids, members, owner or ringing strategy.

    Another `groupId` in the body renames the group; a SIP mapping is updated.
    """

    group_id: InPath[str]
    id: InBody[str | None] = None
    new_group_id: Annotated[InBody[str | None], Travels("groupId")] = field(
        default=None, min_length=1, description="The groupId from now on."
    )
    name: InBody[str | None] = field(default=None, min_length=1)
    participants: InBody[tuple[str, ...] | None] = None
    owner: InBody[User | None] = None
    ringing_strategy: InBody[RingingStrategy | None] = None


class AddParticipant(
    Request[Acknowledgement],
    name="groups.add",
    label="add user to group",
    section="4.3",
    row="Add participant",
    route="POST /groups/{groupId}/participants",
    change=Change(Guard.REVERSIBLE, done="added a member to", touches=("groups",)),
    access=Access.GROUP_OWNER,
    says="No Content",
):
    """Add a user to a group."""

    group_id: InPath[str]
    target_user_id: InBody[str]


class RemoveParticipant(
    Request[Acknowledgement],
    name="groups.remove",
    label="remove user from group",
    section="4.3",
    row="Remove participant",
    route="POST /groups/{groupId}/participants/remove",
    change=Change(Guard.REVERSIBLE, done="removed a member from", touches=("groups",)),
    access=Access.GROUP_OWNER_OR_SELF,
    says="No Content",
):
    """Remove a user from a group, by default the caller."""

    group_id: InPath[str]
    target_user_id: InBody[str | None] = None


class ReorderParticipants(
    Request[Acknowledgement],
    name="groups.reorder",
    label="reorder members of group",
    section="4.3",
    row="Reorder participants",
    route="PUT /groups/{groupId}/participants",
    change=Change(Guard.REVERSIBLE, done="reordered", touches=("groups",)),
    access=Access.GROUP_OWNER,
    says="No Content",
):
    """Change the order of a group's members, who must stay the same."""

    group_id: InPath[str]
    participants: InBody[tuple[str, ...]]


class ClearParticipants(
    Request[Acknowledgement],
    name="groups.clear",
    section="4.3",
    row="Remove all participants",
    route="DELETE /groups/{groupId}/participants",
    change=Change(
        Guard.WIDE, done="removed all members from", touches=("groups",), warning="All members leave the group."
    ),
    access=Access.GROUP_OWNER,
    says="No Content",
):
    """Remove all members from a group."""

    group_id: InPath[str]
