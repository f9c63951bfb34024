"""Handlers for OAuth2 tokens (contract 4.2)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from console.api.annotations import Variant
from console.api.operations.sessions import DropTokens, InspectToken, IssueToken, ListTokens, RevokeToken
from console.records.people import BearerToken, TokenInfo
from console.records.responses import Acknowledgement
from console.service.auth.caller import Caller
from console.service.domain import clients, people, sessions, tokens, withheld
from console.service.domain.tokens import Kind
from console.service.handlers.handler import Wire, handles
from console.service.platform import Platform
from console.service.refusal import Refusal, invalid, missing
from console.service.store.transaction import Transaction

_KINDS: dict[str, tuple[Kind, ...]] = {
    "access_token": ("access",),
    "refresh_token": ("refresh",),
    "all": ("access", "refresh"),
}


def _own(tx: Transaction, caller: Caller, request: ListTokens | DropTokens) -> bool:
    user = people.find_user(tx, request.username)
    return user is not None and user.id == caller.id


def _whose(tx: Transaction, name: str) -> str:
    user = people.find_user(tx, name)
    if user is None:
        raise missing("user", name)
    return user.id


@handles(IssueToken)
async def issue(request: IssueToken, caller: Caller, platform: Platform) -> Callable[[], BearerToken | Refusal]:
    """Issue tokens for a password, for a refresh token, or for a guest."""
    client = partial(clients.check, platform, caller, request.client_id, request.client_secret)
    caller = await platform.database.run(client)
    grant = request.grant_type or _grant_of(request)
    if grant == "anonymous":
        return partial(sessions.issue_for_guest, platform, caller)
    if grant == "refresh_token":
        if not request.refresh_token:
            raise invalid("refresh_token", "is needed for this grant_type", "required")
        return partial(sessions.issue_for_refresh, platform, caller, request.refresh_token)
    if not request.username:
        raise invalid("username", "is needed for this grant_type", "required")
    if request.password is None:
        raise invalid("password", "is needed for this grant_type", "required")
    return await sessions.issue_for_password(platform, caller, request.username, request.password, request.new_password)


def _grant_of(request: IssueToken) -> str:
    if request.refresh_token is not None:
        return "refresh_token"
    if request.username is not None or request.password is not None:
        return "password"
    raise invalid("grant_type", "must be password, refresh_token or anonymous", "required")


@handles(ListTokens, related=_own)
def list_tokens(request: ListTokens, platform: Platform, tx: Transaction) -> Wire:
    """List a user's valid tokens: with both keys in the earlier variant, with the requested keys in the later one."""
    user = _whose(tx, request.username)
    kinds = _KINDS[request.type_hint]
    shown: dict[Kind, str] = {"access": "accessTokens", "refresh": "refreshTokens"}
    listed = {kind: withheld.records(platform, tx, tokens.listed(tx, user, kind)) for kind in kinds}
    return Wire(
        {
            name: [token_record.wire() for token_record in listed.get(kind, ())]
            for kind, name in shown.items()
            if kind in kinds or platform.variant is Variant.EARLIER
        }
    )


@handles(DropTokens, related=_own)
def drop(request: DropTokens, tx: Transaction) -> Acknowledgement:
    """Delete a user's tokens. Sessions started with them continue."""
    count = tokens.drop(tx, [_whose(tx, request.username)], _KINDS[request.type_hint])
    return Acknowledgement(message=f"{count} tokens deleted")


@handles(InspectToken)
def inspect(request: InspectToken, tx: Transaction) -> TokenInfo:
    """Describe a valid token to its holder."""
    text = request.token or request.access_token
    if not text:
        raise invalid("token", "is needed", "required")
    token = tokens.find(tx, text)
    user = people.USERS.get(tx, token.user) if token else None
    if token is None or user is None or not token.alive(tx.now):
        raise invalid("token", "is invalid or expired")
    return TokenInfo(
        audience=token.client, scope=user.role, user_id=token.user, expires_in=(token.expires - tx.now) // 1000
    )


def _may_revoke(tx: Transaction, caller: Caller, request: RevokeToken) -> bool:
    """Return whether the token is the caller's, unknown, or a session token."""
    token = tokens.find(tx, request.token)
    return token is None or token.kind == "session" or token.user == caller.id


@handles(RevokeToken, related=_may_revoke)
def revoke(request: RevokeToken, tx: Transaction) -> Acknowledgement:
    """Revoke one of the caller's OAuth2 tokens; an unknown or invalid one is a success (RFC 7009)."""
    token = tokens.find(tx, request.token)
    if token is not None and token.kind != "session":
        tokens.revoke(tx, token)
    return Acknowledgement(code=200, message="revoked")
