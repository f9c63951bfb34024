"""Commands with profiles that log in without a session, or without a person."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.background import Running
from tests.canary import files_below, leaks
from tests.cli.conftest import Console, living, profile
from tests.cli.test_canaries import script
from tests.cli.test_exit_codes import refused


def routes(home: Path, text: str = '"sessions.start" = false\n') -> str:
    (home / "routes.toml").write_text(text, encoding="utf-8")
    return 'routes = "routes.toml"'


@pytest.fixture
def by_command(console: Console, service: Running, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a profile whose command prints a token, and return the program."""
    profile(home, service.core_url, 'login = "token"')
    assert console("login", "--store", "file").code == 0
    token = (home / "state" / "tokens.json").read_text(encoding="utf-8").split('"token": "')[1].partition('"')[0]
    assert console("list", "skills", "--limit", "0").code == 0
    (home / "state" / "tokens.json").unlink()
    (home / "bin").mkdir()
    monkeypatch.delenv("CONSOLE_PASSWORD")
    profile(home, service.core_url, 'login = { command = ["bin/token"] }')
    return script(home / "bin" / "token", token, home / "seen")


@pytest.mark.parametrize("how", ['login = "token"', "ROUTES"])
def test_without_sessions_the_token_is_used_directly(console: Console, service: Running, home: Path, how: str) -> None:
    before = living(service)
    profile(home, service.core_url, how if how != "ROUTES" else routes(home))
    ended = console("list", "skills", "--limit", "1")
    assert ended.code == 0, ended.err
    assert living(service) == before


def test_a_token_endpoint_replaces_the_login_of_the_service(console: Console, service: Running, home: Path) -> None:
    absent = routes(home, '"sessions.start" = false\n"tokens.issue" = false\n')
    profile(home, service.core_url, f'{absent}\nlogin = {{ url = "{service.core_url}/oauth2/token" }}')
    assert console("list", "skills", "--limit", "1").code == 0


def test_a_wrong_password_at_a_token_endpoint_is_told(
    console: Console, service: Running, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONSOLE_PASSWORD", "wrong-word-1")
    profile(home, service.core_url, f'login = {{ url = "{service.core_url}/oauth2/token" }}')
    ended = console("list", "skills")
    refused(ended, 4, "wrong user name or password")
    assert "wrong-word-1" not in ended.err


def test_a_login_without_a_session_is_stored_and_revoked(
    console: Console, service: Running, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    profile(home, service.core_url, 'login = "token"')
    ended = console("login", "--store", "file")
    assert "the token is stored in" in ended.out
    monkeypatch.delenv("CONSOLE_PASSWORD")
    assert console("list", "skills", "--limit", "0").code == 0
    kept = (home / "state" / "tokens.json").read_text(encoding="utf-8")
    assert console("logout").code == 0
    (home / "state" / "tokens.json").write_text(kept, encoding="utf-8")
    (home / "state" / "tokens.json").chmod(0o600)
    refused(console("list", "skills"), 4, "no password")


def test_a_token_command_beside_the_configuration_is_enough_to_log_in(by_command: Path, console: Console) -> None:
    assert console("list", "skills", "--limit", "1").code == 0
    assert console("config", "validate").code == 0
    assert by_command.exists()


def test_login_with_a_token_command_tries_it_and_stores_nothing(by_command: Path, console: Console, home: Path) -> None:
    ended = console("login")
    assert ended.code == 0
    assert ended.out == "The profile desk logs in by itself, which works. Nothing was stored.\n"
    assert not (home / "state" / "tokens.json").exists()
    assert by_command.exists()


def test_a_failing_token_command_is_named_by_its_key(by_command: Path, console: Console) -> None:
    by_command.write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")
    refused(console("list", "skills"), 4, "login.command", "ended with 3")
    by_command.unlink()
    refused(console("list", "skills"), 2, "config.toml:5: profiles.desk.login.command", "does not exist")


def test_a_token_that_the_service_refuses_is_said_to_be_refused(by_command: Path, console: Console, home: Path) -> None:
    script(by_command, "not-a-token-1", home / "seen")
    ended = console("list", "skills")
    refused(ended, 4, "the login was refused")
    assert "not-a-token-1" not in ended.err


EVERY = (("list", "skills"), ("call", "users.current"), ("config", "show"), ("config", "show", "--json"), ("doctor",))


def test_no_command_repeats_the_secret_of_a_client(console: Console, service: Running, home: Path) -> None:
    canary = "client-canary-5512/+"
    (home / "apart").mkdir()
    program = script(home / "apart" / "secret", canary, home / "apart" / "seen")
    login = f'url = "{service.core_url}/oauth2/token", client_id = "desk", client_secret_command = ["{program}"]'
    for auth in ("basic", "body"):
        profile(home, service.core_url, f'login = {{ {login}, client_auth = "{auth}" }}')
        ended = [console(*each) for each in EVERY]
        assert "wrong client id or secret: check login.client_id" in ended[0].err
        said = "".join(each.out + each.err for each in ended).encode()
        places = files_below(home) | {"what was printed": said}
        found = leaks({name: text for name, text in places.items() if not name.startswith("apart/")}, [canary])
        assert not found


def test_no_command_repeats_the_token_of_a_command(by_command: Path, console: Console, home: Path) -> None:
    token = by_command.read_text(encoding="utf-8").split("'")[-2]
    ended = [console(*each) for each in (*EVERY, ("doctor", "--share", str(home / "report.md")), ("login",))]
    said = "".join(each.out + each.err for each in ended).encode()
    places = files_below(home) | {"what was printed": said}
    del places["bin/token"]
    assert token.encode() in by_command.read_bytes()
    assert not leaks(places, [token])
