"""Log in, find the caller and the offered services, and report errors that only a person can solve."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from console.api.errors import (
    ApiError,
    BadAnswer,
    BadCertificate,
    BadRequest,
    LoginNeeded,
    NewPasswordNeeded,
    NotFound,
    NotFromService,
    NotOffered,
    Refused,
    ServerFault,
    TooMany,
    Unreachable,
)
from console.api.operations.domains import GetCapabilities
from console.api.operations.people import GetCurrentUser
from console.base.clock import Clock
from console.base.frozen import Frozen
from console.records.people import Capabilities, CurrentUser, User

if TYPE_CHECKING:
    from console.client.client import Client
    from console.client.login import LoginSource
    from console.client.stored_login import LoginStore, StoredLogin


OFFERS_SECONDS = 5.0
"""Delay before the offered services are read again without an answer."""


class Fatal(Frozen):
    """An error after which nothing is retried until a person helps."""

    kind: Literal["login", "password", "certificate", "config"]
    """`password`: it is correct, but must be replaced first."""
    reason: str
    """Remote or local text: clean before painting."""
    details: tuple[str, ...] = ()
    """The request, the answer and the likeliest cause, such text as well; empty if the reason says it all."""


def fatal_error(error: ApiError) -> Fatal:
    """Return the fatal error for a refused login or an untrusted certificate."""
    if isinstance(error, BadCertificate):
        kind = "certificate"
    elif isinstance(error, NewPasswordNeeded):
        kind = "password"
    else:
        # Where the profile may be wrong, another password cannot help.
        kind = "config" if isinstance(error, BadRequest) or error.advice is not None else "login"
    return Fatal(kind, error.reason, error.details)


def login_fault(error: ApiError, core: str, *, anew: bool) -> Fatal | None:
    """Return the fatal error for a failed login; None if the service may accept the same login later.

    `core` is the address of the service; `anew` is whether it has accepted no login yet.
    """
    where = f"no such service at {core}"
    match error:
        case NotFromService() if anew:
            # A portal may have answered, or the address may be wrong.
            where += ", or a portal in between"
        case BadCertificate():
            return fatal_error(error)
        case Unreachable() | ServerFault() | TooMany() | NotFromService():
            return None
        case NotFound() | NotOffered() | BadAnswer():
            pass
        case _:
            return fatal_error(error)
    return Fatal("config", f"{where}: {error.reason}", error.details)


@dataclass
class LoginDetails:
    """The current user name and password; the login screen changes them."""

    username: str
    password: str = field(repr=False)
    alone: bool = False
    """Whether the profile logs in without them."""
    find: Callable[[], tuple[str, str]] | None = field(default=None, repr=False)
    """Finds both where they are stored, without asking a person. Raises LoginNeeded."""

    def source(self) -> tuple[str, str]:
        """Return both, for each new session. Raise LoginNeeded without a password."""
        if not self.password and self.find is not None:
            self.username, self.password = self.find()
        if not self.password and not self.alone:
            raise LoginNeeded("the session has ended")
        return self.username, self.password

    def change(self, username: str, password: str) -> None:
        """Replace both."""
        self.username, self.password = username, password


class Authentication:
    """Logs in with a valid token, otherwise with name and password, and reads the caller."""

    def __init__(self, login: LoginSource | None, token: str | LoginStore | None) -> None:
        self._login = login
        self._token = token
        self._refused: StoredLogin | None = None
        """The stored login that is no longer valid."""

    async def log_in(self, client: Client) -> CurrentUser:
        """Log in, and return the caller. Raise `api.errors`."""
        return await _who_am_i(client, await self._start_session(client))

    async def _start_session(self, client: Client) -> str | None:
        token = await self._stored()
        if token is not None:
            try:
                await client.sessions.resume(token)
                return None
            except Refused:
                if isinstance(token, str):
                    self._token = None if self._login is not None else token
                else:
                    self._refused = token.login
                if self._login is None:
                    raise
        if self._login is None:
            return None
        username, password = await asyncio.to_thread(self._login)
        await client.sessions.log_in(username, password)
        return username

    async def _stored(self) -> str | LoginStore | None:
        """Return what to resume; None without a login that may be valid. A person may have stored another since."""
        store = self._token
        if store is None or isinstance(store, str):
            return store
        if self._refused is not None:
            latest = await asyncio.to_thread(store.latest)
            if latest is None or latest == self._refused:
                return store if self._login is None else None
            store.login = latest
        return store


async def _who_am_i(client: Client, username: str | None) -> CurrentUser:
    try:
        return await client.send(GetCurrentUser())
    except (NotFound, NotOffered):
        if username is None:
            raise
        return CurrentUser(user=User(username=username))


async def capabilities_of(client: Client) -> Capabilities | None:
    """Return the services offered to the caller, or None if unknown. Raise `api.errors`."""
    try:
        return await client.send(GetCapabilities())
    except NotFromService:
        raise
    except (Refused, NotOffered, BadAnswer):
        return None


async def follow_capabilities(
    client: Client, clock: Clock, doubted: asyncio.Event, offered: Callable[[Capabilities | None], None]
) -> None:
    """Read the offered services after each sign of a change; without an answer, keep the last ones and try again."""
    while True:
        await doubted.wait()
        doubted.clear()
        try:
            offered(await capabilities_of(client))
        except ApiError:
            await clock.sleep(OFFERS_SECONDS)
            doubted.set()
