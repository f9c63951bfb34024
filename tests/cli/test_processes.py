"""The program as a process: its imports, interruption, and its output."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from console.service.domain import groups, people
from tests.background import Running
from tests.cli.conftest import living, profile
from tests.patience import PATIENCE

HEAVY = (
    "textual",
    "httpx",
    "pydantic",
    "websockets",
    "starlette",
    "uvicorn",
    "sqlalchemy",
    "keyring",
    "argcomplete",
    "click",
)
NOT_FIRST = (
    "console.kinds.actions",
    "console.kinds.tables",
)
"""Further packages that the first frame must not import; nearly everything else is imported by these."""


IN_TURN = f"""
import json, sys
from console.cli.program import main
ended = []
for arguments in json.loads(sys.argv[1]):
    try:
        main(arguments)
    except SystemExit as end:
        ended.append([end.code, [each for each in {HEAVY + NOT_FIRST!r} if each in sys.modules]])
print()
print(json.dumps(ended))
"""


def loaded_by(code: str, home: Path) -> set[str]:
    """Run code in a fresh interpreter and return which of the heavy packages it imports."""
    report = f"import sys\ntry:\n    {code}\nexcept SystemExit:\n    pass\n"
    report += f"print('loaded', *(each for each in {HEAVY + NOT_FIRST!r} if each in sys.modules))"
    return set(_last_line_of(home, report).split()[1:])


def loaded_in_turn(home: Path, *commands: str) -> dict[str, tuple[int, set[str]]]:
    """Run commands one after the other in one fresh interpreter.

    Return for each its exit code and the heavy packages that are imported after it, by it or by an earlier one.
    """
    ended = json.loads(_last_line_of(home, IN_TURN, json.dumps([each.split() for each in commands])))
    return {command: (code, set(loaded)) for command, (code, loaded) in zip(commands, ended, strict=True)}


def _last_line_of(home: Path, code: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env=os.environ | {"CONSOLE_HOME": str(home)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return done.stdout.splitlines()[-1]


def test_a_frame_follows_the_previous_one_without_delay() -> None:
    said = "lambda _: print(__import__('textual.screen').screen.UPDATE_PERIOD)"
    code = f"from console.cli import program; program.run = {said}; program.main([])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert float(done.stdout) <= 0.002


def test_the_http_client_does_not_load_the_command_line_of_its_library(home: Path):
    loaded = loaded_by("import console.client.client", home)
    assert loaded & {"httpx", "click"} == {"httpx"}


def test_the_first_screen_loads_neither_the_client_nor_the_dialogs(home: Path):
    code = "import console.cli.opening, console.cli.profiles.faults, console.ui.runner, console.ui.screens.home"
    loaded = loaded_by(code, home)
    assert loaded == {"textual"}


def test_help_loads_nothing_heavy_and_commands_neither_textual_nor_the_service_unless_they_name_its_worlds(home: Path):
    light = ("--help", "--version", "no-such-command", "--no-such-option")
    ended = loaded_in_turn(
        home,
        *light,
        "operations",
        "operations groups.create",
        "list --help",
        "watch --help",
        "call groups.create name=Night --dry-run",
        "config validate",
        "config show",
        "config schema",
        "config example",
        "routes validate routes.toml",
        "info",
        "",
        "demo",
        "completion bash",
        "serve --port 0 --world nowhere",
    )
    assert [ended.pop(each)[1] for each in light] == [set(), set(), set(), set()]
    code, with_service = ended.pop("serve --port 0 --world nowhere")
    for each, (_, loaded) in ended.items():
        assert not loaded & {"textual", "starlette", "uvicorn", "sqlalchemy"}, each
    assert code == 2
    assert "starlette" in with_service
    assert "textual" not in with_service


def test_headless_commands_load_no_textual(home: Path, service: Running, monkeypatch: pytest.MonkeyPatch):
    profile(home, service.core_url)
    monkeypatch.setenv("CONSOLE_PASSWORD", "demo")
    ended = loaded_in_turn(
        home,
        "list calls --limit 0",
        "watch skills --changes 1",
        "call users.current",
        "login --store file",
        "logout",
    )
    assert {each: code for each, (code, _) in ended.items()} == dict.fromkeys(ended, 0)
    assert "httpx" in ended["list calls --limit 0"][1]
    for each, (_, loaded) in ended.items():
        assert not loaded & {"textual", "starlette", "uvicorn", "sqlalchemy"}, each


def until(condition: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    """Wait for a condition."""
    deadline = time.monotonic() + seconds
    turn = threading.Event()
    while not condition():
        if time.monotonic() > deadline:
            return False
        turn.wait(0.02)
    return True


def test_an_interrupted_watch_ends_its_session_and_exits_with_130(home: Path, service: Running):
    profile(home, service.core_url)
    before = len(living(service))
    environment = os.environ | {"CONSOLE_HOME": str(home), "CONSOLE_PASSWORD": "demo"}
    for number in (signal.SIGINT, signal.SIGTERM):
        child = subprocess.Popen(
            [sys.executable, "-m", "console", "watch", "skills"], env=environment, stdout=subprocess.PIPE, text=True
        )
        assert child.stdout is not None
        with child.stdout:
            assert child.stdout.readline()
            assert len(living(service)) > before
            child.send_signal(number)
            assert child.wait(PATIENCE) == 130
        assert until(lambda: len(living(service)) == before)


def test_a_reader_that_closes_the_pipe_is_no_error(home: Path):
    environment = os.environ | {"CONSOLE_HOME": str(home)}
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "console", "operations"],
        env=environment,
        stdout=writer,
        stderr=subprocess.PIPE,
        timeout=60,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_watch_whose_reader_closes_the_pipe_ends_with_its_session(home: Path, service: Running):
    profile(home, service.core_url)
    before = len(living(service))
    environment = os.environ | {"CONSOLE_HOME": str(home), "CONSOLE_PASSWORD": "demo"}
    child = subprocess.Popen(
        [sys.executable, "-m", "console", "watch", "groups", "--for", "60"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert child.stdout is not None
    assert child.stderr is not None
    with child.stdout, child.stderr:
        assert child.stdout.readline()
        child.stdout.close()
        with service.platform.read() as tx:
            eva = people.need_user(tx, "eva")
        groups.create(service.platform, eva, "Something new to tell")
        assert child.wait(PATIENCE) == 0
        assert child.stderr.read() == b""
    assert until(lambda: len(living(service)) == before)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="has no device that is always full")
@pytest.mark.parametrize("buffered", [True, False])
def test_a_full_disk_for_the_output_is_reported(home: Path, buffered: bool):
    environment = os.environ | {"CONSOLE_HOME": str(home), "PYTHONUNBUFFERED": "" if buffered else "1"}
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "console", "operations"],
            env=environment,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
        )
    said = "console: cannot write the output: No space left on device\n"
    assert (done.returncode, done.stderr) == (1, said)


def test_csv_for_excel_is_utf_8_in_every_locale(tmp_path: Path):
    profile(tmp_path, "http://127.0.0.1:1/core")
    environ = {**os.environ, "CONSOLE_HOME": str(tmp_path), "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "console", "list", "rules", "--csv=excel"]
    ended = subprocess.run(command, env=environ, stdout=subprocess.PIPE, check=True, timeout=PATIENCE)
    assert ended.stdout.startswith(b"\xef\xbb\xbf")


def test_an_interrupt_while_modules_are_imported_ends_quietly_with_130(home: Path):
    profile(home, "http://127.0.0.1:9/core")
    command = [sys.executable, "-X", "importtime", "-m", "console", "watch", "calls"]
    environment = os.environ | {"CONSOLE_HOME": str(home)}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stderr is not None
        assert any("console.base.put_aside" in line for line in process.stderr)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert (process.returncode, out) == (130, "")
    assert "Traceback" not in err
