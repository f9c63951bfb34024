"""Login: tokens and sessions, and their renewal (contract 4.1, 4.2, 5)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from console.api.errors import (
    ApiError,
    BadAnswer,
    LoginNeeded,
    NewPasswordNeeded,
    NotFound,
    NotFromService,
    NotOffered,
    Refused,
    TooMany,
)
from console.api.operations.people import GetCurrentUser
from console.api.operations.sessions import ResumeSession, RevokeSession, RevokeToken, StartSession
from console.api.request import Request
from console.base.clock import Clock, SystemClock
from console.client.http import can_be_sent
from console.client.stored_login import LoginStore, StoredLogin
from console.client.token_sources import Asking, Issued, ServiceTokens, TokenSource
from console.records.people import Login, UserContext

A = TypeVar("A")
LoginSource = Callable[[], tuple[str, str]]
"""Returns user name and password. Called off the event loop, so it may use a keyring or prompt a person.

Both are empty if the deployment's source of tokens needs none.
"""
EARLY_SECONDS = 30.0
"""How long before its end a token is renewed; at most half of its life."""


class OwnToken:
    """A token that needs no password, as a deployment's provisioning service may require."""

    def __init__(self, source: Callable[[], str]) -> None:
        self._source = source
        self._lock = asyncio.Lock()
        self._token: str | None = None

    async def current(self) -> str:
        """Return the token, obtained on first use. Raise LoginNeeded if that fails."""
        async with self._lock:
            if self._token is None:
                self._token = await asyncio.to_thread(self._source)
            return self._token

    async def renew(self, used: str | None) -> str:
        """Return another token, because `used` was refused. Concurrent calls share one renewal. Raise LoginNeeded."""
        if self._token == used:
            self._token = None
        return await self.current()


