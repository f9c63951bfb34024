"""Damaged files of the user's state are kept before they are written anew, and the user is told."""

from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from console.base.put_aside import untold
from console.cli.profiles.credentials import KeptLogin, keep_login
from console.cli.program import run
from console.config.paths import Places, places
from console.recording.identities import Identities
from console.rules.keeping import load_episodes, save_episodes
from console.ui.screens.remembered import remember
from tests.for_each import for_each


@pytest.fixture(autouse=True)
def nothing_told() -> Generator[None]:
    untold.clear()
    yield
    untold.clear()


def _episodes(here: Places) -> None:
    load_episodes(here.state / "episodes-a.json")
    assert save_episodes(here.state / "episodes-a.json", (), ())


def _texts(here: Places) -> None:
    remember(here.state / "texts-a.json", "note", "lunch")


def _services(here: Places) -> None:
    Identities(here).note("desk", "http://127.0.0.1:1/core", "e1", "eva")


def _tokens(here: Places) -> None:
    environ = {"CONSOLE_HOME": str(here.state.parent)}
    keep_login("desk", KeptLogin("http://x", "eva", "s", "t"), "file", environ)


WRITERS: dict[str, Callable[[Places], None]] = {
    "episodes-a.json": _episodes,
    "texts-a.json": _texts,
    "services.json": _services,
    "tokens.json": _tokens,
}


@for_each("name", list(WRITERS))
@for_each("text", [b"{", b"3", b"\xff\xfe", b"[" * 100_000])
def test_a_damaged_file_is_kept_before_it_is_written_anew(tmp_path: Path, name: str, text: bytes) -> None:
    here = places({"CONSOLE_HOME": str(tmp_path / str(len(list(tmp_path.iterdir()))))})
    here.state.mkdir(parents=True)
    (here.state / name).write_bytes(text)
    (here.state / name).chmod(0o600)
    untold.clear()
    WRITERS[name](here)
    WRITERS[name](here)
    assert (here.state / f"{name}.damaged1").read_bytes() == text
    assert not (here.state / f"{name}.damaged2").exists()
    assert [*untold] == [f"{name} cannot be read: it is damaged. It is kept as {here.state / name}.damaged1."]


def test_a_command_tells_which_damaged_file_it_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CONSOLE_HOME", str(tmp_path))
    (tmp_path / "config.toml").write_text('[profiles.desk]\ncore = "http://127.0.0.1:1/core"\nusername = "eva"\n')
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "services.json").write_text("[{")
    assert run(["notes", "list"]) == 0
    err = capsys.readouterr().err
    assert "console: services.json cannot be read: it is damaged. It is kept as " in err
    assert (tmp_path / "state" / "services.json.damaged1").read_text() == "[{"
