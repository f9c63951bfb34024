"""A running service with the small desk, and clients that are logged in to it."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import ExitStack

import httpx
import pytest

from console.service.serve import Running
from tests.service.desk import fill, log_in
from tests.services import Services

LogIn = Callable[[str], httpx.Client]


@pytest.fixture
def service(services: Services) -> Generator[Running]:
    with services.anew(fill) as running:
        yield running


@pytest.fixture
def as_user(service: Running) -> Generator[LogIn]:
    with ExitStack() as stack:
        yield lambda name: stack.enter_context(log_in(service, name))
