from __future__ import annotations

import json
from pathlib import Path

import keyring
import keyring.errors
import pytest

from tests.background import Running
from tests.cli.conftest import Console, living, profile


class MemoryKeyring:
    """A keyring like a desktop's, for one test."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if self.kept.pop((service, username), None) is None:
            raise keyring.errors.PasswordDeleteError


@pytest.fixture
def ring(monkeypatch: pytest.MonkeyPatch) -> MemoryKeyring:
    """Replace the keyring of the machine."""
    ring = MemoryKeyring()
    for name in ("get_password", "set_password", "delete_password"):
        monkeypatch.setattr(keyring, name, getattr(ring, name))
    return ring


def test_a_login_stored_in_a_file_is_used_until_logout(
    console: Console, service: Running, home: Path, monkeypatch: pytest.MonkeyPatch
):
    before = living(service)
    ended = console("login", "--store", "file")
    assert ended.code == 0, ended.err
    file = home / "state" / "tokens.json"
    assert file.stat().st_mode & 0o777 == 0o600
    assert "demo" not in json.loads(file.read_text(encoding="utf-8"))["desk"].values()

    monkeypatch.delenv("CONSOLE_PASSWORD")
    assert console("list", "skills", "--limit", "0").code == 0
    assert len(living(service) - before) == 1

    assert console("logout").code == 0
    assert living(service) <= before
    assert console("list", "skills").code == 4
    assert console("logout").code == 4


def test_a_login_is_stored_in_the_keyring_if_there_is_one_and_in_one_place_only(
    console: Console, home: Path, ring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
):
    file = home / "state" / "tokens.json"
    assert console("login", "--store", "file").code == 0
    assert "desk" in json.loads(file.read_text(encoding="utf-8"))
    assert not ring.kept
    assert console("login").code == 0
    assert "desk" not in json.loads(file.read_text(encoding="utf-8"))
    assert ring.kept
    assert console("login", "--store", "file").code == 0
    assert not ring.kept
    assert console("login").code == 0
    monkeypatch.delenv("CONSOLE_PASSWORD")
    assert console("list", "skills", "--limit", "0").code == 0
    assert console("logout").code == 0
    assert not ring.kept


def test_a_password_in_the_keyring_overrides_all_others(
    console: Console, ring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
):
    ring.set_password("operator-console", "desk/eva", "demo")
    monkeypatch.setenv("CONSOLE_PASSWORD", "wrong")
    assert console("list", "skills", "--limit", "0").code == 0


def test_without_a_keyring_no_login_is_stored_unless_requested(console: Console, home: Path, service: Running):
    before = living(service)
    ended = console("login")
    assert ended.code == 1
    assert "this machine has no keyring; use --store file" in ended.err
    assert not (home / "state").exists()
    assert living(service) <= before, "a session that cannot be kept is ended"


@pytest.mark.parametrize("backend", ["bogus.Backend", "json.JSONDecoder", ""])
def test_a_broken_keyring_is_none_and_is_named_where_a_login_should_be_stored(
    console: Console, monkeypatch: pytest.MonkeyPatch, backend: str
):
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", backend)
    monkeypatch.setattr(keyring.core, "_keyring_backend", None)
    assert console("list", "skills", "--limit", "0").code == 0
    ended = console("login")
    assert ended.code == 1
    assert "cannot store the login: keyring error: " in ended.err


def test_a_read_only_profile_can_log_in_and_out_and_changes_nothing(console: Console, home: Path, service: Running):
    before = living(service)
    profile(home, service.core_url, "read_only = true")
    assert console("login", "--store", "file").code == 0
    assert len(living(service) - before) == 1
    ended = console("call", "skills.create", "skill=nope")
    assert (ended.code, ended.err) == (4, "console: skills.create: this profile is read-only\n")
    assert console("list", "skills", "--filter", "nope", "--expect", "none").code == 0
    assert console("logout").code == 0
    assert living(service) <= before


def test_a_file_that_others_can_read_is_not_used(console: Console, home: Path):
    assert console("login", "--store", "file").code == 0
    (home / "state" / "tokens.json").chmod(0o644)
    ended = console("list", "skills")
    assert ended.code == 4
    assert "other users can read it" in ended.err


def test_a_token_is_never_sent_to_another_service(
    console: Console, home: Path, service: Running, monkeypatch: pytest.MonkeyPatch
):
    assert console("login", "--store", "file").code == 0
    monkeypatch.delenv("CONSOLE_PASSWORD")
    profile(home, service.core_url.replace("127.0.0.1", "localhost"))
    assert "no password" in console("list", "skills").err


def test_an_expired_stored_login_falls_back_to_the_password(console: Console, service: Running):
    before = living(service)
    assert console("login", "--store", "file").code == 0
    (session,) = living(service) - before
    assert console("call", "sessions.revoke", f"id={session}").code == 0
    assert console("list", "skills", "--limit", "0").code == 0


def test_a_stored_login_is_renewed_by_its_refresh_token(
    console: Console, service: Running, home: Path, monkeypatch: pytest.MonkeyPatch
):
    before = living(service)
    assert console("login", "--store", "file").code == 0
    monkeypatch.delenv("CONSOLE_PASSWORD")
    file = home / "state" / "tokens.json"
    (session,) = living(service) - before
    first = json.loads(file.read_text(encoding="utf-8"))["desk"]
    assert console("call", "sessions.revoke", f"id={session}").code == 0
    assert console("list", "skills", "--limit", "0").code == 0
    second = json.loads(file.read_text(encoding="utf-8"))["desk"]
    assert first["refresh"] != second["refresh"]
    assert first["token"] != second["token"]
    assert file.stat().st_mode & 0o777 == 0o600
    assert console("list", "skills", "--limit", "0").code == 0
    assert len(living(service) - before) == 1
    assert console("call", "sessions.revoke", f"id={second['session_id']}").code == 0
    assert console("logout").code == 0
    assert not living(service) - before, "a login that has ended is renewed to end its refresh token"
    file.write_text(json.dumps({"desk": second}), encoding="utf-8")
    file.chmod(0o600)
    assert "no password" in console("list", "skills").err


def test_a_refresh_token_is_only_sent_to_its_issuer(
    console: Console, service: Running, home: Path, monkeypatch: pytest.MonkeyPatch
):
    assert console("login", "--store", "file").code == 0
    monkeypatch.delenv("CONSOLE_PASSWORD")
    file = home / "state" / "tokens.json"
    kept = json.loads(file.read_text(encoding="utf-8"))["desk"]
    file.write_text(json.dumps({"desk": {**kept, "token": "ended"}}), encoding="utf-8")
    profile(home, service.core_url, 'login = { url = "http://127.0.0.1:9/token" }')
    ended = console("list", "skills")
    assert "no password" in ended.err
    assert json.loads(file.read_text(encoding="utf-8"))["desk"]["refresh"] == kept["refresh"]
