"""Databases of older versions are upgraded by numbered steps, all or nothing, after a copy is made."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import pytest

from console.base.clock import ManualClock
from console.cli.exits import Exit
from console.cli.program import run
from console.records.notifications import Notification
from console.service.auth.caller import Caller
from console.service.auth.passwords import Cost
from console.service.domain import chats, domains, notifications, people
from console.service.domain.alerts import ALERTS
from console.service.domain.deliveries import DELIVERIES
from console.service.http import idempotency
from console.service.periodic_jobs import run_jobs
from console.service.platform import Platform, ServiceSettings
from console.service.serve import ServiceSetup
from console.service.store import migrations, sqlite
from console.service.store.database import Database
from console.service.store.engine import Upgrade
from console.service.store.faults import DatabaseFault
from console.service.store.migrations import BASELINE, MIGRATIONS, SCHEMA_VERSION, Migration
from console.service.store.sqlite import prepare
from tests.live.until import until
from tests.service.inside import inside
from tests.static.source_files import ROOT

OLDEST = (ROOT / "tests" / "data" / f"schema-{BASELINE}.sql").read_text(encoding="utf-8")
KEY = b"a key for a fixture of tests 32b"
NOW_MS = 1_790_000_000_000
CHEAP = ServiceSettings(password_cost=Cost.cheap())


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A database of the oldest version, with rows in every table, and its key."""
    path = tmp_path / "desk.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(OLDEST)
    key = path.with_name("desk.db.key")
    key.write_bytes(KEY)
    key.chmod(0o600)
    return path


def content(path: Path) -> list[str]:
    """Return the contents and the version of a database."""
    with closing(sqlite3.connect(path)) as connection:
        return [f"version {connection.execute('PRAGMA user_version').fetchone()[0]}", *connection.iterdump()]


def backups(path: Path) -> list[Path]:
    return sorted(each for each in path.parent.iterdir() if "backup" in each.name)


def schema(path: Path) -> dict[str, Any]:
    """Return the schema of a database, without the order of columns and the default values."""
    found: dict[str, Any] = {}
    with closing(sqlite3.connect(path)) as connection:
        tables = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall()
        for table, sql in tables:
            columns = connection.execute(f'PRAGMA table_info("{table}")').fetchall()
            found[table] = {name: (kind, bool(needed), place) for _, name, kind, needed, _, place in columns}
            found[f"{table} counts up"] = "AUTOINCREMENT" in (sql or "")
            for _, index, unique, *_ in connection.execute(f'PRAGMA index_list("{table}")').fetchall():
                parts = connection.execute(f'PRAGMA index_xinfo("{index}")').fetchall()
                keyed = tuple((name, falls) for _, _, name, falls, _, key in parts if key)
                found[f"{table} by {keyed}"] = bool(unique)
    return found


