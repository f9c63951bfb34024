"""Login: tokens and sessions, and their renewal (contract 4.1, 4.2, 5)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, Protocol, TypeVar

from console.api.errors import (
    ApiError,
    BadAnswer,
    BadRequest,
    Forbidden,
    LoginNeeded,
    NewPasswordNeeded,
    NotFound,
    NotFromService,
    NotOffered,
    Refused,
    TooMany,
)
from console.api.operations.people import GetCurrentUser
from console.api.operations.sessions import IssueToken, ResumeSession, RevokeSession, RevokeToken, StartSession
from console.api.request import Request
from console.client.http import can_be_sent
from console.records.people import BearerToken, Login, UserContext

A = TypeVar("A")
LoginSource = Callable[[], tuple[str, str]]
"""Returns user name and password. Called off the event loop, so it may use a keyring or prompt a person."""


class Asking(Protocol):
    """Sends a request with exactly this token and without a retry."""

    def __call__(self, request: Request[A], token: str | None, /) -> Awaitable[A]:
        """Send a request once. Raise `api.errors`."""
        ...


class OwnToken:
    """A token that needs no password, as a deployment's provisioning service may require."""

    def __init__(self, source: Callable[[], str]) -> None:
        self._source = source
        self._lock = asyncio.Lock()
        self._token: str | None = None

    async def token(self) -> str:
        """Return the token, obtained on first use. Raise LoginNeeded if that fails."""
        async with self._lock:
            if self._token is None:
                self._token = await asyncio.to_thread(self._source)
            return self._token

    def forget(self, used: str) -> None:
        """Obtain the token again on next use, because this one was refused."""
        if self._token == used:
            self._token = None


