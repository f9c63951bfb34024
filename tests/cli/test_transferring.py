"""`console serve export` and `import`: all data of a service moves to another database, or nothing does."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from console.base.clock import SystemClock
from console.cli.exits import Exit
from console.cli.program import run
from console.service.auth.passwords import Cost
from console.service.domain.calls import CALLS
from console.service.domain.people import USERS
from console.service.platform import Platform, ServiceSettings
from console.service.scenarios.fill import fill
from console.service.store import transfer
from console.service.store.database import Database
from console.service.store.outbox import SCHEMA_VERSION
from console.service.store.transfer import TableSum
from tests.cli.conftest import Console
from tests.live.until import until
from tests.postgresql import shared

Lines = list[bytes]
QUEUE_POSITION = CALLS.table.columns.keys().index("queueposition")


def opened(place: Path | str, key: Path) -> Platform:
    settings = ServiceSettings(password_cost=Cost.cheap(), key_file=key)
    return Platform(Database(place, SystemClock().now_ms), settings=settings)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of SQLite with a small scenario, and its key."""
    file = tmp_path_factory.mktemp("filled") / "desk.db"
    with closing(opened(file, key_of(file))) as platform:
        fill(platform, "quiet")
    return file


@pytest.fixture
def source(filled: Path, tmp_path: Path) -> Path:
    for file in (filled, key_of(filled)):
        shutil.copy(file, tmp_path / file.name)
    return tmp_path / filled.name


@pytest.fixture
def url() -> Generator[str]:
    url = shared().create()
    yield url
    shared().drop(url)


@pytest.fixture(scope="module")
def exported_once(filled: Path) -> Path:
    file = filled.with_name("desk.store")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CONSOLE_HOME", str(filled.parent))
        assert run(["serve", "export", str(file), "--db", str(filled)]) == Exit.OK
    return file


@pytest.fixture
def exported(exported_once: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(exported_once, tmp_path))


def key_of(file: Path) -> Path:
    return file.with_name(f"{file.name}.key")


def target_of(source: Path) -> Path:
    """Return the path of a database that does not exist yet, beside a copy of the key."""
    target = source.with_name("target.db")
    shutil.copy(key_of(source), key_of(target))
    return target


def rows_of(file: Path) -> int:
    """Return the number of rows in a file of SQLite but for those that belong to one database; 0 without a file."""
    if not file.exists():
        return 0
    with closing(sqlite3.connect(file)) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        counts = [connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in names]
        own = connection.execute("SELECT count(*) FROM facts WHERE name = 'epoch'").fetchone()[0]
    return sum(counts) - own


def test_a_store_moves_to_postgresql_and_back_unchanged_but_for_its_epoch(
    source: Path, url: str, offline: Console, tmp_path: Path
) -> None:
    first, second = tmp_path / "first.store", tmp_path / "second.store"
    target, key = target_of(source), str(key_of(source))
    steps = [
        offline("serve", "export", str(first), "--db", str(source)),
        offline("serve", "import", str(first), "--database", url, "--key", key),
        offline("serve", "export", str(second), "--database", url),
        offline("serve", "import", str(second), "--db", str(target)),
    ]
    assert [step.code for step in steps] == [Exit.OK] * 4, [step.err for step in steps]
    assert len({step.out for step in steps}) == 1
    assert any(line.split()[:2] == ["users", "40"] for line in steps[0].out.splitlines()), steps[0].out
    assert first.read_bytes().splitlines()[1:] == second.read_bytes().splitlines()[1:]
    with closing(opened(source, key_of(source))) as before, closing(opened(target, key_of(target))) as after:
        with before.read() as old, after.read() as new:
            assert USERS.records(old) == USERS.records(new)
        assert before.database.head == after.database.head > 0
        assert before.database.epoch != after.database.epoch
        with closing(Database(url)) as remote:
            assert remote.epoch not in {before.database.epoch, after.database.epoch}


def test_the_file_is_private_and_no_other_file_is_replaced(source: Path, offline: Console, tmp_path: Path) -> None:
    file = tmp_path / "desk.store"
    before = os.umask(0)
    try:
        ended = offline("serve", "export", str(file), "--db", str(source))
    finally:
        os.umask(before)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "password hashes and encrypted secrets; the key that decrypts them is not in it" in ended.err
    assert key_of(source).read_bytes() not in file.read_bytes()
    content = file.read_bytes()
    again = offline("serve", "export", str(file), "--db", str(source))
    assert (again.code, again.err) == (Exit.USAGE, f"console: {file} exists: name another file\n")
    assert file.read_bytes() == content


