"""A PostgreSQL server that fails: no partial change, 503 with Retry-After, and normal operation afterwards."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from sqlalchemy import event

from console.base.frozen import replace
from console.service.auth.passwords import Cost
from console.service.platform import Platform, ServiceSettings
from console.service.store import postgresql, threads
from console.service.store.database import Database
from console.service.store.engine import CommitNote
from console.service.store.postgresql import PostgresEngine
from tests.live.until import until
from tests.postgresql import server, shared
from tests.service.inside import Inside, everything, inside
from tests.service.over_http import assert_unavailable
from tests.stores import with_key

SETTINGS = ServiceSettings(password_cost=Cost.cheap())
GROUP = {"name": "New", "groupId": "new", "participants": ["bob", "carla"]}


@pytest.fixture
def desk(url: str) -> Generator[Inside]:
    with inside(with_key(SETTINGS), database=Database(url)) as desk:
        for who in ("eva", "ana"):
            desk.token(who)
        yield desk


def full(_: sa.Connection) -> None:
    raise psycopg.errors.DiskFull("could not extend file: No space left on device")


def cut(connection: Any) -> None:
    """End the session from the server's side; its next statement fails."""
    with psycopg.connect(connection.info.dsn, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 10000)", [connection.info.backend_pid])


@contextmanager
def failing(desk: Inside, n: int, fault: Callable[[Any], None]) -> Generator[None]:
    """Let the n-th statement from now on fail."""
    left = n

    def before(cursor: Any, *_: object) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            fault(cursor.connection)

    with desk.platform.read() as tx:
        engine = tx.connection.engine
    for name in ("do_execute", "do_executemany"):
        event.listen(engine, name, before)
    try:
        yield
    finally:
        for name in ("do_execute", "do_executemany"):
            event.remove(engine, name, before)


@pytest.mark.parametrize("fault", [full, cut], ids=["disk full", "connection lost"])
async def test_a_statement_that_fails_leaves_nothing_half_done(desk: Inside, fault: Callable[[Any], None]) -> None:
    before, head = everything(desk), desk.platform.database.head
    n = 0
    for n in range(1, 100):
        with failing(desk, n, fault):
            answer = await desk.ask("ana", "POST", "/groups", GROUP)
        if answer.is_success:
            break
        assert_unavailable(answer)
        assert (everything(desk), desk.platform.database.head) == (before, head), n
    assert n > 5
    listed = await desk.ask("ana", "GET", "/groups")
    assert "new" in {group["groupId"] for group in listed.json()["groupList"]}


