"""Login, sessions, OAuth2 tokens and registered clients (contract 4.1, 4.2)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from console.api.annotations import EARLIER_ONLY, SECRET, Access, Change, Guard, InBody, InPath, InQuery
from console.api.request import Request
from console.records.access import OAuthClient
from console.records.fields import field
from console.records.people import (
    BearerToken,
    Login,
    Session,
    SessionContext,
    TokenInfo,
    TokenLists,
    UserContext,
)
from console.records.responses import Acknowledgement

TokenHint = Literal["access_token", "refresh_token", "all"]


class StartSession(
    Request[Login],
    name="sessions.start",
    section="4.1",
    row="Start authenticated session",
    route="POST /sessions/start",
    change=Change(Guard.SMALL, done="started", touches=("sessions",)),
    access=Access.ANYONE,
    answers_secret=True,
):
    """Start a session with an OAuth2 token, or an anonymous one with an empty token.

    The default token is empty.
    """

    token: Annotated[InBody[str], SECRET] = ""
    context: InBody[UserContext | None] = None
    provider: Annotated[InBody[str | None], EARLIER_ONLY] = None


class ResumeSession(
    Request[Login],
    name="sessions.resume",
    section="4.1",
    row="Log in with an existing session",
    route="POST /sessions/resume",
    change=Change(Guard.SMALL, done="resumed", unnamed="an existing session", touches=("sessions",)),
    access=Access.ANYONE,
    answers_secret=True,
):
    """Log in again with the token of an active session."""

    token: Annotated[InBody[str], SECRET] = field(min_length=1)
    context: InBody[UserContext | None] = None


class _SessionFilters(Request[Any]):
    """Filters of both lists of sessions. The contract defines `users`, `sort` and `limit`; the others are
    additional.
    """

    sort: InQuery[Literal["createdAt", "-createdAt"] | None] = None
    limit: InQuery[int | None] = field(default=None, ge=1)
    session_id: InQuery[str | None] = field(default=None, wire="id")
    token: Annotated[InQuery[str | None], SECRET] = None
    user: InQuery[str | None] = None
    domain: InQuery[str | None] = None
    from_: InQuery[int | None] = field(default=None, wire="from")
    to: InQuery[int | None] = None
    expires_in: InQuery[int | None] = None
    signaling_user: InQuery[str | None] = None
    push_token: Annotated[InQuery[str | None], SECRET] = None
    created_since: InQuery[int | None] = None
    created_until: InQuery[int | None] = None


class ListSessions(
    _SessionFilters,
    Request[tuple[Session, ...]],
    name="sessions.list",
    section="4.1",
    row="List all sessions",
    route="GET /sessions",
    access=Access.ADMIN,
):
    """List the sessions of all users."""

    users: InQuery[tuple[str, ...] | None] = None


class ListOwnSessions(
    _SessionFilters,
    Request[tuple[Session, ...]],
    name="sessions.own",
    label="list own sessions",
    section="4.1",
    row="List own sessions",
    route="GET /sessions/own",
):
    """List the caller's own sessions."""


class CreateSession(
    Request[Session],
    name="sessions.create",
    section="4.1",
    row="Create session",
    route="POST /sessions",
    change=Change(Guard.SMALL, done="created", touches=("sessions",)),
    answers_secret=True,
):
    """Create another session for the caller."""

    context: InBody[SessionContext | None] = None


class GetSession(
    Request[Session],
    name="sessions.get",
    section="4.1",
    row="Get session",
    route="GET /sessions/{id}",
    access=Access.SELF_OR_ADMIN,
):
    """Get a session."""

    id: InPath[str]


class UpdateSession(
    Request[Session],
    name="sessions.update",
    section="4.1",
    row="Update session",
    route="PUT /sessions/{id}",
    change=Change(Guard.REVERSIBLE, done="changed", touches=("sessions",)),
    access=Access.SELF_OR_ADMIN,
):
    """Change a session."""

    id: InPath[str]
    domain: InBody[str | None] = None
    from_: InBody[int | None] = field(default=None, wire="from")
    context: InBody[SessionContext | None] = None


class RevokeSession(
    Request[Session],
    name="sessions.revoke",
    section="4.1",
    row="Revoke session",
    route="POST /sessions/revoke",
    change=Change(
        Guard.WIDE, done="ended", touches=("sessions",), mass=True, warning="The session ends at once and for good."
    ),
    access=Access.SELF_OR_ADMIN,
):
    """End a session, by default the caller's own."""

    id: InBody[str | None] = None


class UpdateSessions(
    Request[tuple[Session, ...]],
    name="sessions.update-many",
    label="update several sessions",
    section="4.1",
    row="Bulk update sessions",
    route="POST /sessions/update",
    change=Change(
        Guard.WIDE,
        done="changed",
        unnamed="several sessions",
        touches=("sessions",),
        warning="All of these sessions are changed at once.",
    ),
    access=Access.ADMIN,
):
    """Change several sessions.

    Without `ids`, none is changed; without `data`, only `to` becomes -1.
    """

    ids: InBody[tuple[str, ...]] = ()
    data: InBody[dict[str, Any]] = field(default_factory=dict[str, Any])


