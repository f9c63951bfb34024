"""Files with secrets are used only while they are private to their owner."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from console.cli.exits import Failure
from console.cli.profiles.credentials import KeptLogin, keep_login, kept_login
from console.config.paths import places, read_private, write_private
from console.config.schema import Profile
from console.service.platform import Platform
from console.service.store.database import Database
from console.service.store.faults import DatabaseFault
from tests.faults.figures import record

Spoil = Callable[[Path, pytest.MonkeyPatch], None]


def linked(file: Path, _patch: pytest.MonkeyPatch) -> None:
    file.rename(file.with_name("elsewhere"))
    file.symlink_to(file.with_name("elsewhere"))


def others(file: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setattr("os.geteuid", lambda: os.getuid() + 1)


def open_to_the_group(file: Path, _patch: pytest.MonkeyPatch) -> None:
    file.chmod(0o640)


def open_to_all(file: Path, _patch: pytest.MonkeyPatch) -> None:
    file.chmod(0o644)


SPOILS: dict[str, Spoil] = {
    "a link": linked,
    "of another owner": others,
    "0640": open_to_the_group,
    "0644": open_to_all,
}
CORE = "https://voice.desk.example/core"


def use_a_kept_login(folder: Path) -> Path:
    """Use a login stored in a file, and return the file."""
    environ = {"CONSOLE_HOME": str(folder)}
    file = places(environ).tokens
    if not file.exists():
        keep_login("work", KeptLogin(CORE, "eva", "s1", "token"), "file", environ)
    assert kept_login("work", Profile(core=CORE), environ) is not None
    return file


def test_below_a_file_there_is_no_stored_login():
    assert kept_login("work", Profile(core=CORE), {"HOME": os.devnull}) is None


def use_the_key_of_a_service(folder: Path) -> Path:
    """Open a database with encrypted secrets, and return its key file."""
    Platform(Database(folder / "desk.db")).close()
    return folder / "desk.db.key"


@pytest.mark.parametrize("use", [use_a_kept_login, use_the_key_of_a_service])
@pytest.mark.parametrize("how", SPOILS)
def test_a_secrets_file_with_wrong_permissions_is_not_used(
    use: Callable[[Path], Path], how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    SPOILS[how](use(tmp_path), monkeypatch)
    refused = False
    try:
        use(tmp_path)
    except (Failure, DatabaseFault):
        refused = True
    record("K2", refused, f"{how}: {'refused' if refused else 'used'}", "refused")
    assert refused


@pytest.mark.parametrize("spoil", SPOILS.values(), ids=SPOILS)
def test_a_secret_is_not_read_from_a_file_of_another_user(
    spoil: Spoil, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "secret"
    file.touch(0o600)
    file.write_text("hush")
    assert read_private(file) == b"hush"
    spoil(file, monkeypatch)
    with pytest.raises(OSError, match=r"link|another user|other users can read"):
        read_private(file)


def test_a_named_pipe_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe", 0o600)
    with pytest.raises(OSError, match="not a regular file"):
        read_private(tmp_path / "pipe")


@pytest.mark.parametrize("below", ["file", "file/state", "link/state"])
def test_a_file_in_place_of_a_directory_is_named(tmp_path: Path, below: str) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    with pytest.raises(NotADirectoryError) as raised:
        write_private(tmp_path / below / "notes.json", "{}")
    assert str(raised.value) == f"[Errno 20] Not a directory: '{tmp_path / below.partition('/')[0]}'"
