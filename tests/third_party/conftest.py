"""Fixtures: a foreign deployment for each test, and a command line configured for it."""

from __future__ import annotations

from collections.abc import Generator
from functools import cache
from pathlib import Path

import pytest

from console.api import routes_file
from tests.cli.conftest import Console, home, offline
from tests.third_party import contrary as contraries
from tests.third_party.contrary import Running
from tests.third_party.deployment import Deployment, Host, hosting
from tests.third_party.platform import PASSWORD

parsed_once = cache(routes_file.load_routes)
"""Each command would parse the same file of routes again, which took half of the time of a list."""

__all__ = ["console", "deployment", "home", "offline"]


@pytest.fixture(scope="session")
def host() -> Generator[Host]:
    with hosting() as found:
        yield found


@pytest.fixture
def deployment(host: Host) -> Deployment:
    return host.anew()


@pytest.fixture
def console(offline: Console, deployment: Deployment, home: Path, monkeypatch: pytest.MonkeyPatch) -> Console:
    """Run commands as eva, the boss."""
    (home / "config.toml").write_text(deployment.profile(), encoding="utf-8")
    monkeypatch.setenv("CONSOLE_PASSWORD", PASSWORD)
    return offline


@pytest.fixture(scope="module")
def contrary(tmp_path_factory: pytest.TempPathFactory) -> Generator[Running]:
    """The deployment that differs in everything."""
    with contraries.running(tmp_path_factory.mktemp("contrary")) as found:
        yield found


@pytest.fixture
def far(contrary: Running, offline: Console, home: Path, monkeypatch: pytest.MonkeyPatch) -> Console:
    """Run commands as its administrator."""
    (home / "config.toml").write_text(contrary.config, encoding="utf-8")
    monkeypatch.setenv("CONSOLE_PASSWORD", contraries.PASSWORD)
    monkeypatch.setattr(routes_file, "load_routes", parsed_once)
    return offline
