"""Fixtures: a foreign deployment for each test, and a command line configured for it."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from tests.cli.conftest import Console, home, offline
from tests.third_party.deployment import Deployment, Host, hosting
from tests.third_party.platform import PASSWORD

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
