"""Sources of OAuth2 tokens: the service itself, a token endpoint (RFC 6749), or a command of an identity provider."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol, TypeVar, cast
from urllib.parse import quote_plus, urlencode

from console.api.errors import ApiError, BadAnswer, BadRequest, Forbidden, LoginNeeded, NewPasswordNeeded, Refused
from console.api.operations.sessions import IssueToken
from console.api.request import Request
from console.base.clock import Clock
from console.base.frozen import Frozen
from console.client.endpoint import Endpoint, TokenEndpoint
from console.client.errors import SentRequest, fault, not_json
from console.client.explaining import TOKEN_ENDPOINT as OPERATION
from console.client.explaining import explain
from console.client.http import Http, can_be_sent

A = TypeVar("A")


class Asking(Protocol):
    """Sends a request with exactly this token and without a retry."""

    def __call__(self, request: Request[A], token: str | None, /) -> Awaitable[A]:
        """Send a request once. Raise `api.errors`."""
        ...


class Issued(Frozen):
    """An OAuth2 token, with the data for its renewal."""

    access: str
    refresh: str | None = None
    seconds: float | None = None
    """How long it is valid; None if unknown."""

    def __repr__(self) -> str:
        """Omit the tokens."""
        return f"Issued(seconds={self.seconds})"


class TokenSource(Protocol):
    """Issues OAuth2 tokens."""

    of_service: bool
    """Whether the service issues them, so that it can revoke them."""

    async def issue(self, username: str, password: str) -> Issued:
        """Return a token for this login; a source that needs none ignores it. Raise `api.errors`."""
        ...

    async def refresh(self, token: str) -> Issued:
        """Return a token for a refresh token. Raise `api.errors`."""
        ...


class ServiceTokens:
    """Tokens of the service: `tokens.issue` (contract 4.2)."""

    of_service = True

    def __init__(self, asking: Asking, deployment: Endpoint | None = None) -> None:
        self._asking = asking
        self._deployment = deployment

    async def issue(self, username: str, password: str, new_password: str | None = None) -> Issued:
        """Return a token for a password, which is replaced by `new_password`. Raise `api.errors`."""
        request = IssueToken(grant_type="password", username=username, password=password, new_password=new_password)
        try:
            return await self._issued(request)
        except Refused as error:
            # OAuth2 servers refuse a password with 400, some with 200; either is a failed login.
            if not isinstance(error, BadRequest | Forbidden) and (error.status or 0) >= 300:
                raise
            if error.advice is not None:
                raise
            refused = NewPasswordNeeded if _NEW_PASSWORD in error.in_full else LoginNeeded
            reason = error.in_full if new_password else error.reason
            raise refused(reason, operation=error.operation, status=error.status).caused_by(error) from error

    async def refresh(self, token: str) -> Issued:
        """Return a token for a refresh token. Raise `api.errors`."""
        return await self._issued(IssueToken(grant_type="refresh_token", refresh_token=token))

    async def _issued(self, request: IssueToken) -> Issued:
        came = await self._asking(request, None)
        try:
            return checked(
                Issued(came.access_token, came.refresh_token, came.expires_in), "the service", "tokens.issue"
            )
        except BadAnswer as error:
            if self._deployment is not None:
                explain(error, self._deployment, IssueToken.operation)
            raise


_NEW_PASSWORD = "new_password"
"""The input of `tokens.issue` for a new password; a refusal with this name refers to it."""


class EndpointTokens:
    """Tokens of a token endpoint (RFC 6749), which may be on another host than the service."""

    of_service = False

    def __init__(self, deployment: Endpoint, endpoint: TokenEndpoint, http: Http, clock: Clock) -> None:
        self._deployment = deployment
        self._endpoint = endpoint
        self._http = http
        self._clock = clock

    async def issue(self, username: str, password: str) -> Issued:
        """Return a token by the grant of the endpoint. Raise `api.errors`."""
        if self._endpoint.grant == "client_credentials":
            return await self._asked({"grant_type": "client_credentials"}, ())
        parameters = {"grant_type": "password", "username": username, "password": password}
        return await self._asked(parameters, (password,))

    async def refresh(self, token: str) -> Issued:
        """Return a token for a refresh token. Raise `api.errors`."""
        return await self._asked({"grant_type": "refresh_token", "refresh_token": token}, (token,))

    async def _asked(self, parameters: Mapping[str, str], secrets: tuple[str, ...]) -> Issued:
        endpoint = self._endpoint
        secret = await asyncio.to_thread(endpoint.client_secret) if endpoint.client_secret is not None else None
        sent = {**endpoint.parameters, **parameters}
        headers: dict[str, str] = {}
        if endpoint.scope is not None:
            sent["scope"] = endpoint.scope
        if secret is not None and not endpoint.client_in_body:
            headers["Authorization"] = basic(endpoint.client_id or "", secret)
        elif endpoint.client_id is not None:
            sent["client_id"] = endpoint.client_id
            sent |= {"client_secret": secret} if secret is not None else {}
        try:
            return await self._exchanged(sent, headers)
        except ApiError as error:
            error.operation = OPERATION
            explain(error, self._deployment, None)
            error.hide((*secrets, secret or "", headers.get("Authorization", "").removeprefix("Basic ")))
            raise

    async def _exchanged(self, sent: Mapping[str, str], headers: dict[str, str]) -> Issued:
        asked = SentRequest("POST", self._endpoint.url)
        headers["Content-Type"] = "application/json" if self._endpoint.json else "application/x-www-form-urlencoded"
        body = (json.dumps(sent) if self._endpoint.json else urlencode(sent)).encode()
        came = await self._http.exchange("POST", asked.url, headers=headers, body=body)
        data = _members(came.body)
        if (code := data.get("error")) and isinstance(code, str) and came.status in {200, 400, 401, 403}:
            raise _refusal(code, data.get("error_description"), came.status, refreshing="refresh_token" in sent)
        if not 200 <= came.status < 300:
            raise fault(came.status, came.body, came.headers, asked, self._clock.now_ms())
        if not data:
            raise not_json(came.status, came.body, came.headers, asked)
        issued = _issued(data)
        if not issued.access:
            names = ", ".join(list(data)[:12])
            raise BadAnswer(f"the token endpoint issued no access_token, only {names[:200]}")
        return checked(issued, "the token endpoint", OPERATION)


class CommandTokens:
    """Tokens that a command prints. It is called again when one is refused."""

    of_service = False

    def __init__(self, command: Callable[[], str]) -> None:
        self._command = command

    async def issue(self, username: str, password: str) -> Issued:
        """Return the token that the command prints. Raise LoginNeeded."""
        return checked(Issued(await asyncio.to_thread(self._command)), "login.command", OPERATION)

    async def refresh(self, token: str) -> Issued:
        """Raise LoginNeeded: a command prints no refresh tokens."""
        raise LoginNeeded("login.command prints no refresh tokens", operation=OPERATION)


def source_of(deployment: Endpoint, asking: Asking, http: Http, clock: Clock) -> TokenSource:
    """Return the source of tokens that a deployment uses."""
    method = deployment.login
    if method.command is not None:
        return CommandTokens(method.command)
    if method.endpoint is not None:
        return EndpointTokens(deployment, method.endpoint, http, clock)
    return ServiceTokens(asking, deployment)


def checked(issued: Issued, issuer: str, operation: str) -> Issued:
    """Return a token that can be sent. Raise BadAnswer for another."""
    if not issued.access:
        raise BadAnswer(f"{issuer} issued no access_token", operation=operation)
    if not can_be_sent(issued.access):
        raise BadAnswer(f"{issuer} issued a token that is not ASCII", operation=operation)
    return issued


def basic(client_id: str, secret: str) -> str:
    """Return the header of a client's id and secret (RFC 6749, 2.3.1)."""
    pair = f"{quote_plus(client_id)}:{quote_plus(secret)}"
    return f"Basic {base64.b64encode(pair.encode()).decode()}"


