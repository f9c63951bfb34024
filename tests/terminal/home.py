"""A home directory with configuration and state, and the program run in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from console.service.domain.alerts import ALERTS
from console.service.domain.sessions import SESSIONS
from console.service.store.documents import Documents
from tests.background import Running
from tests.surroundings import surroundings
from tests.terminal.terminal import Terminal

LARGE, SMALL = (120, 40), (80, 24)


class Home:
    """The directories of one person."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)

    def environment(self, **more: str) -> dict[str, str]:
        """Return the environment of the program: a terminal with colours, and no keyring."""
        usual = {
            "PATH": os.environ.get("PATH", ""),
            "HOME": str(self.folder),
            "CONSOLE_HOME": str(self.folder),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            "TZ": "UTC",
            "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
        }
        return surroundings(usual) | more

    def configure(self, core: str, *, profile: str = "", top: str = "hold_seconds = 0") -> None:
        """Write a configuration with one profile and no notices: no other text may ring the bell."""
        silent = "notices.ways = { critical = [], warning = [], notice = [] }"
        self.write(f'{top}\n{silent}\n[profiles.desk]\ncore = "{core}"\n{profile}\n')

    def write(self, text: str) -> Path:
        """Write the configuration."""
        file = self.folder / "config.toml"
        file.write_text(text, encoding="utf-8")
        return file

    def open(
        self,
        *arguments: str,
        size: tuple[int, int] = LARGE,
        modern: bool = False,
        coloured: bool = False,
        errors: Path | None = None,
        fresh: bool = False,
        **environment: str,
    ) -> Terminal:
        """Start the program on a terminal."""
        return Terminal(
            *arguments,
            environment=self.environment(**environment),
            size=size,
            modern=modern,
            coloured=coloured,
            errors=errors,
            fresh=fresh,
        )

    @contextmanager
    def seat(
        self, username: str = "eva", *, size: tuple[int, int] = LARGE, until: str = "LIVE", fresh: bool = False
    ) -> Generator[Terminal]:
        """Start a console and log in."""
        with self.open(size=size, fresh=fresh) as terminal:
            log_in(terminal, username)
            terminal.until(until)
            yield terminal

    def run(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a command without a terminal."""
        return subprocess.run(
            [sys.executable, "-m", "console", *arguments],
            env=self.environment(**environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
        )


def log_in(terminal: Terminal, username: str = "eva", password: str = "demo") -> None:
    """Answer the two questions at the start of a console."""
    terminal.until("User name:")
    terminal.type(f"{username}\r")
    terminal.until(f"Password of {username}:")
    terminal.type(f"{password}\r")


def stored(service: Running, documents: Documents[Any], key: str) -> dict[str, Any]:
    """Return a record from the service's database."""
    with service.database.read() as tx:
        body = documents.body(tx, key)
    assert body is not None
    return dict(json.loads(body))


def living_sessions(service: Running) -> set[str]:
    """Return the ids of the active sessions in the service's database."""
    with service.database.read() as tx:
        return {session.id for session in SESSIONS.records(tx)}


def active_alerts(service: Running) -> set[str]:
    """Return the ids of the alerts in the service's database that nobody has accepted yet."""
    with service.database.read() as tx:
        return {alert.alert_id for alert in ALERTS.records(tx) if alert.state == "active"}