def test_the_steps_lead_from_the_oldest_schema_to_the_declared_one(old: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.db"
    Platform(Database(new), settings=CHEAP).close()
    prepare(old, NOW_MS)
    assert schema(old) == schema(new)


def test_steps_are_numbered_without_a_gap() -> None:
    assert [each.version for each in MIGRATIONS] == list(range(BASELINE + 1, SCHEMA_VERSION + 1))
    assert all(each.title and each.statements for each in MIGRATIONS)


def rows(path: Path) -> dict[str, list[dict[str, Any]]]:
    """Return all rows of a database by table."""
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        names = [row["name"] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: [dict(row) for row in connection.execute(f'SELECT * FROM "{name}"')] for name in names}


def test_an_upgrade_loses_nothing(old: Path) -> None:
    before = rows(old)
    assert all(before.values()), "every table has rows, so that a step that loses them is noticed"
    prepare(old, NOW_MS)
    after = rows(old)
    changed = {
        (table, name)
        for table, kept in before.items()
        if table not in REWRITTEN
        for row, now in zip(kept, after[table], strict=True)
        for name in row
        if name not in DROPPED and row[name] != now[name]
    }
    assert len(before["deliveries"]) == len(after["deliveries"])
    assert changed == {("alerts", "due"), ("domains", "body"), *((each, "body") for each in NESTING)}
    for table in NESTING:
        for row, now in zip(before[table], after[table], strict=True):
            assert _stated(json.loads(row["body"])) == json.loads(now["body"])
    (guests,) = (json.loads(row["body"]) for row in after["domains"] if row["key"] == "guests")
    assert list(guests["services"]) == list(domains.SERVICES)


REWRITTEN = {"deliveries", "notifications"}
"""Tables that an upgrade rebuilds; other tests read them."""
DROPPED = {"told"}
"""Unused columns of old versions."""
NESTING = ("ended_sessions", "groups", "meetings", "sessions")
"""Tables of records that name users."""


def _stated(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record without the empty lists that old versions stored for its users."""
    nested: list[Any] = [record.get("owner"), record.get("userObj"), record.get("user"), *record.get("users", ())]
    for user in nested:
        if isinstance(user, dict):
            for name in ("capabilities", "mobilePhone"):
                cast("dict[str, Any]", user).pop(name, None)
    return record


async def test_an_old_store_is_served_after_its_upgrade(old: Path) -> None:
    clock = ManualClock(NOW_MS)
    with inside(CHEAP, clock, Database(old, clock.now_ms)) as desk:
        asked = {"grant_type": "password", "username": "eva", "password": "demo"}
        assert (await desk.ask("nobody", "POST", "/oauth2/token", asked)).status_code == 200
        for path in ("/calls", "/users", "/groups", "/alerts", "/meetings?all=true", "/contacts", "/oauth2/clients"):
            listed = await desk.ask("eva", "GET", path)
            assert (listed.status_code, bool(listed.json())) == (200, True), path
        (client,) = (await desk.ask("eva", "GET", "/oauth2/clients")).json()
        # A secret that was encrypted by the old version.
        assert (await desk.ask("eva", "GET", f"/oauth2/clients/{client['id']}")).json()["clientSecret"]


def test_an_alert_left_open_by_an_old_version_expires(old: Path) -> None:
    clock = ManualClock(NOW_MS)
    with closing(Platform(Database(old, clock.now_ms), clock, CHEAP)) as platform:
        clock.advance(3600)
        run_jobs(platform)
        with platform.read() as tx:
            assert {each.state for each in ALERTS.records(tx)} == {"expired", "accepted"}
            assert notifications.pending(tx, "stuck", "ana") is None
            assert notifications.pending(tx, "repeated", "ana") is None


OFFERS = [("stuck", "ana", "chat"), ("chat-1", "bob", "chat"), ("gone", "bob", "chat")]
"""A chat with the id of an alert, another, and one that has ended."""


def test_pending_notifications_of_older_versions_are_one_for_each_alert_and_chat(old: Path) -> None:
    with closing(sqlite3.connect(old)) as connection:
        connection.executemany("INSERT INTO notifications VALUES (?, ?, ?)", OFFERS)
        copy = "SELECT 'stuck', '', people, began, body FROM chats WHERE key = 'chat-1'"
        connection.execute(f"INSERT INTO chats {copy}")
        connection.commit()
    with closing(Platform(Database(old, lambda: NOW_MS), ManualClock(NOW_MS), CHEAP)) as platform:
        with platform.read() as tx:
            alert, chat = (notifications.pending(tx, key, "ana") for key in ("stuck", "chat:stuck"))
            assert notifications.pending(tx, "chat-1", "bob") is not None
            assert notifications.pending(tx, "gone", "bob") is None
        assert alert == Notification(
            id="stuck", kind="alert", subject="stuck", title="Fire", from_user="eva", created_at=NOW_MS
        )
        assert chat is not None
        assert (chat.kind, chat.subject, chat.title, chat.from_user) == ("chat", "stuck", None, "pat")
        # They end like those of today.
        chats.finish(platform, "stuck")
        with platform.read() as tx:
            assert notifications.pending(tx, "chat:stuck", "ana") is None
            assert notifications.pending(tx, "stuck", "ana") == alert


def test_an_idempotent_answer_stored_by_an_old_version_is_repeated(old: Path) -> None:
    with (
        closing(Platform(Database(old, lambda: NOW_MS), ManualClock(NOW_MS), CHEAP)) as platform,
        platform.read() as tx,
    ):
        ana = Caller(people.need_user(tx, "ana"))
        attempt = idempotency.Attempt.of(platform.seals, "press-1", ana, "POST", "/groups", b"{}")
        assert idempotency.earlier_answer(tx, platform.seals, attempt) == (200, b'{"groupId":"g1"}')


def test_the_store_is_copied_before_its_upgrade(old: Path) -> None:
    before = content(old)
    upgraded = prepare(old, NOW_MS)
    assert upgraded is not None
    assert upgraded.backup is not None
    assert backups(old) == [upgraded.backup]
    assert upgraded.backup.name == f"desk.db.schema-{BASELINE}.20260921T141320Z.backup"
    assert upgraded.backup.parent == old.parent
    assert upgraded.backup.stat().st_mode & 0o777 == 0o600
    assert content(upgraded.backup) == before


def test_a_current_store_is_not_upgraded(old: Path) -> None:
    prepare(old, NOW_MS)
    before = content(old)
    assert prepare(old, NOW_MS) is None
    assert content(old) == before
    assert len(backups(old)) == 1


@pytest.mark.parametrize(
    ("version", "said"),
    [
        (SCHEMA_VERSION + 1, "written by a newer version of the service .* Install that version, or name another file"),
        (BASELINE - 1, "too old to be upgraded .* Name another file"),
    ],
)
def test_other_versions_are_refused_with_instructions(old: Path, version: int, said: str) -> None:
    with closing(sqlite3.connect(old)) as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    before = content(old)
    with pytest.raises(DatabaseFault, match=said):
        Database(old)
    assert content(old) == before
    assert not backups(old)


def use(monkeypatch: pytest.MonkeyPatch, *statements: str) -> None:
    """Replace all steps by two: a valid one, and one of these statements."""
    steps = (
        Migration(BASELINE + 1, "Add a column", ("ALTER TABLE groups ADD COLUMN colour TEXT",)),
        Migration(BASELINE + 2, "Do more", statements),
    )
    monkeypatch.setattr(migrations, "MIGRATIONS", steps)
    monkeypatch.setattr(migrations, "SCHEMA_VERSION", BASELINE + 2)


def test_a_step_that_fails_leaves_the_store_unchanged(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, "DELETE FROM users", "DROP TABLE users", "ALTER TABLE missing ADD COLUMN colour TEXT")
    before = content(old)
    with pytest.raises(DatabaseFault, match=r"\(Do more\): no such table: missing\. Nothing was changed\."):
        prepare(old, NOW_MS)
    assert content(old) == before
    assert not backups(old)


def test_without_room_for_the_copy_nothing_is_upgraded(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_path: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(sqlite, "_sync", full)
    before = content(old)
    with pytest.raises(DatabaseFault, match=r"cannot be copied to .* before its upgrade: No space left on device"):
        prepare(old, NOW_MS)
    assert content(old) == before
    assert not backups(old)


KILLED = f"""
import sys
from pathlib import Path
from console.service.http import idempotency
from console.service.store import migrations, sqlite
from console.service.auth.caller import Caller
from console.service.store.migrations import Migration
more = (
    "DELETE FROM users",
    "CREATE TABLE half AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
)
migrations.MIGRATIONS = (Migration({BASELINE + 1}, "Take for ever", more),)
migrations.SCHEMA_VERSION = {BASELINE + 1}
sqlite.prepare(Path(sys.argv[1]), {NOW_MS})
"""


def test_a_process_killed_during_an_upgrade_leaves_the_store_unchanged(old: Path) -> None:
    before = content(old)
    # Only the main file: SQLite's other files are temporary.
    begun = old.stat().st_size
    with subprocess.Popen([sys.executable, "-c", KILLED, str(old)]) as process:
        until(lambda: process.poll() is not None or old.stat().st_size > begun + 1_000_000, seconds=60)
        assert process.poll() is None
        process.kill()
    assert content(old) == before
    upgraded = prepare(old, NOW_MS + 1000)
    assert upgraded is not None
    assert len(backups(old)) == 2


def test_of_two_parallel_upgrades_one_runs_and_the_other_finds_it_done(old: Path) -> None:
    both = threading.Barrier(2)

    def start(_: int) -> Upgrade | None:
        both.wait()
        return prepare(old, NOW_MS)

    with ThreadPoolExecutor() as threads:
        found = list(threads.map(start, range(2)))
    assert sorted(each is None for each in found) == [False, True]
    assert len(backups(old)) == 1


def test_a_store_in_use_by_another_process_is_not_upgraded(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "LOCK_SECONDS", 0.0)
    monkeypatch.setattr(sqlite, "TRY_SECONDS", 0.01)
    with closing(sqlite3.connect(old)) as other:
        other.execute("SELECT * FROM users").fetchone()
        with pytest.raises(DatabaseFault, match=r"another process uses it .* Stop it, then try again"):
            prepare(old, NOW_MS)
    assert prepare(old, NOW_MS) is not None


def test_serving_reports_the_upgrade(
    old: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def ended_at_once(setup: ServiceSetup, *_: object, **__: object) -> None:
        setup.platform.close()

    monkeypatch.setattr("console.cli.service.serve.run", ended_at_once)
    serve = ["serve", "--db", str(old), "--speed", "0"]
    assert run(serve) == Exit.OK
    said = capsys.readouterr().err
    (backup,) = backups(old)
    assert f"{old}: upgraded from schema {BASELINE} to {SCHEMA_VERSION}; backup: {backup}" in said
    assert all(each.title in said for each in MIGRATIONS)
    with closing(sqlite3.connect(old)) as connection:
        connection.execute("PRAGMA user_version = 99")
    assert run(serve) == Exit.FAILED
    assert "newer version" in capsys.readouterr().err


def test_deliveries_of_older_versions_are_listed_without_their_codes(old: Path) -> None:
    with closing(Platform(Database(old, lambda: NOW_MS), ManualClock(NOW_MS), CHEAP)) as platform:
        with platform.read() as tx:
            found = {each.mechanism: each for each in DELIVERIES.records(tx)}
        assert {(each.state, each.last_error) for each in found.values()} == {("unsent", "no transport")}
        assert (found["sms"].kind, found["sms"].recipient) == ("phone code", "+34651907690")
        run_jobs(platform)
    assert not any("87555156" in line for line in content(old))