class Sessions:
    """The caller's login: one session token at a time, renewed on the first refusal."""

    def __init__(self, asking: Asking, source: LoginSource | None = None) -> None:
        self._asking = asking
        self._source = source
        self._lock = asyncio.Lock()
        self._under_way: set[asyncio.Task[Any]] = set()
        self._refresh: str | None = None
        self._session_id: str | None = None
        self._ours = False
        self._hopeless: str | None = None
        self.token: str | None = None
        """The current token of requests."""
        self.started: Callable[[str], None] | None = None
        """Called with the id of each session that this login starts, and has to end."""

    async def log_in(self, username: str, password: str) -> Login:
        """Log in with a password: obtain an OAuth2 token and start a session. Raise `api.errors`."""
        return await self._finished(self._alone(self._log_in(username, password)))

    async def change_password(self, username: str, password: str, new: str) -> None:
        """Replace a temporary password, without logging in.

        Raise NewPasswordNeeded if the new one is refused as well, and `api.errors`.
        """
        request = IssueToken(grant_type="password", username=username, password=password, new_password=new)
        issued = await self._bought(request)
        unused = [RevokeToken(token=issued.access_token)]
        if issued.refresh_token:
            unused.insert(0, RevokeToken(token=issued.refresh_token, token_type_hint="refresh_token"))
        for each in unused:
            with suppress(ApiError):
                await self._asking(each, issued.access_token)

    async def resume(self, token: str) -> None:
        """Resume an active session, or use the token directly if the service cannot resume sessions.

        `log_out` does not end this session. Raise LoginNeeded if it is no longer valid.
        """
        async with self._lock:
            try:
                login = await self._asking(ResumeSession(token=token, context=_CONTEXT), None)
            except NotFromService:
                raise
            except (Refused, NotOffered, BadAnswer):
                with suppress(NotFound, NotOffered):
                    await self._asking(GetCurrentUser(), token)
                self.token, self._session_id = token, None
            else:
                self.token, self._session_id = login.access_token or token, _session_id(login)
            self._refresh, self._ours, self._hopeless = None, False, None

    async def renew(self, used: str | None) -> None:
        """Start a new session because `used` was refused. Concurrent calls share one renewal.

        Raise LoginNeeded if only a person can log in; then at once for all callers with the same token.
        """
        await self._finished(self._alone(self._renew(used)))

    async def log_out(self) -> bool:
        """End the session of this login, and revoke its refresh token. Never raise an ApiError.

        Return whether no session of this login remains, as far as known.
        """
        async with self._lock:
            token, session, refresh, ours = self.token, self._session_id, self._refresh, self._ours
            self.token = self._session_id = self._refresh = None
        if not ours or token is None:
            return True
        requests: list[Request[Any]] = []
        if refresh is not None:
            requests.append(RevokeToken(token=refresh, token_type_hint="refresh_token"))
        if session is not None:
            requests.append(RevokeSession(id=session))
        ended = True
        for request in requests:
            try:
                await self._asking(request, token)
            except Refused:
                continue
            except ApiError:
                ended = False
        return ended

    @property
    def session_id(self) -> str:
        """The id of the current session; empty without one, or if its id is unknown."""
        return self._session_id or ""

    async def revoke(self, session_id: str) -> None:
        """End another session of the caller, left by an earlier run. Raise `api.errors`."""
        await self._asking(RevokeSession(id=session_id), self.token)

    async def keep(self) -> tuple[str, str]:
        """Keep the session after `log_out`, for others to resume; return its token and its id.

        Its refresh token is revoked, because it would outlive the session. Raise LoginNeeded without a session.
        """
        async with self._lock:
            token, session, refresh = self.token, self._session_id, self._refresh
            self._refresh, self._ours = None, False
        if token is None:
            raise LoginNeeded("there is no session")
        if refresh is not None:
            with suppress(ApiError):
                await self._asking(RevokeToken(token=refresh, token_type_hint="refresh_token"), token)
        return token, session or ""

    async def _alone(self, work: Awaitable[A]) -> A:
        async with self._lock:
            return await work

    async def _finished(self, work: Coroutine[Any, Any, A]) -> A:
        """Finish a login even if its caller is cancelled; otherwise `log_out` could not end the new session."""
        task = asyncio.get_running_loop().create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._forget)
        return await asyncio.shield(task)

    def _forget(self, task: asyncio.Task[Any]) -> None:
        self._under_way.discard(task)
        if not task.cancelled():
            # Callers get the error as well; without callers it does not matter.
            task.exception()

    async def _renew(self, used: str | None) -> None:
        if self.token != used:
            return
        if used is not None and self._hopeless == used:
            raise LoginNeeded("the login has ended")
        try:
            await self._anew()
        except TooMany:
            raise
        except NewPasswordNeeded:
            self._hopeless = used
            raise
        except Refused as error:
            self._hopeless = used
            raise LoginNeeded(error.reason, operation=error.operation, status=error.status) from error

    async def _anew(self) -> None:
        if self._refresh is not None:
            refresh, self._refresh = self._refresh, None
            try:
                issued = await self._asking(IssueToken(grant_type="refresh_token", refresh_token=refresh), None)
                await self._start(issued.access_token, issued.refresh_token)
                return
            except (Refused, NotOffered, BadAnswer) as error:
                if self._source is None and isinstance(error, NotFromService):
                    # The request did not reach the service, so the refresh token is still valid.
                    self._refresh = refresh
                    raise
                if self._source is None:
                    raise LoginNeeded(f"the login has ended: {error.reason}") from error
        if self._source is None:
            raise LoginNeeded("the login has ended")
        username, password = await asyncio.to_thread(self._source)
        await self._log_in(username, password)

    async def _log_in(self, username: str, password: str) -> Login:
        issued = await self._bought(IssueToken(grant_type="password", username=username, password=password))
        return await self._start(issued.access_token, issued.refresh_token)

    async def _bought(self, request: IssueToken) -> BearerToken:
        """Request a token for a password."""
        try:
            return await self._asking(request, None)
        except Refused as error:
            # OAuth2 servers refuse a password with 400, some with 200; either is a failed login.
            if not isinstance(error, BadRequest | Forbidden) and (error.status or 0) >= 300:
                raise
            wants_new = _NEW_PASSWORD in error.in_full
            refused = NewPasswordNeeded if wants_new else LoginNeeded
            reason = error.in_full if request.new_password else error.reason
            raise refused(reason, operation=error.operation, status=error.status) from error

    async def _start(self, token: str, refresh: str | None) -> Login:
        if not token:
            raise BadAnswer("the service issued an empty token", operation="tokens.issue")
        if not can_be_sent(token):
            raise BadAnswer("the service issued a token that is not ASCII", operation="tokens.issue")
        login = await self._asking(StartSession(token=token, context=_CONTEXT), None)
        if not login.access_token:
            raise BadAnswer("the service started a session without a token", operation="sessions.start")
        if not can_be_sent(login.access_token):
            raise BadAnswer("the service started a session with a token that is not ASCII", operation="sessions.start")
        self.token, self._session_id = login.access_token, _session_id(login)
        self._refresh, self._ours, self._hopeless = refresh, True, None
        if self.started is not None and self._session_id is not None:
            self.started(self._session_id)
        return login


_NEW_PASSWORD = "new_password"
"""The input of `tokens.issue` for a new password; a refusal with this name refers to it."""
_CONTEXT = UserContext(src="console", useragent="operator-console")


def _session_id(login: Login) -> str | None:
    """Return the session's id, whose place depends on the variant (contract 4.1)."""
    if login.session is not None and login.session.id and not login.session.faults:
        return login.session.id
    return login.session_id
