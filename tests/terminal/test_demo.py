"""`console demo`: a service of its own that starts and ends with the console, however that ends."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from console.cli.service.demo import service
from tests.static.source_files import ROOT
from tests.terminal.home import LARGE, SMALL, Home
from tests.terminal.terminal import Terminal

LINUX = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes as Linux shows them")


def service_of(terminal: Terminal) -> int:
    """Return the process of the demo's service."""
    pid = terminal.process.pid
    (child,) = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()
    return int(child)


def is_gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def calls_said(terminal: Terminal) -> int:
    found = re.search(r"^ (\d+) calls", terminal.screen, re.MULTILINE)
    return int(found[1]) if found else 0


ENDS: dict[str, tuple[Callable[[Terminal], None], int]] = {
    "q": (lambda eva: eva.press("q"), 0),
    "SIGTERM": (lambda eva: eva.signal(signal.SIGTERM), 130),
    "hang-up": (lambda eva: eva.hang_up(), 130),
    "SIGKILL": (lambda eva: eva.signal(signal.SIGKILL), -9),
}


@LINUX
@pytest.mark.parametrize("how", ENDS)
def test_the_service_ends_with_the_console(home: Home, how: str):
    end, code = ENDS[how]
    with home.open("demo", "--world", "empty", size=SMALL) as eva:
        eva.until("LIVE")
        service = service_of(eva)
        end(eva)
        assert eva.ended() == code
        eva.until(lambda: is_gone(service))
        if code == 0:
            assert eva.leftovers == []
            assert eva.screen == ""


@LINUX
def test_a_demo_stopped_before_its_first_frame_leaves_nothing_behind(home: Home):
    with home.open("demo", "--world", "large", size=SMALL, fresh=True) as eva:
        eva.until(lambda: Path(f"/proc/{eva.process.pid}/task/{eva.process.pid}/children").read_text(encoding="utf-8"))
        service = service_of(eva)
        eva.press("ctrl+c")
        assert eva.ended() == 130
        eva.until(lambda: is_gone(service))
        assert eva.leftovers == []


def test_a_demo_runs_no_file_of_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for name in ("secrets", "calendar", "console", "sqlite3", "uvicorn"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'a').write({name!r})", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with service("empty") as address:
        assert address.startswith("http://127.0.0.1:")
    assert not (tmp_path / "ran").exists()


def test_an_unknown_world_is_reported(home: Home):
    with home.open("demo", "--world", "bussy", size=LARGE) as terminal:
        assert terminal.ended() == 2
        assert "console: " in terminal.screen
        assert "bussy" in terminal.screen


def test_make_demo_shows_calls_that_change(home: Home):
    made = re.search(r"^demo:.*\n\t@?\$\(BIN\)/console (.*)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert made is not None
    command = made[1].replace("$(WORLD)", "busy").split()
    with home.open(*command, "--speed", "20") as eva:
        # Something critical may happen meanwhile, and rings.
        eva.lawful = re.compile(rb"\x07")
        eva.until("LIVE")
        eva.until("Needs attention")
        eva.press("2")
        eva.until(lambda: calls_said(eva) >= 100)
        eva.until(lambda: "connected" in eva.screen)
        first = eva.screen
        eva.until(lambda: eva.screen.splitlines()[2:3] != first.splitlines()[2:3])
        eva.press("q")
        assert eva.ended() == 0
