"""A running service with the small desk, and clients that are logged in to it."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import ExitStack

import httpx
import pytest

from console.service.serve import Running, start_background
from tests.service.desk import fill, log_in

LogIn = Callable[[str], httpx.Client]


@pytest.fixture
def service() -> Generator[Running]:
    with start_background(fill) as running:
        yield running


@pytest.fixture
def as_user(service: Running) -> Generator[LogIn]:
    with ExitStack() as stack:
        yield lambda name: stack.enter_context(log_in(service, name))
