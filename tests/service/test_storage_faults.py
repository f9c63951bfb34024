"""A database that fails at any point: no partial change, no false answer, and normal operation afterwards.

Four kinds of faults: the n-th statement fails; SQLite gives up in the middle of a statement and rolls back by itself;
the n-th page of a commit cannot be written; and the database is full. For each request n rises until the request
succeeds, so that every point is tested.
"""

from __future__ import annotations

import resource
import sqlite3
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest
import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from console.service.store.database import Database
from console.service.store.faults import StorageFault
from console.service.store.outbox import outbox
from tests.faults.figures import record
from tests.service.inside import Inside, everything, inside
from tests.service.over_http import assert_unavailable

Injector = Callable[[Inside, int], AbstractContextManager[None]]


@contextmanager
def desk_at(path: Path) -> Generator[Inside]:
    with inside(database=Database(path)) as desk:
        for who in ("eva", "ana"):
            desk.token(who)
        yield desk


@pytest.fixture
def desk(tmp_path: Path) -> Generator[Inside]:
    with desk_at(tmp_path / "desk.db") as desk:
        yield desk


@dataclass(frozen=True)
class Question:
    who: str
    method: str
    path: str
    body: Any = None


GRANT = {"grant_type": "password", "username": "ana", "password": "demo"}
CHANGES = {
    "create a group": Question(
        "ana", "POST", "/groups", {"name": "N" * 200, "groupId": "new", "participants": ["bob", "carla"]}
    ),
    "remove a participant": Question("ana", "POST", "/groups/night/participants/remove", {"targetUserId": "bob"}),
    "record a call": Question("ana", "POST", "/calls", {"caller": "svc-user:ana", "callee": "svc-user:bob"}),
    "change a user": Question("eva", "PUT", "/users/ana", {"alias": "Another", "capabilities": ["+c2cagent"]}),
    "start a session": Question("ana", "POST", "/sessions", {}),
    "log in": Question("nobody", "POST", "/oauth2/token", GRANT),
}
READS = {"list users": Question("eva", "GET", "/users"), "list groups": Question("ana", "GET", "/groups")}


def connection_of(desk: Inside) -> sqlite3.Connection:
    with desk.platform.read() as tx:
        return cast("sqlite3.Connection", tx.connection.connection.driver_connection)


@contextmanager
def statement(desk: Inside, n: int) -> Generator[None]:
    """Let the n-th statement from now on fail, as when the disk cannot be read or written."""
    left = n

    def before(*_: object) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            fault = sqlite3.OperationalError("disk I/O error")
            fault.sqlite_errorcode = sqlite3.SQLITE_IOERR
            raise fault

    with desk.platform.read() as tx:
        engine = tx.connection.engine
    names = ("do_execute", "do_executemany", "do_execute_no_params")
    for name in names:
        event.listen(engine, name, before)
    try:
        yield
    finally:
        for name in names:
            event.remove(engine, name, before)


@contextmanager
def step(desk: Inside, n: int) -> Generator[None]:
    """Let SQLite give up at one of its own steps: the n-th is the 1.5th power of the one before."""
    left = int(1.5**n)
    connection = connection_of(desk)

    def stepped() -> int:
        nonlocal left
        left -= 1
        return left == 0

    connection.set_progress_handler(stepped, 1)
    try:
        yield
    finally:
        connection.set_progress_handler(None, 1)


@contextmanager
def page(desk: Inside, n: int) -> Generator[None]:
    """Let the kernel refuse to write the n-th page of a commit, and all after it."""
    connection_of(desk).execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (32 + (n - 1) * (24 + 4096), before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextmanager
def room(desk: Inside, n: int) -> Generator[None]:
    """Leave space for only n - 1 more pages in the database."""
    connection = connection_of(desk)
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages + n - 1}")
    try:
        yield
    finally:
        connection.execute("PRAGMA max_page_count = 1073741823")


async def tried(desk: Inside, question: Question, fault: Injector) -> int:
    """Repeat a request, with the fault one point later each time, until it succeeds; return the number of failures.

    A refusal must be a 503 in the contract's shape and must have changed nothing.
    """
    before = everything(desk)
    head = desk.platform.database.head
    told: list[object] = []
    undo = desk.platform.database.on_commit(told.extend)
    async with desk.client(question.who) as client:
        for n in range(1, 1000):
            with fault(desk, n):
                answer = await client.request(question.method, question.path, json=question.body)
            if answer.is_success:
                undo()
                return n - 1
            assert_unavailable(answer)
            assert everything(desk) == before, (question, n)
            assert (desk.platform.database.head, told) == (head, [])
    raise AssertionError("it never got better")


@pytest.mark.parametrize("fault", [statement, step, page, room], ids=lambda fault: fault.__name__)
async def test_a_change_during_a_storage_failure_is_not_made_and_reported_as_such(
    tmp_path: Path, fault: Injector
) -> None:
    found: dict[str, int] = {}
    for number, (name, question) in enumerate(CHANGES.items()):
        with desk_at(tmp_path / f"{number}.db") as desk:
            before = everything(desk)
            found[name] = await tried(desk, question, fault)
            assert everything(desk) != before, name
            assert connection_of(desk).execute("PRAGMA integrity_check").fetchall() == [("ok",)], name
    value = f"{sum(found.values())} faults of a {fault.__name__} in {len(found)} changes"
    record("S2", True, value, "0 half done, 0 wrong answers")
    # Small changes fit into the existing pages.
    assert all(found.values()) or (fault is room and any(found.values())), found


@pytest.mark.parametrize("fault", [statement, step], ids=lambda fault: fault.__name__)
@pytest.mark.parametrize("name", READS)
async def test_a_query_during_a_storage_failure_gets_no_wrong_answer(desk: Inside, name: str, fault: Injector) -> None:
    question = READS[name]
    right = await desk.ask(question.who, question.method, question.path)
    with desk.platform.write() as tx:
        # The stored answer is obsolete.
        tx.touched |= {"users": None, "groups": {"sales"}}
    assert await tried(desk, question, fault) > 0
    assert (await desk.ask(question.who, question.method, question.path)).content == right.content


async def test_a_full_disk_is_reported_until_there_is_room(desk: Inside) -> None:
    ana = Question("ana", "POST", "/groups", {"name": "N" * 200})
    with room(desk, 1):
        statuses: list[int] = []
        while not statuses or statuses[-1] == 200:
            statuses.append((await desk.ask(ana.who, ana.method, ana.path, ana.body)).status_code)
        assert statuses[-1] == 503
        listed = await desk.ask("ana", "GET", "/groups")
        assert len(listed.json()["groupList"]) == len(statuses)
    assert (await desk.ask(ana.who, ana.method, ana.path, ana.body)).status_code == 200


async def test_a_service_that_cannot_read_its_store_is_not_ready(desk: Inside) -> None:
    async with desk.client() as client:
        with statement(desk, 2):
            assert (await client.get("http://desk/health")).status_code == 503
        assert (await client.get("http://desk/health")).status_code == 200


def test_after_a_failure_the_transaction_executes_nothing_more(desk: Inside) -> None:
    """SQLite may have rolled back by itself, and would then commit each following statement separately."""
    before = everything(desk)
    connection = connection_of(desk)
    with pytest.raises(StorageFault), desk.platform.write() as tx:  # noqa: PT012  # the block catches the fault itself
        try:
            connection.set_progress_handler(lambda: 1, 1)
            tx.run(sa.delete(outbox))
        except OperationalError:
            connection.set_progress_handler(None, 1)
        tx.run(sa.delete(outbox))
    assert everything(desk) == before
