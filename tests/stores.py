"""Databases of services that tests start: by default in memory, with `TEST_ENGINE=postgresql` on a server."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from console.base.clock import Clock
from console.base.frozen import replace
from console.service.auth.passwords import Cost
from console.service.platform import Platform, ServiceSettings
from console.service.store.database import Database
from tests import postgresql


@contextmanager
def new_store(clock: Clock, settings: ServiceSettings) -> Generator[tuple[Database, ServiceSettings]]:
    """Create an empty database of the engine under test; return it with the settings that belong to it.

    The platform closes the database.
    """
    if postgresql.ENGINE == "sqlite":
        yield Database(None, clock.now_ms), settings
        return
    with new_url() as url:
        yield Database(url, clock.now_ms), with_key(settings)


@contextmanager
def new_url() -> Generator[str]:
    """Create an empty database on the server of the tests, and return its URL."""
    url = postgresql.shared().create(_template())
    try:
        yield url
    finally:
        postgresql.shared().drop(url)


def with_key(settings: ServiceSettings) -> ServiceSettings:
    """Return the settings with the key of the databases on the server."""
    return replace(settings, key_file=_key_file())


@cache
def _key_file() -> Path:
    return postgresql.shared().folder / "service.key"


@cache
def _template() -> str:
    """Return the name of a database with all tables: creating them takes a second."""
    url = postgresql.shared().create()
    settings = with_key(ServiceSettings(password_cost=Cost.cheap()))
    Platform(Database(url), settings=settings).close()
    return url.rpartition("/")[2]