class ValidateSession(
    Request[Acknowledgement],
    name="sessions.validate",
    section="4.1",
    row="Validate username and token",
    route="GET /sessions/validate",
    access=Access.ANYONE,
    says="OK",
    error_shape="validation",
):
    """Check that a session token belongs to a user."""

    username: InQuery[str] = field(min_length=3)
    token: Annotated[InQuery[str], SECRET] = field(min_length=33)


class ListTokens(
    Request[TokenLists],
    name="tokens.list",
    label="list OAuth2 tokens of user",
    section="4.2",
    row="List tokens of a user",
    route="GET /oauth2/tokens",
    access=Access.SELF_OR_ADMIN,
):
    """List the OAuth2 tokens of a user."""

    username: InQuery[str]
    type_hint: InQuery[TokenHint] = field(default="access_token", wire="type_hint")


class IssueToken(
    Request[BearerToken],
    name="tokens.issue",
    section="4.2",
    row="Issue a bearer token",
    route="POST /oauth2/token",
    change=Change(Guard.SMALL, done="issued", touches=("tokens",)),
    access=Access.ANYONE,
    error_shape="oauth",
    answers_secret=True,
    takes_form=True,
):
    """Issue an OAuth2 token for a user name and password, for a refresh token, or for an anonymous guest.

    Without a `grant_type`, it follows from the other inputs: `refresh_token`, or `username` and `password`; without any
    of them, the request is refused with 400. `new_password` replaces the password, which is required for a temporary
    one. A registered client sends its id and secret by HTTP Basic or as `client_id` and `client_secret`; wrong ones are
    refused with 401.
    """

    grant_type: InBody[Literal["password", "anonymous", "refresh_token"] | None] = field(
        default=None, wire="grant_type"
    )
    username: InBody[str | None] = None
    password: Annotated[InBody[str | None], SECRET] = None
    new_password: Annotated[InBody[str | None], SECRET] = field(default=None, wire="new_password", min_length=1)
    refresh_token: Annotated[InBody[str | None], SECRET] = field(default=None, wire="refresh_token")
    client_id: InBody[str | None] = field(default=None, wire="client_id")
    client_secret: Annotated[InBody[str | None], SECRET] = field(default=None, wire="client_secret")


class DropTokens(
    Request[Acknowledgement],
    name="tokens.drop",
    label="delete all tokens of user",
    section="4.2",
    row="Delete tokens of a user",
    route="DELETE /oauth2/tokens",
    change=Change(
        Guard.MASS,
        done="deleted",
        touches=("tokens",),
        warning="All OAuth2 tokens of the user stop working at once and for good.",
    ),
    access=Access.SELF_OR_ADMIN,
    error_shape="message",
):
    """Delete all OAuth2 tokens of a user."""

    username: InQuery[str]
    type_hint: InQuery[TokenHint] = field(default="access_token", wire="type_hint")


class InspectToken(
    Request[TokenInfo],
    name="tokens.inspect",
    section="4.2",
    row="Token information",
    route="GET /oauth2/tokeninfo",
):
    """Get the user and the remaining validity of a token."""

    token: Annotated[InQuery[str | None], SECRET] = None
    access_token: Annotated[InQuery[str | None], SECRET] = field(default=None, wire="access_token")


class RevokeToken(
    Request[Acknowledgement],
    name="tokens.revoke",
    section="4.2",
    row="Revoke a token",
    route="POST /oauth2/revoke",
    change=Change(
        Guard.WIDE,
        done="revoked",
        touches=("tokens",),
        mass=True,
        warning="The token stops working at once and for good.",
    ),
    access=Access.SELF_OR_ADMIN,
    takes_form=True,
):
    """Revoke an OAuth2 token."""

    token: Annotated[InBody[str], SECRET]
    token_type_hint: InBody[Literal["access_token", "refresh_token"]] = field(
        default="access_token", wire="token_type_hint"
    )


class ListClients(
    Request[tuple[OAuthClient, ...]],
    name="clients.list",
    section="4.2",
    row="List clients",
    route="GET /oauth2/clients",
    access=Access.ADMIN,
):
    """List the registered OAuth2 clients, without their secrets."""


class RegisterClient(
    Request[OAuthClient],
    name="clients.register",
    section="4.2",
    row="Register client",
    route="POST /oauth2/clients",
    change=Change(Guard.SMALL, done="registered", touches=("clients",)),
    access=Access.ADMIN,
    answers_secret=True,
):
    """Register an OAuth2 client and return its id and secret."""

    name: InBody[str | None] = None
    redirect_uri: InBody[str | None] = field(default=None, wire="redirectURI")


class GetClient(
    Request[OAuthClient],
    name="clients.get",
    section="4.2",
    row="Get client",
    route="GET /oauth2/clients/{id}",
    access=Access.ADMIN,
    answers_secret=True,
):
    """Get an OAuth2 client with its secret."""

    id: InPath[str]
