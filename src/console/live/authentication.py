"""Being let in: who logs in, what the service says of them, and which refusals only a person can help with."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from console.api.errors import (
    ApiError,
    BadAnswer,
    BadCertificate,
    LoginNeeded,
    NewPasswordNeeded,
    NotFound,
    NotFromService,
    NotOffered,
    Refused,
)
from console.frozen import Frozen

if TYPE_CHECKING:
    from console.client.client import Client
    from console.client.login import LoginSource
    from console.records.people import Capabilities, CurrentUser


class Fatal(Frozen):
    """Why nothing is tried any more until somebody helps."""

    kind: Literal["login", "password", "certificate", "config"]
    """`password`: it is right, but a new one must take its place first."""
    reason: str
    """In remote or local words: clean before painting."""


def given_up(error: ApiError) -> Fatal:
    """Return what a refused login, or a certificate that is not trusted, comes to."""
    if isinstance(error, BadCertificate):
        return Fatal("certificate", error.reason)
    return Fatal("password" if isinstance(error, NewPasswordNeeded) else "login", error.reason)


@dataclass
class Login:
    """User name and password as they were last given; the login screen changes them."""

    username: str
    password: str = field(repr=False)

    def source(self) -> tuple[str, str]:
        """Return both, whenever a session must be made anew. Raises LoginNeeded as long as there is no password."""
        if not self.password:
            raise LoginNeeded("the session has ended")
        return self.username, self.password

    def change(self, username: str, password: str) -> None:
        """Take others from now on."""
        self.username, self.password = username, password


class Authentication:
    """Logs in with a token that is still good, else with name and password, and asks who that is."""

    def __init__(self, login: LoginSource | None, token: str | None) -> None:
        self._login = login
        self._token = token

    async def enter(self, client: Client) -> tuple[CurrentUser, Capabilities | None]:
        """Log in, and return who the caller is and what is offered to them. Raises `api.errors`."""
        username = await self._log_in(client)
        return await _who_am_i(client, username), await capabilities_of(client)

    async def _log_in(self, client: Client) -> str | None:
        if self._token is not None:
            try:
                await client.sessions.resume(self._token)
                return None
            except Refused:
                if self._login is None:
                    raise
                self._token = None
        if self._login is None:
            return None
        username, password = await asyncio.to_thread(self._login)
        await client.sessions.log_in(username, password)
        return username


async def _who_am_i(client: Client, username: str | None) -> CurrentUser:
    from console.api.operations.people import GetCurrentUser
    from console.records.people import CurrentUser, User

    try:
        return await client.send(GetCurrentUser())
    except (NotFound, NotOffered):
        if username is None:
            raise
        return CurrentUser(user=User(username=username))


async def capabilities_of(client: Client) -> Capabilities | None:
    """Return what the caller's domain offers; None where the service does not tell. Raises `api.errors`."""
    from console.api.operations.domains import GetCapabilities

    try:
        return await client.send(GetCapabilities())
    except NotFromService:
        raise
    except (Refused, NotOffered, BadAnswer):
        return None


async def follow_capabilities(
    client: Client, doubted: asyncio.Event, offered: Callable[[Capabilities | None], None]
) -> None:
    """Ask again whenever the service may offer the caller something else; without an answer, the last one holds."""
    while True:
        await doubted.wait()
        doubted.clear()
        with suppress(ApiError):
            offered(await capabilities_of(client))
