"""Fixtures: a running service with the scenario `quiet`, and the command line as a script uses it."""

from __future__ import annotations

import gc
import socket
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path

import pytest

from console.cli.program import run
from console.service.domain.sessions import SESSIONS
from tests.background import Running
from tests.services import Services, world

ENVIRONMENT = (
    *("CONFIG", "HOME", "PROFILE", "CORE", "PROVISIONING", "VARIANT", "PROVISIONING_VARIANT"),
    *("USERNAME", "PASSWORD", "PROXY_PASSWORD", "THEME", "SYMBOLS"),
)


@dataclass(frozen=True)
class Ended:
    """The result of a command."""

    code: int
    out: str
    err: str


Console = Callable[..., Ended]


@pytest.fixture(scope="module")
def service(services: Services) -> Generator[Running]:
    with services.anew(world("quiet")) as running:
        yield running


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put configuration and state into a directory of this test, without a keyring."""
    for name in ENVIRONMENT:
        monkeypatch.delenv(f"CONSOLE_{name}", raising=False)
    monkeypatch.setenv("CONSOLE_HOME", str(tmp_path))
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    return tmp_path


@pytest.fixture
def offline(home: Path, capsys: pytest.CaptureFixture[str]) -> Console:
    """Run commands that need no service."""

    def console(*arguments: str) -> Ended:
        code = run(arguments)
        gc.enable()  # Opening the console turns collection off, for a process of its own.
        said = capsys.readouterr()
        return Ended(code, said.out, said.err)

    return console


@pytest.fixture
def script(offline: Console, monkeypatch: pytest.MonkeyPatch) -> Console:
    """Run commands with a password in the environment, as a script does."""
    monkeypatch.setenv("CONSOLE_PASSWORD", "demo")
    return offline


@pytest.fixture
def console(script: Console, service: Running, home: Path) -> Console:
    """Run commands as eva, the supervisor."""
    profile(home, service.core_url)
    return script


@pytest.fixture
def unreachable(script: Console, home: Path) -> Console:
    """Run commands as eva at a service that is not there."""
    profile(home, f"http://127.0.0.1:{unused_port()}/core")
    return script


def unused_port() -> int:
    """Return a port on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def profile(home: Path, core: str, more: str = "", username: str = "eva") -> None:
    """Write a configuration with one profile."""
    text = f'profile = "desk"\n[profiles.desk]\ncore = "{core}"\nusername = "{username}"\n{more}\n'
    (home / "config.toml").write_text(text, encoding="utf-8")


def living(service: Running) -> set[str]:
    """Return the ids of the sessions that have not ended."""
    with service.platform.read() as tx:
        return {each.id for each in SESSIONS.records(tx) if each.to is None}
