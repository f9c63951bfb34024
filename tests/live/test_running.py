"""The running consoles of a person, and the remains of those that were killed."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from console.api.errors import ApiError, Forbidden, NotFound, Unreachable
from console.api.operations.sessions import RevokeSession
from console.client.login import Sessions
from console.live.running import RunningConsole, end_left_sessions

CORE = "http://desk.example/core"


def killed(folder: Path, session_id: str, core: str = CORE) -> str:
    """Start a session in a console, kill it, and return its name."""
    program = (
        "import sys, pathlib; from console.live.running import RunningConsole\n"
        "console = RunningConsole(pathlib.Path(sys.argv[1])); console.begin()\n"
        "console.has_session(sys.argv[2], sys.argv[3]); print(console.name, flush=True); sys.stdin.read()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(folder), core, session_id],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    name = process.stdout.readline().strip()
    assert RunningConsole(folder).is_running(name)
    assert not list(RunningConsole(folder).left_sessions()), "it is still alive"
    process.send_signal(signal.SIGKILL)
    process.communicate()
    return name


class Asked:
    """A service that ends sessions, or refuses."""

    def __init__(self, refusal: ApiError | None = None) -> None:
        self.revoked: list[str] = []
        self._refusal = refusal

    async def __call__(self, request: object, token: str | None, /) -> object:
        assert isinstance(request, RevokeSession)
        if self._refusal is not None:
            raise self._refusal
        self.revoked.append(request.id or "")
        return None


async def test_the_session_of_a_killed_console_is_ended_once(tmp_path: Path) -> None:
    name = killed(tmp_path, "s1")
    console, service = RunningConsole(tmp_path), Asked()
    assert not console.is_running(name)
    for _ in range(2):
        await end_left_sessions(console, Sessions(service), CORE)  # pyright: ignore[reportArgumentType] - only revokes sessions
    assert service.revoked == ["s1"]
    assert not list(RunningConsole(tmp_path).left_sessions())


async def test_a_session_of_another_service_or_of_a_running_console_is_not_ended(tmp_path: Path) -> None:
    killed(tmp_path, "s1", "http://elsewhere.example/core")
    living, service = RunningConsole(tmp_path), Asked()
    living.begin()
    living.has_session(CORE, "s2")
    await end_left_sessions(RunningConsole(tmp_path), Sessions(service), CORE)  # pyright: ignore[reportArgumentType] - only revokes sessions
    assert service.revoked == []
    living.end(tidy=True)
    assert [left.session_id for left in living.left_sessions()] == ["s1"]


@pytest.mark.parametrize(
    ("refusal", "again"), [(NotFound("gone"), False), (Unreachable("away"), True), (Forbidden("not yours"), True)]
)
async def test_a_session_that_cannot_be_ended_now_is_retried_at_the_next_start(
    tmp_path: Path, refusal: ApiError, again: bool
) -> None:
    console = RunningConsole(tmp_path)
    console.begin()
    console.has_session(CORE, "s1")
    console.end(tidy=False)
    service = Asked(refusal)
    await end_left_sessions(RunningConsole(tmp_path), Sessions(service), CORE)  # pyright: ignore[reportArgumentType] - only revokes sessions
    assert bool(list(RunningConsole(tmp_path).left_sessions())) is again


def test_only_the_id_is_stored_and_nobody_else_can_read_it(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        console = RunningConsole(tmp_path / "deep")
        console.begin()
    finally:
        os.umask(before)
    console.has_session(CORE, "s1")
    (file,) = (tmp_path / "deep").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert file.read_text() == f'{{"core": "{CORE}", "session_id": "s1"}}'
    console.end(tidy=True)


def test_without_a_writable_folder_the_console_runs_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    console = RunningConsole(tmp_path / "file")
    console.begin()
    console.has_session(CORE, "s1")
    assert not list(console.left_sessions())
    console.end(tidy=True)
