"""Commands with closed or odd standard streams, without a home directory, and as checks of a monitoring system."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from console import __version__
from console.cli.program import run
from console.config.paths import places
from console.config.reader import load
from console.config.toml_source import ConfigFault
from tests.cli.conftest import profile
from tests.for_each import for_each
from tests.patience import PATIENCE

CLOSED = "<&- >&- 2>&-"


def shell(line: str, **environ: str) -> subprocess.CompletedProcess[bytes]:
    """Run a line of a shell, in which `console` is the program."""
    program = f'console() {{ "{sys.executable}" -P -m console "$@"; }}\n'
    return subprocess.run(
        ["/bin/sh", "-c", program + line],
        capture_output=True,
        timeout=PATIENCE,
        check=False,
        env={**os.environ, **environ},
    )


@for_each("streams", ("<&-", "0>/dev/null", ">&-", "2>&-", "2>/dev/full", CLOSED))
def test_a_command_succeeds_with_any_closed_or_odd_stream(streams: str, home: Path):
    ended = shell(f"console --version {streams}")
    assert ended.returncode == 0
    assert ended.stderr == b""
    assert ended.stdout == (b"" if " >&-" in f" {streams}" else f"{__version__}\n".encode())


@for_each("streams", ("<&- >&-", "2>&-", "2>/dev/full", CLOSED))
def test_a_failing_command_writes_its_message_to_stderr_or_nowhere(streams: str, home: Path):
    ended = shell(f"console nonsense {streams}")
    assert ended.returncode == 2
    assert ended.stdout == b""
    assert (b"There is no command nonsense" in ended.stderr) == ("2>" not in streams)
    assert b"Traceback" not in ended.stderr


def test_output_that_cannot_be_written_is_reported(home: Path):
    ended = shell("console --version 1</dev/null")
    assert ended.returncode == 1
    assert ended.stderr.count(b"\n") == 1
    assert b"cannot write the output" in ended.stderr


@for_each("encoding", ("ascii", "cp437"))
def test_a_sign_that_an_encoding_lacks_ends_no_command_and_json_is_the_same(encoding: str, home: Path):
    profile(home, "http://127.0.0.1:9/core", '[views.calls."Łukasz ● 東京"]\nfilter = "x"\n')
    text = shell("console config show", PYTHONIOENCODING=encoding)
    assert text.returncode == 0
    assert text.stderr == b""
    data = shell("console config show --json", PYTHONIOENCODING=encoding)
    assert data.returncode == 0
    assert "Łukasz ● 東京" in json.loads(data.stdout.decode(encoding))["views"]["calls"]


@pytest.fixture
def homeless(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Make the user one without a home directory, in an empty current directory."""
    for name in list(os.environ):
        if name == "HOME" or name.startswith(("XDG_", "CONSOLE_")):
            monkeypatch.delenv(name)

    def unknown(number: int) -> None:
        raise KeyError(number)

    monkeypatch.setattr("pwd.getpwuid", unknown)
    monkeypatch.chdir(tmp_path)
    return tmp_path


COMMANDS = (
    *("list calls", "info", "call users.current", "record --for 1s", "report", "journal verify", "journal show"),
    *(
        "config validate",
        "config show",
        "rules list",
        "rules validate",
        "recordings list",
        "notes list",
        "doctor",
        "login",
    ),
    *("logout", "status", "metrics", "watch calls", "history calls x"),
)


@for_each("command", COMMANDS)
def test_without_a_home_directory_a_command_names_what_to_set(
    command: str, homeless: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("CONSOLE_CORE", "http://127.0.0.1:9/core")
    monkeypatch.setenv("CONSOLE_USERNAME", "eva")
    monkeypatch.setenv("CONSOLE_PASSWORD", "demo")
    assert run(command.split()) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "set CONSOLE_HOME" in said.err
    assert not os.listdir(homeless)


def test_without_a_home_directory_the_directories_of_the_environment_are_used(
    homeless: Path, monkeypatch: pytest.MonkeyPatch
):
    for name in ("CONFIG", "STATE", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(homeless / name))
    found = places(os.environ)
    assert found.config_file == homeless / "CONFIG" / "operator-console" / "config.toml"
    assert found.downloads.is_relative_to(homeless / "STATE")
    monkeypatch.setenv("CONSOLE_HOME", str(homeless / "all"))
    assert places(os.environ).state == homeless / "all" / "state"


def test_without_a_home_directory_a_path_that_needs_it_is_a_fault_with_its_line(homeless: Path):
    file = homeless / "config.toml"
    file.write_text('[profiles.a]\ncore = "http://h/core"\nroutes = "~/routes.toml"\n', encoding="utf-8")
    with pytest.raises(ConfigFault) as fault:
        load(file, {"CONSOLE_HOME": str(homeless)})
    assert "config.toml:3: profiles.a.routes: ~/routes.toml is unknown" in str(fault.value)


NO_VERDICT = (
    "status --check --nonsense",
    "status --check extra",
    "status --check --critical",
    "status --check --critical wait=abc",
    "status --check --profile unknown",
    "status --check --config /nonexistent",
    "status --nonsense --check",
    "--profile desk status --check",
)


@for_each("line", NO_VERDICT)
def test_a_check_without_a_verdict_is_unknown_on_one_line_of_stdout(
    line: str, home: Path, capsys: pytest.CaptureFixture[str]
):
    assert run(line.split()) == 3
    said = capsys.readouterr()
    assert said.out.startswith("CONSOLE UNKNOWN - ")
    assert said.out.count("\n") == 1
    assert "|" not in said.out
    assert said.err == ""


@for_each("error", (RuntimeError("a|b\nc"), KeyboardInterrupt(), EOFError(), MemoryError(), OSError(28, "full")))
def test_a_check_that_fails_inside_is_unknown(
    error: BaseException, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    def fail(_where: object) -> None:
        raise error

    profile(home, "http://127.0.0.1:9/core")
    monkeypatch.setattr("console.cli.checks.status.choose", fail)
    assert run(["status", "--check"]) == 3
    said = capsys.readouterr()
    assert said.out.startswith("CONSOLE UNKNOWN - ")
    assert said.out.count("\n") == 1
    assert "|" not in said.out


def test_a_check_without_a_home_directory_is_unknown(homeless: Path, capsys: pytest.CaptureFixture[str]):
    assert run(["status", "--check"]) == 3
    assert capsys.readouterr().out.startswith("CONSOLE UNKNOWN - ")


def test_a_check_whose_output_cannot_be_written_is_unknown(home: Path):
    profile(home, "http://127.0.0.1:9/core")
    assert shell("console status --check >/dev/full").returncode == 3
    assert shell("console status --check >&-").returncode == 3
