"""The console does without a piece that Textual or the environment does not allow, and says so."""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path

import pytest
from textual.driver import Driver

from console.cli.checks.info import info
from console.ui.screens.home import HomeScreen
from console.ui.textual_compat import compositor, driver_class, pieces
from console.ui.textual_compat.compositor import CellsCompositor
from console.ui.textual_compat.failure import QuietFailure
from console.ui.textual_compat.pieces import STOCK, WITHOUT, WRITTEN_FOR, Gone, has, installed, missing, takes
from tests.idle.backend import IdleBackend
from tests.idle.console import still_console
from tests.idle.world import StillWorld
from tests.snapshots.pictures import Sitter


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    monkeypatch.delenv(STOCK, raising=False)
    missing.cache_clear()
    yield
    missing.cache_clear()


class Part:
    """A class as a library may have it."""

    def __init__(self) -> None:
        self.kept = 0

    def method(self, one: int, *, two: int) -> int:
        return one + two


def test_every_piece_works_with_the_version_it_is_written_for() -> None:
    if installed() == WRITTEN_FOR:
        assert {piece: missing(piece) for piece in WITHOUT} == dict.fromkeys(WITHOUT, "")


def test_what_is_gone_is_named() -> None:
    has(Part, "kept", "method")
    takes(Part, "method", "one", "two")
    with pytest.raises(Gone, match=r"^Part\.other does not exist$"):
        has(Part, "other")
    with pytest.raises(Gone, match=r"^Part\.method has the parameters \(one, two\)$"):
        takes(Part, "method", "one")


def test_a_piece_whose_method_takes_something_else_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    def render_strips(self: object, size: object, style: object) -> None:
        raise NotImplementedError

    monkeypatch.setattr(compositor.Compositor, "render_strips", render_strips)
    monkeypatch.setattr(pieces, "WRITTEN_FOR", "0")
    said = pieces.without()
    assert [*said] == ["compositor"]
    assert "Compositor.render_strips has the parameters (size, style)" in said["compositor"]
    assert said["compositor"].endswith(WITHOUT["compositor"])


def test_a_piece_whose_module_is_gone_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(name: str) -> None:
        raise ModuleNotFoundError(f"No module named {name!r}")

    monkeypatch.setattr("importlib.import_module", gone)
    assert "No module named" in missing("terminal")
    assert driver_class() is None


def test_the_environment_names_pieces_to_do_without(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    driver = driver_class()
    assert driver is not None
    assert issubclass(driver, Driver)
    missing.cache_clear()
    monkeypatch.setenv(STOCK, "terminal, stylesheet")
    assert driver_class() is None
    info(json=True)
    found = json.loads(capsys.readouterr().out)
    assert found["textual"] == installed()
    assert {name for name in found if name.startswith("no ")} == {"no stylesheet", "no terminal"}
    assert found["no terminal"].startswith(f"{STOCK} is set; ")


async def test_without_any_piece_the_console_shows_the_same(
    busy: StillWorld, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shown: list[str] = []
    for without in ("", "all"):
        monkeypatch.setenv(STOCK, without)
        missing.cache_clear()
        app = still_console(IdleBackend(busy), tmp_path)
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.press("2", "down", "down", "1")
            await Sitter(pilot).hold_still()
            assert isinstance(app.screen, HomeScreen)
            assert any(isinstance(each, CellsCompositor) for each in vars(app.screen).values()) is not bool(without)
            shown.append(app.export_screenshot(title="console"))
    assert _texts(shown[0]) == _texts(shown[1])


class Failing(QuietFailure):
    """An application that fails while it knows a password."""

    def on_mount(self) -> None:
        password = "hunter2"
        raise ValueError(f"a password of {len(password)} characters")


@pytest.mark.parametrize("without", ["", "failure"])
def test_no_value_of_a_failure_is_printed(
    without: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(STOCK, without)
    app = Failing()
    app.run(headless=True)
    assert str(app.fault) == ("the user interface failed" if without else "a password of 7 characters")
    assert capfd.readouterr() == ("", "")


def _texts(picture: str) -> list[str]:
    """Return the lines of a picture without the ids that differ in each."""
    return [line.partition(">")[2] for line in picture.splitlines() if "<text" in line]
