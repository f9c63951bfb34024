"""Fixtures: a running service with a small scenario, and clients that are logged in."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack
from typing import Any

import pytest

from console.service.auth.passwords import Cost
from console.service.domain import status
from console.service.platform import Platform, ServiceSettings
from tests.background import Running
from tests.manual_clock import ManualClock
from tests.postgresql import shared
from tests.service.channels import Open, subscribed
from tests.service.inside import Inside, inside
from tests.service.over_http import LogIn, Serve, fill, log_in
from tests.services import Services
from tests.stores import new_url


@pytest.fixture
def service(services: Services, monkeypatch: pytest.MonkeyPatch) -> Generator[Running]:
    """A service in which only the test changes something: samples of the status would be events at any moment."""

    def announce(_: Platform) -> None:
        """Send nothing."""

    monkeypatch.setattr(status, "announce", announce)
    with services.anew(fill) as running:
        # A sample that is being stored is an event of before.
        with running.platform.write():
            pass
        yield running


@pytest.fixture
def serve(services: Services) -> Generator[Serve]:
    """Start services with other settings, or with the clock of the test."""
    with ExitStack() as stack:

        def served(clock: ManualClock | None = None, **settings: Any) -> Running:
            limits = ServiceSettings(password_cost=Cost.cheap(), **settings)
            return stack.enter_context(services.anew(fill, settings=limits, clock=clock))

        yield served


@pytest.fixture
def desk() -> Generator[Inside]:
    with inside() as desk:
        yield desk


@pytest.fixture
def url() -> Generator[str]:
    """The URL of a PostgreSQL database with all tables."""
    with new_url() as url:
        yield url


@pytest.fixture
def empty_url() -> Generator[str]:
    """The URL of a PostgreSQL database without tables."""
    url = shared().create()
    yield url
    shared().drop(url)


@pytest.fixture
def as_user(service: Running) -> Generator[LogIn]:
    with ExitStack() as stack:
        yield lambda name: stack.enter_context(log_in(service, name))


@pytest.fixture
def open_channel(service: Running) -> Generator[Open]:
    """Open a channel with a client's login and subscribe."""
    with ExitStack() as stack:
        yield lambda *args, **options: stack.enter_context(subscribed(service.events_url, *args, **options))
