"""A home for the person, and a service with the busy world that only its users change."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from console.service.serve import Running, start_background
from console.service.world.fill import fill
from tests.terminal.home import Home


@pytest.fixture
def service() -> Generator[Running]:
    with start_background(lambda platform: fill(platform, "busy")) as running:
        yield running


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")
