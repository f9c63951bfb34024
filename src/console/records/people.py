"""Users, groups, sessions, tokens and capabilities (contract 2.1 to 2.4, 2.18, 2.19, 4.1 to 4.4)."""

from __future__ import annotations

from typing import Any, ClassVar, cast

from console.records.addresses import CONTRACT
from console.records.fields import field
from console.records.record import Record

AGENT_CAPABILITY = "+c2cagent"
"""The capability of agents (contract 2.2)."""
USER_ID_FIELDS = frozenset(
    {
        *("user", "owner", "agent", "agents", "user_id", "user_ids", "userId", "subscriber_id", "target_user_id"),
        *("associated_user_id", "associatedUserId", "owner_user", "participant_user", "owner_or_participant_user"),
    }
)
"""Fields of records, and inputs of requests, with the ids of users: shown and typed as names."""


class UserContext(Record):
    """The client of a login (contract 2.1)."""

    src: str | None = None
    useragent: str | None = None
    language: str | None = None
    location: str | None = None
    platform: str | None = None
    vendor: str | None = None
    device_id: str | None = None


class SessionContext(Record):
    """The client of a session (contract 2.1); further fields are kept."""

    src: str | None = None
    language: str | None = None


class User(Record):
    """A person or device of the platform (contract 2.2). Times in ms since the epoch."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    username: str | None = None
    domain: str | None = None
    role: str | None = None
    email: str | None = None
    created: int | float | None = None
    last_login: int | float | None = None
    capabilities: tuple[str, ...] = ()
    mobile_phone: tuple[str, ...] = ()
    land_line_number: str | None = None
    alias: str | None = None
    current_timezone: str | None = None
    locale: str | None = None

    @property
    def address(self) -> str:
        """The user's address in calls, presence and chats, in the form of the contract (1.5)."""
        return CONTRACT.user.of(self.id)


class UserReference(Record):
    """A reference to a user in groups, sessions and meetings (contract 2.4, 2.13, 2.18).

    It identifies the user and has no lists, which would be empty only because they are incomplete; `users.get` returns
    the rest. Additional fields of other services are kept. It is never a row, so that it may lack the id.
    """

    id: str = ""
    username: str | None = None
    domain: str | None = None
    role: str | None = None
    alias: str | None = None

    @property
    def key(self) -> str:
        """The user's id; empty if the service did not send it."""
        return self.id


class UserSetting(Record):
    """A value that a program stores for a user (contract 2.20). The id has the form `<id>@<source>`."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    source: str | None = None
    user: str | None = None
    setting_key: str | None = field(default=None, wire="key")
    """The key of the value. `key` is a property of every record."""
    value: str | None = None


class CurrentUserMetadata(Record):
    """Metadata of the current user (contract 4.3)."""

    is_at_root_domain: bool | None = None


class CurrentUser(Record):
    """The caller's own user (contract 4.3)."""

    user: User = field(default_factory=User)
    metadata: CurrentUserMetadata = field(default_factory=CurrentUserMetadata)

    @classmethod
    def prepared(cls, data: Any) -> Any:
        """Accept the user alone, as most services answer."""
        if isinstance(data, dict) and "user" not in data and ("id" in data or "username" in data):
            return {"user": cast(Any, data)}
        return cast(Any, data)


def name_of(caller: CurrentUser | None) -> str:
    """Return the user name of the caller, otherwise the id; empty if nobody is logged in."""
    return (caller.user.username or caller.user.id) if caller is not None else ""


class Session(Record):
    """An active or ended login (contract 2.4). Times in ms; `to` is -1 on sessions that were updated."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    token: str | None = field(default=None, repr=False)
    user: str | None = None
    user_obj: UserReference | None = None
    domain: str | None = None
    from_: int | float | None = field(default=None, wire="from")
    to: int | float | None = None
    expires: int | float | None = None
    registered: str | None = None
    context: SessionContext | None = None

    @classmethod
    def prepared(cls, data: Any) -> Any:
        """Accept a number in `registered` from the earlier variant, where the later one sends a text (contract 2.4)."""
        if not isinstance(data, dict):
            return data
        values = cast("dict[str, Any]", data)
        registered = values.get("registered")
        is_number = isinstance(registered, int | float) and not isinstance(registered, bool)
        return {**values, "registered": str(registered)} if is_number else values


class LoginCapabilities(Record):
    """The two capability lists of a login (contract 4.1): arrays of objects."""

    domain: tuple[Any, ...] = ()
    user: tuple[Any, ...] = ()


class Login(Record):
    """Answer to a login (contract 4.1). `expires_in` in seconds."""

    access_token: str = field(default="", wire="access_token", repr=False)
    expires_in: int | float | None = field(default=None, wire="expires_in")
    token_type: str | None = field(default=None, wire="token_type")
    session_id: str | None = field(default=None, wire="session_id")
    session: Session | None = None
    credential: dict[str, Any] | None = field(default=None, repr=False)
    capabilities: LoginCapabilities = field(default_factory=LoginCapabilities)


class BearerToken(Record):
    """An issued OAuth2 token (contract 4.2). `expires_in` in seconds."""

    access_token: str = field(default="", wire="access_token", repr=False)
    refresh_token: str | None = field(default=None, wire="refresh_token", repr=False)
    expires_in: int | float | None = field(default=None, wire="expires_in")
    token_type: str | None = field(default=None, wire="token_type")


class TokenRecord(Record):
    """A listed token of a user (contract 2.19). `expires_at` is ISO 8601 with offset."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    token: str | None = field(default=None, repr=False)
    user_id: str | None = field(default=None, wire="userID")
    client_id: str | None = None
    expires_at: str | None = None


class TokenLists(Record):
    """The tokens of a user, by kind (contract 4.2)."""

    access_tokens: tuple[TokenRecord, ...] = ()
    refresh_tokens: tuple[TokenRecord, ...] = ()


class TokenInfo(Record):
    """Description of a token (contract 2.19). `expires_in` in seconds."""

    audience: str | None = None
    scope: str | None = None
    user_id: str | None = field(default=None, wire="user_id")
    expires_in: int | float | None = field(default=None, wire="expires_in")


class Capabilities(Record):
    """Services of a domain, and capabilities of the caller (contract 4.4)."""

    domain: tuple[str, ...] = ()
    user: tuple[str, ...] = ()


class RingingStrategy(Record):
    """Order in which the members of a group are rung (contract 2.18); the contract names only `simultaneous`."""

    type: str | None = None


class Group(Record):
    """A named, ordered set of users with an owner (contract 2.18)."""

    key_field: ClassVar[str] = "group_id"

    id: str | None = None
    name: str | None = None
    group_id: str = ""
    participants: tuple[str, ...] = ()
    owner: UserReference | None = None
    chat_id: str | None = None
    ringing_strategy: RingingStrategy | None = None


class Member(Record):
    """A member of a group, for the list of members: created by the console, not sent by the service."""

    key_field: ClassVar[str] = "user_id"

    user_id: str = ""
    group_id: str = ""
    position: int = 0
    """Position in the ringing order, from 1."""
