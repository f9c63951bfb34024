"""A complete session at the console with all files that it writes: no secret is left anywhere."""

from __future__ import annotations

import base64
import os
import re
import stat
from collections.abc import Generator
from pathlib import Path

import pytest

from console.service.store.database import Database
from tests.background import Running, start_background
from tests.canary import PASSWORD, files_below, leaks, minted, world
from tests.faults.figures import record
from tests.pieces import needs
from tests.terminal.home import Home, living_sessions

WRONG = "Wrong-canary-5512/+"
FAULTY = """
from console.config import paths

find = paths.resource_dir

def pause(screen, password={password!r}):
    token = screen.context.backend._engine._client.sessions.token
    login = screen.app.profiles.here.login
    return {{}}["no such key"]

def resource_dir(name):
    from console.ui.screens.list_screen import ListScreen
    ListScreen.do_pause = pause
    return find(name)

paths.resource_dir = resource_dir
"""
"""An internal error of the console in a place with access to secrets."""


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("service") / "service.db"


@pytest.fixture(scope="module")
def given_out() -> Generator[list[str]]:
    with minted() as found:
        yield found


@pytest.fixture(scope="module")
def service(database: Path, given_out: list[str]) -> Generator[Running]:
    with start_background(world, database=Database(database)) as running:
        yield running


@needs("failure")
def test_a_session_leaves_no_secret_anywhere(
    home: Home, service: Running, database: Path, given_out: list[str], tmp_path: Path
):
    (tmp_path / "sitecustomize.py").write_text(FAULTY.format(password=PASSWORD), encoding="utf-8")
    home.configure(service.core_url)
    before, mask = living_sessions(service), os.umask(0)
    log = home.folder / "keys.log"
    try:
        with home.open(
            fresh=True,
            PYTHONPATH=str(tmp_path),
            TEXTUAL_LOG=str(log),
            TEXTUAL="debug",
            TEXTUAL_SCREENSHOT_LOCATION=str(tmp_path),
        ) as eva:
            eva.until("User name:")
            eva.type("eva\r")
            eva.until("Password of eva:")
            eva.type(f"{WRONG}\r")
            eva.until("Log in")
            process = Path(f"/proc/{eva.process.pid}")
            eva.type(f"{PASSWORD}\r")
            eva.until("LIVE")
            running = {"argv": (process / "cmdline").read_bytes(), "environ": (process / "environ").read_bytes()}
            eva.press("6")
            eva.until("active")
            eva.type("y")
            eva.until("clipboard")
            eva.type("E")
            eva.until("rows in")
            eva.type("J")
            eva.until(lambda: any(home.folder.rglob("*.json")))
            eva.type("a")
            eva.until(lambda: "accepted" in eva.screen or "refused" in eva.screen)
            eva.type(":access sessions")
            eva.answer("enter", "Access sessions")
            eva.until("active of")
            eva.type("n")
            eva.until_hears("Create session")
            eva.press("ctrl+y")
            eva.answer("enter", "Send")
            eva.until_hears("The secret is shown only here")
            eva.press("escape")
            eva.until("The secret has not been shown yet")
            eva.press("escape")
            eva.until(lambda: "Answer:" not in eva.screen)
            eva.press("ctrl+l")
            eva.until("own changes")
            eva.type("J")
            eva.until("changes-")
            # The recorder begins a few seconds after the first frame.
            eva.until(lambda: any(home.folder.rglob("*.rec")))
            eva.press("p")
            assert eva.ended() == 1
            written = bytes(eva.written)
    finally:
        os.umask(mask)
    made = living_sessions(service) - before
    assert len(made) == 1, "after a fault of its own, too, nobody stays logged in: the session is the one asked for"
    assert not log.exists(), "keys are not written down, whatever the environment says"
    (fault,) = (home.folder / "log").iterdir()
    assert "no such key" in fault.read_text(encoding="utf-8")
    assert (home.folder / "state" / "journal.jsonl").exists()
    clipboard = b"".join(base64.b64decode(each) for each in re.findall(rb"\x1b\]52;c;([^\x07\x1b]*)", written))
    assert clipboard, "something was copied"
    places = files_below(home.folder, database.parent) | running
    places |= {"terminal": written, "screen": eva.screen.encode(), "clipboard": clipboard}
    found = leaks(places, [PASSWORD, WRONG, *given_out])
    open_to_others = [
        str(each)
        for each in home.folder.rglob("*")
        if stat.S_IMODE(each.stat().st_mode) & 0o077 and each.suffix != ".toml"
    ]
    record("K1", not found, f"{len(found)} in {len(places)} places, {len(given_out) + 2} secrets (a session)", "0")
    record("K2", not open_to_others, f"{len(open_to_others)} files readable by others (a session)", "0 under umask 000")
    assert len(given_out) >= 2
    assert not found
    assert not open_to_others