def test_a_file_in_use_is_neither_exported_nor_filled(source: Path, exported: Path, offline: Console) -> None:
    other = source.with_name("other.store")
    with closing(Database(source)):
        for arguments in (["export", str(other)], ["import", str(exported)]):
            ended = offline("serve", *arguments, "--db", str(source))
            assert ended.code == Exit.FAILED
            assert "another service uses it. Stop that service" in ended.err
    assert not other.exists()


def test_a_database_with_nodes_is_neither_exported_nor_filled(
    source: Path, exported: Path, url: str, offline: Console
) -> None:
    other = source.with_name("other.store")
    key = ["--key", str(key_of(source))]
    with closing(Database(url)):
        for arguments in (["export", str(other)], ["import", str(exported), *key]):
            ended = offline("serve", *arguments, "--database", url)
            assert ended.code == Exit.FAILED
            assert ended.err.endswith("other nodes use it. Stop them, then try again.\n")
    assert not other.exists()


def test_a_node_that_ended_is_not_in_use_even_if_the_server_has_not_noticed_its_end(
    url: str, offline: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left_open: list[psycopg.Connection] = []

    def leave_open(connection: psycopg.Connection) -> None:
        left_open.append(connection)

    with monkeypatch.context() as patched:
        patched.setattr(psycopg.Connection, "close", leave_open)
        opened(url, tmp_path / "node.key").close()
    ended = offline("serve", "export", str(tmp_path / "desk.store"), "--database", url)
    for connection in left_open:
        connection.close()
    assert left_open
    assert ended.code == Exit.OK, ended.err


def test_a_database_that_is_missing_or_was_never_used_has_nothing_to_export(
    offline: Console, url: str, tmp_path: Path
) -> None:
    file = tmp_path / "desk.store"
    ended = offline("serve", "export", str(file), "--db", str(tmp_path / "none.db"))
    assert (ended.code, ended.err) == (Exit.USAGE, f"console: {tmp_path / 'none.db'}: there is no such database\n")
    ended = offline("serve", "export", str(file), "--database", url)
    assert ended.code == Exit.FAILED
    assert "no service has used it, so there is nothing to export" in ended.err
    assert not list(tmp_path.glob("*.store")) + list(tmp_path.glob("*.db"))
    assert "name the database with --db or --database" in offline("serve", "export", str(file)).err


def test_a_database_that_is_not_empty_stays_as_it_is(source: Path, exported: Path, offline: Console) -> None:
    before = rows_of(source)
    ended = offline("serve", "import", str(exported), "--db", str(source))
    assert (ended.code, ended.err) == (Exit.FAILED, f"console: {source}: is not empty. Name a new database.\n")
    assert rows_of(source) == before


def test_without_the_right_key_nothing_is_imported(source: Path, exported: Path, offline: Console) -> None:
    target = target_of(source)
    arguments = ["serve", "import", str(exported), "--db", str(target)]
    key_of(target).unlink()
    ended = offline(*arguments)
    assert ended.err == f"console: {key_of(target)}: the key is missing. Copy it there from a backup.\n"
    key_of(target).write_bytes(bytes(32))
    key_of(target).chmod(0o600)
    ended = offline(*arguments)
    assert (ended.code, ended.err) == (Exit.FAILED, f"console: {key_of(target)}: not the key of {target}\n")
    assert rows_of(target) == 0
    shutil.copy(key_of(source), key_of(target))
    assert offline(*arguments).code == Exit.OK


def entry(lines: Lines, table: str) -> int:
    """Return the index of the first row of a table."""
    return 1 + next(number for number, line in enumerate(lines) if line.startswith(f'{{"table":"{table}"'.encode()))


def changed(table: str, column: int, text: bytes) -> Callable[[Lines], Lines]:
    """Return a change of one value, written as it is."""

    def change(lines: Lines) -> Lines:
        first = entry(lines, table)
        values = [json.dumps(value).encode() for value in json.loads(lines[first])]
        values[column] = text
        return [*lines[:first], b"[" + b",".join(values) + b"]\n", *lines[first + 1 :]]

    return change


def joined(lines: Lines) -> bytes:
    return b"".join(lines)


DAMAGES: dict[str, tuple[Callable[[Lines], bytes], str]] = {
    "no file": (lambda lines: b"", "line 1: not a file of `console serve export`"),
    "a database": (lambda lines: b"SQLite format 3\0" * 100, "not a file of `console serve export`"),
    "compressed": (lambda lines: gzip.compress(bytes(10**6)), "not a file of `console serve export`"),
    "another format": (lambda lines: b'{"format":"x"}\n', "not a file of `console serve export`"),
    "an older schema": (
        lambda lines: joined([lines[0].replace(f'"schema":{SCHEMA_VERSION}'.encode(), b'"schema":3'), *lines[1:]]),
        f"line 1: written with a schema other than {SCHEMA_VERSION}, which this version uses. Import it with",
    ),
    "no end": (lambda lines: joined(lines[:-1]), "the file is cut off here. Export it again"),
    "cut in a row": (lambda lines: joined(lines)[:-5000], "the file is cut off here"),
    "a row less": (
        lambda lines: joined([*lines[: entry(lines, "users")], *lines[entry(lines, "users") + 1 :]]),
        "the rows are not those that were exported",
    ),
    "another value": (lambda lines: joined(changed("users", 0, b'"x"')(lines)), "the rows are not those"),
    "text after the end": (lambda lines: joined([*lines, b"\n"]), "text after the end"),
    "a table twice": (
        lambda lines: joined([*lines[:-1], lines[entry(lines, "users") - 1], lines[-1]]),
        "the table users occurs twice",
    ),
    "an unknown table": (lambda lines: lines[0] + b'{"table":"sqlite_master","columns":[]}\n', "an unknown table"),
    "a table that is no name": (lambda lines: lines[0] + b'{"table":[],"columns":[]}\n', "an unknown table"),
    "other columns": (lambda lines: lines[0] + b'{"table":"users","columns":["key"]}\n', "users has other columns"),
    "no table": (lambda lines: lines[0] + b"[1]\n", "line 2: a row without a table"),
    "no tables": (lambda lines: lines[0] + b'{"sums":{}}\n', "the table agents is missing"),
    "too few values": (lambda lines: joined(lines[:2]) + b"[1]\n", "a row of agents has 1 values instead of 5"),
    "a number for a text": (lambda lines: joined(changed("users", 0, b"1")(lines)), "users.key has the wrong type"),
    "null for a text": (lambda lines: joined(changed("users", 0, b"null")(lines)), "users.key has the wrong type"),
    "an infinite number": (lambda lines: joined(changed("calls", QUEUE_POSITION, b"1e400")(lines)), "no valid JSON"),
    "a huge number": (lambda lines: joined(changed("outbox", 7, b"9" * 30)(lines)), "outbox.at has the wrong type"),
    "a number too large for a fraction": (
        lambda lines: joined(changed("calls", QUEUE_POSITION, b"9" * 400)(lines)),
        "int too large to convert to float",
    ),
    "no number": (lambda lines: joined(changed("calls", QUEUE_POSITION, b"NaN")(lines)), "no valid JSON"),
    "half a character": (lambda lines: joined(changed("users", 0, rb'"\ud800"')(lines)), "surrogates not allowed"),
    "nested": (lambda lines: lines[0] + b"[" * 100_000 + b"\n", "too deeply nested"),
    "a text alone": (lambda lines: lines[0] + b'"x"\n', "neither a row nor a table"),
    "a fact of one database": (
        lambda lines: joined(changed("facts", 0, b'"epoch"')(lines)),
        "the fact epoch belongs to one database",
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_or_hostile_file_is_refused_with_the_reason_and_leaves_nothing(
    damage: str, source: Path, exported: Path, offline: Console
) -> None:
    change, reason = DAMAGES[damage]
    exported.write_bytes(change(exported.read_bytes().splitlines(keepends=True)))
    target = target_of(source)
    ended = offline("serve", "import", str(exported), "--db", str(target))
    assert ended.code == Exit.FAILED
    assert ended.err.startswith(f"console: {exported}: line ")
    assert reason in ended.err
    assert ended.err.endswith(". Nothing was imported.\n")
    assert (ended.out, target.exists()) == ("", False)


def test_a_line_without_an_end_is_not_read_into_memory(
    source: Path, exported: Path, offline: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfer, "LONGEST_LINE", 1000)
    lines = exported.read_bytes().splitlines(keepends=True)
    exported.write_bytes(lines[0] + b" " * 1_000_000)
    ended = offline("serve", "import", str(exported), "--db", str(target_of(source)))
    assert ended.err == f"console: {exported}: line 2: the line is too long. Nothing was imported.\n"


@pytest.fixture
def conflicting(exported: Path) -> Path:
    """A file with right sums in which the last table has a row twice."""
    content = exported.read_bytes()
    lines = content.splitlines(keepends=True)
    row = lines[-2]
    sums: dict[str, Any] = json.loads(lines[-1])
    name, (rows, checksum) = list(sums["sums"].items())[-1]
    values = json.dumps(json.loads(row), sort_keys=True, separators=(",", ":"))
    total = (int(checksum, 16) + int(transfer.row_checksum(values), 16)) % 2**256
    sums["sums"][name] = TableSum(rows + 1, f"{total:064x}")
    file = exported.with_name("conflicting.store")
    file.write_bytes(joined([*lines[:-1], row, json.dumps(sums).encode() + b"\n"]))
    return file


def test_a_failure_at_the_last_row_leaves_an_empty_file(
    source: Path, exported: Path, conflicting: Path, offline: Console
) -> None:
    target = target_of(source)
    ended = offline("serve", "import", str(conflicting), "--db", str(target))
    assert ended.code == Exit.FAILED
    assert ended.err == f"console: {target}: UNIQUE constraint failed: users.key. Nothing was imported.\n"
    assert rows_of(target) == 0
    assert offline("serve", "import", str(exported), "--db", str(target)).code == Exit.OK


def test_a_failure_at_the_last_row_leaves_an_empty_database(
    source: Path, exported: Path, conflicting: Path, url: str, offline: Console
) -> None:
    arguments = ["--database", url, "--key", str(key_of(source))]
    ended = offline("serve", "import", str(conflicting), *arguments)
    assert ended.code == Exit.FAILED
    assert 'duplicate key value violates unique constraint "users_pkey". Nothing was imported.' in ended.err
    assert offline("serve", "import", str(exported), *arguments).code == Exit.OK


def test_a_table_that_was_stored_otherwise_undoes_the_import(source: Path, exported: Path, offline: Console) -> None:
    target = target_of(source)
    Database(target).close()
    with closing(sqlite3.connect(target)) as connection:
        change = "UPDATE users SET body = '{}' WHERE key = new.key"
        connection.execute(f"CREATE TRIGGER truncating AFTER INSERT ON users BEGIN {change}; END")
    ended = offline("serve", "import", str(exported), "--db", str(target))
    assert ended.code == Exit.FAILED
    assert ended.err == f"console: {target}: differs in the table users. Nothing was imported.\n"
    assert rows_of(target) == 0


def test_an_import_that_is_killed_leaves_nothing_and_can_be_repeated(
    source: Path, exported: Path, offline: Console
) -> None:
    target = target_of(source)
    program = (
        "import sys, time\n"
        "from console.cli.service import transfer as transferring\n"
        "def wait(*_): print('imported', flush=True); time.sleep(600)\n"
        "transferring.seals_of = wait\n"
        "from console.cli.program import main\n"
        "main(sys.argv[1:])\n"
    )
    command = [sys.executable, "-c", program, "serve", "import", str(exported), "--db", str(target)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "imported\n"
        finally:
            process.send_signal(signal.SIGKILL)
    until(lambda: process.poll() is not None)
    assert rows_of(target) == 0
    assert offline("serve", "import", str(exported), "--db", str(target)).code == Exit.OK


def test_a_disk_that_is_full_leaves_no_file(
    source: Path, offline: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("console.cli.service.transfer.export_store", fail)
    file = tmp_path / "desk.store"
    ended = offline("serve", "export", str(file), "--db", str(source))
    assert (ended.code, ended.err) == (Exit.FAILED, f"console: {file} cannot be written: No space left on device\n")
    assert not file.exists()
