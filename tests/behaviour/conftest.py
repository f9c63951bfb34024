"""The busy world on a running service, standing still, so that only the operators change it."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from console.service.serve import Running, start_background
from console.service.world.fill import fill


@pytest.fixture
def service() -> Generator[Running]:
    with start_background(lambda platform: fill(platform, "busy")) as running:
        yield running


@pytest.fixture(scope="module")
def floor() -> Generator[Running]:
    """One service for all tests of a module, which put back what they change or use records of their own."""
    with start_background(lambda platform: fill(platform, "busy")) as running:
        yield running
