"""Secrets are stored only where intended, whatever command is run."""

from __future__ import annotations

import base64
import json
import logging
import os
import shlex
import stat
from collections.abc import Generator
from pathlib import Path
from urllib.parse import quote

import pytest

from console.service.store.database import Database
from tests.background import Running, start_background
from tests.canary import PASSWORD, files_below, forms, leaks, minted, world
from tests.cli.conftest import Console, profile
from tests.faults.figures import record
from tests.for_each import for_each

WRONG = "Wrong-canary-5512/+"
HELPER = "#!/bin/sh\n(env; echo $0 $*) >> {seen}\nprintf '%s\\n' {words}\n"


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


def script(file: Path, words: str, seen: Path) -> Path:
    """Write a program that prints a secret, and records its environment."""
    file.write_text(HELPER.format(seen=shlex.quote(str(seen)), words=f"'{words}'"), encoding="utf-8")
    file.chmod(0o700)
    return file


@for_each("how", forms(PASSWORD))
def test_the_search_finds_a_secret_in_every_encoding(how: str):
    assert leaks({"somewhere": b"before \x00" + forms(PASSWORD)[how] + b" after"}, [PASSWORD])
    buried = base64.b64encode(b"a" + json.dumps({"password": WRONG}).encode() + b"b")
    assert leaks({"somewhere": buried}, [WRONG])
    assert not leaks({"somewhere": b"nothing of the kind"}, [PASSWORD, WRONG])


@pytest.fixture(autouse=True)
def open_mask() -> Generator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def test_no_command_leaks_a_secret(
    offline: Console,
    service: Running,
    database: Path,
    given_out: list[str],
    home: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
):
    caplog.set_level(logging.DEBUG)
    apart = tmp_path_factory.mktemp("apart")
    token_command = script(apart / "token", "Provisioning-canary-77", seen := home / "seen-by-children")
    profile(
        home,
        service.core_url,
        f'provisioning_token_command = ["{token_command}"]\nprovisioning = "{service.provisioning_url}"',
    )
    said: list[str] = []

    def run(*arguments: str) -> int:
        ended = offline(*arguments)
        said.extend((ended.out, ended.err))
        return ended.code

    monkeypatch.setenv("CONSOLE_PASSWORD", WRONG)
    assert run("list", "users") == 4
    monkeypatch.setenv("CONSOLE_PASSWORD", PASSWORD)
    assert run("list", "users", "--json") == 0
    assert run("list", "sessions", "--json") == 0
    assert run("call", "users.current") == 0
    assert run("call", "provisioning-users.list") != 0, "that token is none"
    secret = apart / "secret"
    secret.write_text(WRONG, encoding="utf-8")
    for more in ((), ("--dry-run",)):
        run("call", "tokens.inspect", f"token=@{secret}", *more)
        run("call", "tokens.issue", "grant_type=password", "username=eva", f"password=@{secret}", *more)
    run("info")
    run("config", "show")
    run("doctor")
    assert run("login", "--store", "file") == 0
    monkeypatch.delenv("CONSOLE_PASSWORD")
    assert run("list", "users", "--limit", "1") == 0
    kept = (home / "state" / "tokens.json").read_bytes()
    assert leaks({"the file that was asked for": kept}, given_out), "the search works"
    assert run("logout") == 0
    profile(home, f"http://eva:{quote(PASSWORD, safe='')}@desk.example/core")
    run("list", "users")
    profile(home, service.core_url.replace("http:", f"htp://eva:{WRONG}@x"))
    run("list", "users")
    (home / "config.toml").unlink()

    assert seen.exists(), "a child was run"
    wrong_mode = [str(file) for file in home.rglob("*") if file != seen and stat.S_IMODE(file.stat().st_mode) & 0o077]
    places = files_below(home, database.parent)
    places |= {"what was printed": "\n".join(said).encode(), "the logs": caplog.text.encode()}
    # Only the answer contains what eva requested.
    issued = [each for each in given_out if each.encode() not in places["what was printed"]]
    found = leaks(places, [PASSWORD, WRONG, "Provisioning-canary-77", *issued])
    record("K1", not found, f"{len(found)} in {len(places)} places, {len(issued) + 3} secrets (commands)", "0")
    record("K2", not wrong_mode, f"{len(wrong_mode)} files readable by others (commands)", "0 under umask 000")
    assert not found
    assert not wrong_mode