async def test_a_connection_lost_before_the_commit_leaves_nothing(
    desk: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = everything(desk)
    commit = PostgresEngine.commit

    def lost(engine: PostgresEngine, connection: sa.Connection, note: CommitNote) -> None:
        driver = connection.connection.driver_connection
        assert driver is not None
        cut(driver)
        commit(engine, connection, note)

    with monkeypatch.context() as patched:
        patched.setattr(PostgresEngine, "commit", lost)
        answer = await desk.ask("ana", "POST", "/groups", GROUP)
    # The service cannot know whether the commit arrived before.
    assert answer.status_code == 504, answer.text
    assert "may or may not have been made" in answer.text
    assert int(answer.headers["Retry-After"]) > 0
    assert everything(desk) == before
    assert (await desk.ask("ana", "POST", "/groups", GROUP)).is_success


async def test_a_statement_interrupted_by_a_signal_ends_with_its_connection(
    desk: Inside, caplog: pytest.LogCaptureFixture
) -> None:
    with desk.platform.read() as tx:
        driver = tx.connection.connection.driver_connection
        assert driver is not None
        driver.pgconn.send_query(b"SELECT pg_sleep(60)")
    assert driver.closed
    assert caplog.records == []
    assert (await desk.ask("ana", "POST", "/groups", GROUP)).is_success


async def test_a_rollback_interrupted_by_another_signal_ends_the_connection_too(
    desk: Inside, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    reading = desk.platform.read()
    driver = reading.__enter__().connection.connection.driver_connection
    assert driver is not None
    driver.pgconn.send_query(b"SELECT pg_sleep(60)")
    with monkeypatch.context() as patched:
        patched.setattr(postgresql, "_execute", interrupt)
        with pytest.raises(KeyboardInterrupt):
            reading.__exit__(None, None, None)
    gc.collect()
    assert driver.closed
    assert caplog.records == []
    assert (await desk.ask("ana", "POST", "/groups", GROUP)).is_success


async def test_a_server_that_was_killed_is_used_again_when_it_is_back(tmp_path: Path) -> None:
    with server(durable=True) as running:
        settings = replace(SETTINGS, key_file=tmp_path / "service.key")
        with inside(settings, database=Database(running.create())) as desk:
            assert (await desk.ask("ana", "POST", "/groups", GROUP)).is_success
            running.kill()
            assert_unavailable(await desk.ask("ana", "GET", "/groups"))
            assert_unavailable(await desk.ask("ana", "POST", "/groups", {"name": "Other"}))
            async with desk.client() as client:
                assert (await client.get("http://desk/health")).status_code == 503
                assert (await client.get("http://desk/readyz")).json() == {"status": "the database does not answer"}
                assert (await client.get("http://desk/healthz")).status_code == 200
            running.start()
            listed = await desk.ask("ana", "GET", "/groups")
            assert "new" in {group["groupId"] for group in listed.json()["groupList"]}
            assert (await desk.ask("ana", "POST", "/groups", {"name": "Other"})).is_success


async def test_too_many_connections_are_a_failure_of_the_store() -> None:
    url = shared().create()
    with psycopg.connect(url, autocommit=True) as admin:
        admin.execute("CREATE ROLE limited LOGIN")
        admin.execute("GRANT ALL ON SCHEMA public TO limited")
        with inside(with_key(SETTINGS), database=Database(url.replace("console@", "limited@"))) as desk:
            desk.token("ana")
            admin.execute("ALTER ROLE limited CONNECTION LIMIT 0")
            admin.execute("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE usename = 'limited'")
            assert_unavailable(await desk.ask("ana", "GET", "/groups"))
            admin.execute("ALTER ROLE limited CONNECTION LIMIT -1")
            assert (await desk.ask("ana", "GET", "/groups")).is_success
        admin.execute("DROP OWNED BY limited; DROP ROLE limited")
    shared().drop(url)


async def test_changes_that_cannot_begin_in_time_are_refused_and_not_made(
    desk: Inside, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threads, "WAIT_SECONDS", 0.2)
    before = everything(desk)
    with psycopg.connect(url) as other:
        other.execute("SELECT pg_advisory_xact_lock(7261001)")
        first = asyncio.ensure_future(desk.ask("ana", "POST", "/groups", GROUP))
        waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
        await asyncio.to_thread(until, lambda: other.execute(waiting).fetchone() == (1,))
        assert_unavailable(await desk.ask("ana", "POST", "/groups", {"name": "Second"}))
        # Reads do not wait for a writer.
        assert (await desk.ask("ana", "GET", "/groups")).is_success
        assert everything(desk) == before
    assert (await first).is_success


async def test_a_key_that_is_too_long_for_an_index_is_refused(desk: Inside) -> None:
    # It hardly gets shorter by compression.
    text = "".join(map(chr, range(5000, 9000)))
    answer = await desk.ask("eva", "POST", "/skills", {"skill": text})
    assert answer.status_code == 400
    assert "too long" in answer.text
    assert (await desk.ask("eva", "POST", "/calls", {"caller": text, "callee": "svc-user:bob"})).is_success


def test_a_statement_on_the_event_loop_is_refused(url: str) -> None:
    with closing(Platform(Database(url), settings=with_key(SETTINGS))) as platform:
        platform.database.forbid_on(threading.get_ident())
        with pytest.raises(RuntimeError, match="block the event loop"), platform.read():
            pass
        platform.database.forbid_on(None)
