"""The database of `console serve`: where its password comes from, and what is refused."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from console.cli.exits import Exit, Failure
from console.cli.service.databases import database_of, key_of
from console.service.store.database import Database
from console.service.store.faults import DatabaseFault
from console.service.store.server_url import parse_url
from tests.cli.conftest import Console

URL = "postgresql://service@db.example/desk"


@pytest.fixture
def password_file(tmp_path: Path) -> Path:
    file = tmp_path / "password"
    file.write_text("from a file\n")
    file.chmod(0o600)
    return file


def test_without_options_the_data_is_in_memory_and_with_db_in_a_file() -> None:
    assert database_of(None, None, None, {}) is None
    assert database_of(Path("desk.db"), None, None, {"CONSOLE_DATABASE": URL}) == Path("desk.db")


def test_the_password_comes_from_the_environment_or_a_file(password_file: Path) -> None:
    environ = {"CONSOLE_DATABASE_PASSWORD": "p@ss word"}
    assert database_of(None, URL, None, {}) == URL
    assert parse_url(str(database_of(None, URL, None, environ))).password == "p@ss word"
    assert parse_url(str(database_of(None, URL, password_file, environ))).password == "from a file"


def test_the_url_of_the_environment_may_contain_the_password() -> None:
    url = "postgresql://service:hush@db.example/desk"
    assert database_of(None, None, None, {"CONSOLE_DATABASE": url}) == url


@pytest.mark.parametrize("url", ["postgresql://service:hush@db.example/desk", f"{URL}?password=hush"])
def test_a_password_on_the_command_line_is_refused_with_the_way_to_give_it(url: str) -> None:
    with pytest.raises(Failure) as failure:
        database_of(None, url, None, {})
    assert failure.value.code is Exit.USAGE
    assert "CONSOLE_DATABASE_PASSWORD or use --database-password-file" in str(failure.value)
    assert "hush" not in str(failure.value)


@pytest.mark.parametrize(
    ("file", "url", "words"),
    [
        (Path("desk.db"), URL, "--db and --database name two databases"),
        (None, "mysql://db.example/desk", "only postgresql:// is supported, not mysql://"),
        (None, "desk.db", "is not a database URL"),
    ],
)
def test_what_is_no_database_is_refused(file: Path | None, url: str, words: str) -> None:
    with pytest.raises(Failure, match=words):
        database_of(file, url, None, {})


def test_a_password_file_needs_a_database_and_must_be_private(password_file: Path) -> None:
    with pytest.raises(Failure, match="needs --database"):
        database_of(None, None, password_file, {})
    password_file.chmod(0o644)
    with pytest.raises(Failure, match="other users can read it"):
        database_of(None, URL, password_file, {})


def test_the_key_is_in_the_directory_of_the_state_unless_it_is_named(tmp_path: Path) -> None:
    environ = {"CONSOLE_HOME": str(tmp_path)}
    assert key_of(None, Path("desk.db"), environ) is None
    key = key_of(None, URL, environ)
    assert key is not None
    assert (key.name, key.is_relative_to(tmp_path)) == ("service.key", True)
    assert key_of(Path("own.key"), URL, environ) == Path("own.key")


def test_without_the_extra_package_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "console.service.store.postgresql", raising=False)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(DatabaseFault, match=r"install operator-console\[postgresql\]"):
        Database(URL)


@pytest.mark.parametrize("options", [[], ["--db", "desk.db"]])
def test_workers_without_postgresql_are_refused_with_what_to_do(options: list[str], offline: Console) -> None:
    ended = offline("serve", "--workers", "2", *options)
    assert ended.code == Exit.USAGE
    assert "several processes can share a PostgreSQL database only. Name it with --database" in ended.err
