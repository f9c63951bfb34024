"""Fixtures: a home directory, and a service with the scenario `busy` that only its users change."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from tests.background import Running
from tests.services import Services, world
from tests.terminal.home import Home


@pytest.fixture
def service(services: Services) -> Generator[Running]:
    with services.anew(world("busy")) as running:
        yield running


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")
