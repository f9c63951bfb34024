"""What `--out` and `--share` name is replaced if it is a regular file, and written into if it is anything else."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.background import Running
from tests.cli.conftest import Console, profile
from tests.patience import PATIENCE
from tests.recording.film import incident

BEGINNINGS = {"report": b"# Shift report", "cut": b"SQLite format 3", "share": b"# Check of a deployment"}

Write = Callable[[Path], int]


@pytest.fixture
def command() -> str:
    """The command that writes; `out_of` chooses others. All write through the same function."""
    return "report"


def out_of(*commands: str) -> pytest.MarkDecorator:
    """Run a test with each of these commands."""
    return pytest.mark.parametrize("command", commands)


@pytest.fixture
def arguments(command: str, home: Path, service: Running) -> list[str]:
    """The arguments of a command without the name of its output."""
    if command == "share":
        profile(home, service.core_url)
        return ["doctor", "--share"]
    file = str(incident(home / "incident.rec"))
    if command == "report":
        return ["report", "--file", file, "--out"]
    return ["recordings", "cut", file, "--from", "10:44", "--to", "10:47", "--force", "--out"]


@pytest.fixture
def write(arguments: list[str], offline: Console, monkeypatch: pytest.MonkeyPatch) -> Write:
    monkeypatch.setenv("CONSOLE_PASSWORD", "demo")
    return lambda out: offline(*arguments, str(out)).code


@pytest.fixture
def beginning(command: str) -> bytes:
    return BEGINNINGS[command]


def is_private(file: Path) -> bool:
    return stat.S_IMODE(file.stat().st_mode) == 0o600


@out_of("report", "cut", "share")
def test_a_regular_file_is_replaced_and_private(write: Write, beginning: bytes, tmp_path: Path):
    out = tmp_path / "out"
    other_name = tmp_path / "other"
    out.write_bytes(b"old")
    other_name.hardlink_to(out)
    write(out)
    assert out.read_bytes().startswith(beginning)
    assert is_private(out)
    assert other_name.read_bytes() == b"old"


@out_of("report", "cut")
def test_a_new_file_is_private_and_complete(write: Write, beginning: bytes, tmp_path: Path):
    write(tmp_path / "out")
    assert (tmp_path / "out").read_bytes().startswith(beginning)
    assert is_private(tmp_path / "out")
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".console.")]


def test_a_link_stays_and_its_target_is_written(write: Write, beginning: bytes, tmp_path: Path):
    link, target = tmp_path / "link", tmp_path / "target"
    target.write_bytes(b"old" * 1_000_000)
    link.symlink_to("target")
    write(link)
    assert link.is_symlink()
    assert target.read_bytes().startswith(beginning)
    assert len(target.read_bytes()) < 3_000_000
    assert is_private(target)


def test_a_link_to_a_missing_file_stays_and_creates_it(write: Write, beginning: bytes, tmp_path: Path):
    link = tmp_path / "link"
    link.symlink_to("target")
    write(link)
    assert link.is_symlink()
    assert (tmp_path / "target").read_bytes().startswith(beginning)


@out_of("report", "cut")
def test_a_pipe_stays_and_its_reader_gets_everything(write: Write, beginning: bytes, tmp_path: Path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()))
    reader.start()
    write(pipe)
    if not pipe.is_fifo():
        os.unlink(pipe)
        pytest.fail("the pipe was replaced by a file")
    reader.join(PATIENCE)
    assert received[0].startswith(beginning)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a device")
def test_a_device_stays(write: Write, tmp_path: Path):
    device = tmp_path / "null"
    os.mknod(device, stat.S_IFCHR | 0o666, os.makedev(1, 3))
    assert write(device) == 0
    assert device.is_char_device()
    assert stat.S_IMODE(device.stat().st_mode) & 0o600 == 0o600


@pytest.mark.parametrize(("command", "name"), [("report", "/dev/stdout"), ("cut", "/dev/fd/1")])
def test_the_output_of_the_process_is_written_where_it_stands(
    name: str, write: Write, beginning: bytes, tmp_path: Path
):
    out = tmp_path / "log"
    out.write_bytes(b"before\n")
    before = os.dup(1)
    try:
        with out.open("ab") as log:
            os.dup2(log.fileno(), 1)
        write(Path(name))
    finally:
        os.dup2(before, 1)
        os.close(before)
    assert out.read_bytes().startswith(b"before\n" + beginning)


@out_of("report", "cut")
def test_the_recording_that_is_read_is_not_written(write: Write, home: Path, tmp_path: Path):
    recording, link = home / "incident.rec", tmp_path / "link"
    link.symlink_to(recording)
    before = recording.read_bytes()
    assert [write(recording), write(link)] == [1, 1]
    assert recording.read_bytes() == before


@out_of("share")
def test_the_configuration_that_is_read_is_not_written(write: Write, home: Path):
    before = (home / "config.toml").read_bytes()
    assert write(home / "config.toml") == 1
    assert (home / "config.toml").read_bytes() == before
