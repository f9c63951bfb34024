"""A service on PostgreSQL: its schema, its key, one writer at a time, and snapshots."""

from __future__ import annotations

import threading
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa

from console.records.people import User
from console.service.auth.passwords import Cost
from console.service.domain import people
from console.service.domain.people import USERS
from console.service.platform import Platform, ServiceSettings
from console.service.store.database import Database
from console.service.store.engine import CommitNote
from console.service.store.faults import DatabaseFault, StorageFault
from console.service.store.outbox import SCHEMA_VERSION, outbox
from console.service.store.postgresql import PostgresEngine
from tests.live.until import until
from tests.postgresql import shared
from tests.stores import with_key

SETTINGS = ServiceSettings(password_cost=Cost.cheap())


def opened(url: str) -> Platform:
    return Platform(Database(url), settings=with_key(SETTINGS))


def user(name: str) -> User:
    return User(id=name, username=name, domain="d.example", role="user")


@pytest.fixture
def platform(url: str) -> Generator[Platform]:
    with closing(opened(url)) as platform:
        yield platform


def test_epoch_offsets_and_records_outlive_the_service(url: str) -> None:
    with closing(opened(url)) as first:
        people.add_user(first, user("ana"))
        epoch, head = first.database.epoch, first.database.head
        first.database.trim(0)
    with closing(opened(url)) as second:
        assert (second.database.epoch, second.database.head) == (epoch, head)
        people.add_user(second, user("bob"))
        assert second.database.head == head + 1
        with second.read() as tx:
            assert [each.id for each in USERS.records(tx)] == ["ana", "bob"]


@pytest.mark.parametrize("version", [SCHEMA_VERSION - 1, SCHEMA_VERSION + 1])
def test_another_schema_is_refused_and_not_changed(url: str, version: int) -> None:
    with psycopg.connect(url, autocommit=True) as other:
        other.execute(f"UPDATE facts SET value = '{version}' WHERE name = 'schema'".encode())
        with pytest.raises(DatabaseFault, match=rf"^postgresql://.*: .* has schema {version} and"):
            Database(url)
        assert other.execute("SELECT value FROM facts WHERE name = 'schema'").fetchone() == (str(version),)


def test_the_tables_of_another_program_are_not_touched() -> None:
    url = shared().create()
    with psycopg.connect(url, autocommit=True) as other:
        other.execute("CREATE TABLE users (name text)")
        with pytest.raises(DatabaseFault, match="tables of another program"):
            Database(url)
        assert other.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone() == (1,)
    shared().drop(url)


def test_a_database_needs_a_key_and_its_own(url: str, tmp_path: Path) -> None:
    with pytest.raises(DatabaseFault, match="with --key"):
        Platform(Database(url), settings=SETTINGS)
    opened(url).close()
    other = tmp_path / "other.key"
    settings = ServiceSettings(password_cost=Cost.cheap(), key_file=other)
    with pytest.raises(DatabaseFault, match="the key is missing"):
        Platform(Database(url), settings=settings)
    other.write_bytes(bytes(32))
    other.chmod(0o600)
    with pytest.raises(DatabaseFault, match="not the key of postgresql://"):
        Platform(Database(url), settings=settings)


def test_writers_come_one_after_the_other_and_offsets_rise_with_the_commits(platform: Platform) -> None:
    offsets: list[int] = []
    platform.database.on_commit(lambda changes: offsets.extend(change.offset for change in changes))
    with ThreadPoolExecutor(12) as threads:
        for number in range(12):
            threads.submit(people.add_user, platform, user(f"user-{number}"))
    assert offsets == list(range(1, len(offsets) + 1))
    assert platform.database.head == len(offsets)


def test_another_node_waits_for_the_writer(url: str, platform: Platform) -> None:
    other = opened(url)
    written = threading.Event()

    def write() -> None:
        people.add_user(other, user("bob"))
        written.set()

    thread = threading.Thread(target=write)
    with platform.write() as tx:
        USERS.put(tx, user("ana"))
        thread.start()
        with psycopg.connect(url, autocommit=True) as watcher:
            waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
            until(lambda: watcher.execute(waiting).fetchone() == (1,))
        assert not written.is_set()
    thread.join()
    with other.read() as tx:
        assert [row.key for row in tx.rows(sa.select(outbox).order_by(outbox.c.offset))] == ["ana", "bob"]
    other.close()


def test_a_list_and_its_offset_are_of_one_snapshot(platform: Platform) -> None:
    with platform.read() as tx:
        before = tx.head
        thread = threading.Thread(target=people.add_user, args=(platform, user("ana")))
        thread.start()
        thread.join()
        assert (tx.head, USERS.records(tx)) == (before, ())
        version = platform.database.version(tx, USERS.name)
    with platform.read() as tx:
        assert (tx.head > before, len(USERS.records(tx))) == (True, 1)
        # What is cached under the version before are the rows before.
        assert platform.database.version(tx, USERS.name) > version


def test_a_change_without_an_answer_to_its_commit_reaches_listeners_with_the_next(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[str] = []
    platform.database.on_commit(lambda changes: heard.extend(change.key for change in changes))
    commit = PostgresEngine.commit

    def unanswered(engine: PostgresEngine, connection: sa.Connection, note: CommitNote) -> None:
        commit(engine, connection, note)
        raise StorageFault("the connection was lost")

    with monkeypatch.context() as patched:
        patched.setattr(PostgresEngine, "commit", unanswered)
        with pytest.raises(StorageFault):
            people.add_user(platform, user("ana"))
    people.add_user(platform, user("bob"))
    assert heard == ["ana", "bob"]
