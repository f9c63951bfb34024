"""A database contains the version of its schema, and one of another version is refused."""

from __future__ import annotations

import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from console.cli.exits import Exit
from console.cli.program import run
from console.service.handlers import load_handlers
from console.service.store.database import Database
from console.service.store.faults import DatabaseFault
from console.service.store.outbox import SCHEMA_VERSION

OTHERS = pytest.mark.parametrize("version", [2, SCHEMA_VERSION - 1, SCHEMA_VERSION + 1])
DECLARED = 13, "7fd56c950535bfb3"
"""The version, and a digest of all tables and indexes."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A database of this version."""
    path = tmp_path / "desk.db"
    load_handlers()
    Database(path).close()
    return path


def content(path: Path) -> tuple[int, list[str]]:
    """Return the version and the contents of a database."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("PRAGMA user_version").fetchone()[0], list(connection.iterdump())


def test_another_schema_needs_another_version(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        declared = connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY sql").fetchall()
    digest = hashlib.sha256(repr(declared).encode()).hexdigest()[:16]
    assert (SCHEMA_VERSION, digest) == DECLARED, "a table changed: databases in use lack that"
    assert content(file)[0] == SCHEMA_VERSION


@OTHERS
def test_a_database_of_another_version_is_refused_and_not_changed(file: Path, version: int) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    before = content(file)
    with pytest.raises(DatabaseFault) as refused:
        Database(file)
    assert str(refused.value) == (
        f"{file}: cannot be used, because it has schema {version} and this version of the service needs schema "
        f"{SCHEMA_VERSION}: name another database, or start the version of the service that wrote it."
    )
    assert content(file) == before


def test_serving_a_database_of_another_version_fails_with_a_sentence(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA user_version = 99")
    assert run(["serve", "--db", str(file)]) == Exit.FAILED
    assert f"{file}: cannot be used, because it has schema 99" in capsys.readouterr().err