class Sessions:
    """The caller's login: one token at a time, renewed on the first refusal, or before it ends.

    The token belongs to a session, or is an OAuth2 token that requests use directly.
    """

    def __init__(
        self,
        asking: Asking,
        source: LoginSource | None = None,
        *,
        tokens: TokenSource | None = None,
        session: bool = True,
        clock: Clock | None = None,
    ) -> None:
        """`tokens` is the source of OAuth2 tokens, by default the service; `session` tells to start sessions."""
        self._asking = asking
        self._source = source
        self._tokens = tokens or ServiceTokens(asking)
        self._session = session
        self._clock = clock or SystemClock()
        self._renew_at: float | None = None
        """When to renew a token that is used directly, on the monotonic clock."""
        self._ends_at: float | None = None
        self._lock = asyncio.Lock()
        self._under_way: set[asyncio.Task[Any]] = set()
        self._refresh: str | None = None
        self._store: LoginStore | None = None
        """Store of the login, if other programs use it too."""
        self._stored: StoredLogin | None = None
        """The login that was last read from there, or written."""
        self._session_id: str | None = None
        self._ours = False
        self._hopeless: str | None = None
        self.token: str | None = None
        """The current token of requests."""
        self.started: Callable[[str], None] | None = None
        """Called with the id of each session that this login starts, and has to end."""

    async def log_in(self, username: str, password: str) -> None:
        """Log in: obtain an OAuth2 token, and start a session with it or use it directly. Raise `api.errors`."""
        await self._finished(self._alone(self._log_in(username, password)))

    async def change_password(self, username: str, password: str, new: str) -> None:
        """Replace a temporary password, without logging in.

        Raise NewPasswordNeeded if the new one is refused as well, and `api.errors`.
        """
        issued = await ServiceTokens(self._asking).issue(username, password, new)
        for revocation in _revocations(issued.access, issued.refresh):
            with suppress(ApiError):
                await self._asking(revocation, issued.access)

    async def resume(self, stored: str | LoginStore) -> None:
        """Resume an active session, or use the token directly if the deployment has no sessions or cannot resume them.

        A stored login is renewed by its refresh token now and later, and stored again. `log_out` does not end this
        session. Raise LoginNeeded if it is no longer valid.
        """
        login = StoredLogin(stored) if isinstance(stored, str) else stored.login
        await self._finished(self._alone(self._resume(login, None if isinstance(stored, str) else stored)))

    async def _resume(self, login: StoredLogin, store: LoginStore | None) -> None:
        self._store, self._stored = store, login
        self._refresh, self._ours, self._hopeless = login.refresh or None, False, None
        try:
            await self._continue(login.token)
        except LoginNeeded:
            self.token = login.token
            if not await self._can_renew():
                self.token = self._refresh = None
                raise

    async def _can_renew(self) -> bool:
        """Renew a stored login; return whether the issuer did."""
        try:
            return await self._by_refresh()
        except (TooMany, NotFromService):
            raise
        except (Refused, NotOffered, BadAnswer):
            return False

    async def _continue(self, token: str) -> None:
        """Use a token that was issued earlier. Raise LoginNeeded if it is no longer valid."""
        try:
            if not self._session:
                raise NotOffered("this deployment has no sessions")
            login = await self._asking(ResumeSession(token=token, context=_CONTEXT), None)
        except NotFromService:
            raise
        except (Refused, NotOffered, BadAnswer):
            await self._prove(token)
            self.token, self._session_id = token, None
        else:
            self.token, self._session_id = login.access_token or token, _session_id(login)

    async def current(self) -> str | None:
        """Return the token for a request, renewed if it ends soon. Without a renewal, the old one is used."""
        if self._renew_at is not None and self._clock.monotonic() >= self._renew_at:
            self._renew_at = self._clock.monotonic() + EARLY_SECONDS
            with suppress(ApiError):
                await self.renew(self.token)
        return self.token

    async def renew(self, used: str | None) -> str | None:
        """Log in again because `used` was refused, or ends soon. Return the token. Concurrent calls share one renewal.

        Raise LoginNeeded if only a person can log in; then at once for all callers with the same token.
        """
        await self._finished(self._alone(self._renew(used)))
        return self.token

    async def log_out(self) -> bool:
        """End the session of this login, and revoke its tokens. Never raise an ApiError.

        Return whether no session of this login remains, as far as known.
        """
        async with self._lock:
            token, session, refresh, ours = self.token, self._session_id, self._refresh, self._ours
            self.token = self._session_id = self._refresh = self._renew_at = None
        if not ours or token is None:
            return True
        requests: list[Request[Any]] = []
        if self._tokens.of_service:
            requests += _revocations(None if self._session else token, refresh)
        if session is not None:
            requests.append(RevokeSession(id=session))
        ended = True
        for request in requests:
            try:
                await self._asking(request, token)
            except (Refused, NotOffered):
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

    async def keep(self) -> StoredLogin:
        """Keep the login after `log_out`, and return it for others to resume. Raise LoginNeeded without a login."""
        async with self._lock:
            token, session, refresh = self.token, self._session_id, self._refresh
            self._refresh, self._ours = None, False
        if token is None:
            raise LoginNeeded("there is no session")
        return StoredLogin(token, refresh or "", session or "")

    @property
    def seconds_left(self) -> float | None:
        """How long the current token is valid, in seconds; None if unknown, and for the token of a session."""
        return None if self._ends_at is None else max(0.0, self._ends_at - self._clock.monotonic())

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
            ended = LoginNeeded(error.reason, operation=error.operation, status=error.status)
            raise ended.caused_by(error) from error

    async def _anew(self) -> None:
        try:
            if await self._by_refresh():
                return
        except TooMany:
            raise
        except (Refused, NotOffered, BadAnswer) as error:
            if self._source is None and isinstance(error, NotFromService):
                raise
            if self._source is None:
                raise LoginNeeded(f"the login has ended: {error.reason}").caused_by(error) from error
        if self._source is None:
            raise LoginNeeded("the login has ended")
        username, password = await asyncio.to_thread(self._source)
        await self._log_in(username, password)

    async def _by_refresh(self) -> bool:
        """Renew the login by its refresh token, or use what another program has stored; False without either.

        Raise `api.errors` if the refresh token is refused.
        """
        store = self._store
        if store is None:
            return await self._refreshed()
        end = await asyncio.to_thread(store.lock)
        try:
            if await self._taken_over(store):
                return True
            if not await self._refreshed():
                return False
            self._stored = StoredLogin(self.token or "", self._refresh or "", self._session_id or "")
            await asyncio.to_thread(store.write, self._stored)
            return True
        finally:
            end()

    async def _taken_over(self, store: LoginStore) -> bool:
        latest = await asyncio.to_thread(store.latest)
        if latest is None or latest == self._stored:
            return False
        self._stored, self._refresh = latest, latest.refresh or None
        try:
            await self._continue(latest.token)
        except LoginNeeded:
            return False
        return True

    async def _refreshed(self) -> bool:
        refresh, self._refresh = self._refresh, None
        if refresh is None:
            return False
        try:
            await self._enter(await self._tokens.refresh(refresh), refresh)
        except (TooMany, NotFromService):
            # The request did not reach the issuer, so the refresh token is still valid.
            self._refresh = refresh
            raise
        return True

    async def _log_in(self, username: str, password: str) -> None:
        self._store = None
        await self._enter(await self._tokens.issue(username, password))

    async def _enter(self, issued: Issued, refresh: str | None = None) -> None:
        """Use an issued token. `refresh` stays valid if the issuer gave no other (RFC 6749, 6)."""
        refresh = issued.refresh or refresh
        if self._session:
            await self._start(issued.access, refresh)
        else:
            await self._use(issued, refresh)

    async def _use(self, issued: Issued, refresh: str | None) -> None:
        if issued.access == self.token:
            # An issuer that gives the refused token again would be asked for it by every request.
            await self._prove(issued.access)
        now = self._clock.monotonic()
        self.token, self._session_id = issued.access, None
        self._refresh, self._ours, self._hopeless = refresh, self._store is None, None
        self._ends_at = self._renew_at = None
        if issued.seconds is not None:
            self._ends_at = now + issued.seconds
            self._renew_at = self._ends_at - min(EARLY_SECONDS, issued.seconds / 2)

    async def _prove(self, token: str) -> None:
        """Raise LoginNeeded if the service does not accept a token."""
        with suppress(NotFound, NotOffered):
            await self._asking(GetCurrentUser(), token)

    async def _start(self, token: str, refresh: str | None) -> None:
        login = await self._asking(StartSession(token=token, context=_CONTEXT), None)
        if not login.access_token:
            raise BadAnswer("the service started a session without a token", operation="sessions.start")
        if not can_be_sent(login.access_token):
            raise BadAnswer("the service started a session with a token that is not ASCII", operation="sessions.start")
        self.token, self._session_id = login.access_token, _session_id(login)
        self._refresh, self._ours, self._hopeless = refresh, self._store is None, None
        if self.started is not None and self._session_id is not None and self._ours:
            self.started(self._session_id)


_CONTEXT = UserContext(src="console", useragent="operator-console")


def _revocations(access: str | None, refresh: str | None) -> list[RevokeToken]:
    """Return the requests to revoke tokens, the refresh token first: it needs the other."""
    revoke_tokens = [RevokeToken(token=refresh, token_type_hint="refresh_token")] if refresh is not None else []
    return [*revoke_tokens, RevokeToken(token=access)] if access is not None else revoke_tokens


def _session_id(login: Login) -> str | None:
    """Return the session's id, whose place depends on the variant (contract 4.1)."""
    if login.session is not None and login.session.id and not login.session.faults:
        return login.session.id
    return login.session_id