def _members(body: bytes) -> Mapping[str, Any]:
    """Return the members of a JSON object; none for another body."""
    try:
        data: Any = json.loads(body[:_LARGEST])
    except (ValueError, RecursionError):
        return {}
    return cast("Mapping[str, Any]", data) if isinstance(data, dict) else {}


_LARGEST = 1_048_576


def _issued(data: Mapping[str, Any]) -> Issued:
    access, refresh = data.get("access_token"), data.get("refresh_token")
    return Issued(
        access if isinstance(access, str) else "",
        refresh if isinstance(refresh, str) and refresh else None,
        _seconds(data.get("expires_in")),
    )


def _seconds(value: object) -> float | None:
    """Return a lifetime; some servers send it as text."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        seconds = float(value)
    except (ValueError, OverflowError):
        return None
    return seconds if 0 < seconds < _LONGEST_LIFE else None


_LONGEST_LIFE = 10 * 365 * 86_400.0


def _refusal(code: str, description: object, status: int, *, refreshing: bool) -> Refused:
    """Return the error for a refusal of a token endpoint (RFC 6749, 5.2)."""
    answer = f"{code}: {description}" if isinstance(description, str) and description else code
    text = _REFUSALS.get(code, "the token endpoint refused the login")
    if code == "invalid_grant" and refreshing:
        text = "the login has ended"
    refused = LoginNeeded if code not in _OF_CONFIGURATION else BadRequest
    return refused(f"{text} ({answer[:300]})", status=status)


_REFUSALS = {
    "invalid_grant": "wrong user name or password",
    "invalid_client": "wrong client id or secret: check login.client_id and login.client_secret_command",
    "unauthorized_client": "this client must not use this grant: check login.grant",
    "unsupported_grant_type": "the token endpoint does not support this grant: check login.grant",
    "invalid_scope": "the scope is invalid: check login.scope",
}
_OF_CONFIGURATION = _REFUSALS.keys() - {"invalid_grant"}
"""Refusals that another password cannot mend."""
