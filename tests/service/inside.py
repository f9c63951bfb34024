"""The service without a network: its application is called in the same event loop, which is much faster."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import sqlalchemy as sa

from console.base.clock import Clock, SystemClock
from console.service.auth.passwords import Cost
from console.service.domain import people, sessions
from console.service.http.app import build_app
from console.service.platform import Platform, ServiceSettings
from console.service.store.database import Database
from console.service.store.outbox import metadata
from tests.service.over_http import fill
from tests.stores import new_store


@dataclass
class Inside:
    """A platform, its application, and sessions created without a login request."""

    platform: Platform
    app: Any
    _tokens: dict[str, str] = field(default_factory=dict[str, str])

    def token(self, name: str) -> str:
        """Return the session token of a user; `guest` is anonymous."""
        if name not in self._tokens:
            with self.platform.write() as tx:
                user = people.find_user(tx, name)
                assert user is not None, name
                self._tokens[name] = sessions.create(self.platform, user, None)[1]
        return self._tokens[name]

    def client(self, name: str = "nobody", address: str = "127.0.0.1") -> httpx.AsyncClient:
        """Return a client of the core service with a user's login and a remote address."""
        headers = {} if name == "nobody" else {"Authorization": f"Bearer {self.token(name)}"}
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False, client=(address, 50_000))
        return httpx.AsyncClient(transport=transport, base_url="http://desk/core", headers=headers)

    async def ask(
        self,
        name: str,
        method: str,
        path: str,
        json: Any = None,
        headers: Mapping[str, str] | None = None,
        address: str = "127.0.0.1",
    ) -> httpx.Response:
        """Send one request as a user."""
        async with self.client(name, address) as client:
            return await client.request(method, path, json=json, headers=dict(headers or {}))


@contextmanager
def inside(
    settings: ServiceSettings | None = None, clock: Clock | None = None, database: Database | None = None
) -> Generator[Inside]:
    """Open the small scenario without serving it. Periodic jobs do not run and no events are sent."""
    settings, clock = settings or ServiceSettings(password_cost=Cost.cheap()), clock or SystemClock()
    with ExitStack() as stack:
        if database is None:
            database, settings = stack.enter_context(new_store(clock, settings))
        platform = stack.enter_context(closing(Platform(database, clock, settings)))
        with platform.read() as tx:
            empty = people.find_user(tx, "eva") is None
        if empty:
            fill(platform)
        yield Inside(platform, build_app(platform))


def everything(desk: Inside) -> dict[str, list[str]]:
    """Return the contents of the database by table."""
    with desk.platform.read() as tx:
        return {
            table.name: sorted(str(tuple(row)) for row in tx.rows(sa.select(table))) for table in metadata.sorted_tables
        }
