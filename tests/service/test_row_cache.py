"""Long lists are assembled from rows in memory, and always agree with the database."""

from __future__ import annotations

import random
from collections.abc import Generator, Sequence
from contextlib import suppress
from typing import Any

import pytest
import sqlalchemy as sa

from console.records.people import User
from console.records.traffic import Call
from console.service.auth.caller import Caller
from console.service.auth.passwords import Cost
from console.service.domain.calls import CALLS
from console.service.platform import Platform, ServiceSettings
from console.service.store import database, row_cache
from console.service.store.faults import StorageFault
from console.service.store.transaction import Transaction
from tests.service.inside import Inside, inside

EVA = Caller(User(id="eva", username="eva", domain="desk", role="admin"))
ANA = Caller(User(id="ana", username="ana", domain="desk", role="user"))


@pytest.fixture
def platform() -> Generator[Platform]:
    platform = Platform(settings=ServiceSettings(password_cost=Cost.cheap()))
    yield platform
    platform.close()


def call(number: int, date: int) -> Call:
    return Call.model_validate({"id": f"c{number:02}", "date": date, "caller": "+34 é", "calle": "svc-user:ana"})


def put(platform: Platform, *calls: Call) -> None:
    with platform.write() as tx:
        for each in calls:
            CALLS.put(tx, each)


def shown(platform: Platform, caller: Caller = EVA) -> bytes:
    with platform.read() as tx:
        return platform.row_cache.listed(CALLS, tx, caller)


def stored(platform: Platform, caller: Caller = EVA) -> bytes:
    with platform.read() as tx:
        return CALLS.listed(tx, caller=caller, order=CALLS.order)


@pytest.mark.parametrize("seed", range(5))
def test_a_list_equals_the_database_after_any_changes(
    platform: Platform, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_cache, "AT_ONCE", 3)
    chance = random.Random(seed)

    def change(most: int) -> None:
        with platform.write() as tx:
            for _ in range(chance.randint(1, most)):
                match chance.randrange(5):
                    case 0:
                        CALLS.remove(tx, f"c{chance.randrange(40):02}")
                    case 1:
                        CALLS.remove_many(tx, [f"c{chance.randrange(40):02}" for _ in range(3)])
                    case _:
                        CALLS.put(tx, call(chance.randrange(40), chance.randrange(10)))
            if chance.random() < 0.2:
                raise ZeroDivisionError

    for _ in range(60):
        for _ in range(chance.randint(0, 3)):
            with suppress(ZeroDivisionError):
                change(8)
        if chance.random() < 0.7:
            assert shown(platform) == stored(platform)
    assert shown(platform) == stored(platform)


def test_an_empty_list_is_an_empty_array(platform: Platform) -> None:
    assert shown(platform) == b"[]"
    put(platform, call(1, 1))
    assert shown(platform) == stored(platform) != b"[]"
    with platform.write() as tx:
        CALLS.remove(tx, "c01")
    assert shown(platform) == b"[]"


def test_only_changed_rows_are_read_again(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    put(platform, *(call(number, number) for number in range(20)))
    shown(platform)
    put(platform, call(3, 100), call(50, 7))
    read: list[int] = []
    with platform.read() as tx:
        rows = tx.rows

        def counted(query: sa.Executable) -> Sequence[sa.Row[Any]]:
            found = rows(query)
            read.append(len(found))
            return found

        monkeypatch.setattr(tx, "rows", counted)
        listed = platform.row_cache.listed(CALLS, tx, EVA)
        assert platform.row_cache.listed(CALLS, tx, EVA) == listed
    assert read == [2]
    assert listed == stored(platform)


def test_after_a_bulk_load_or_too_many_commits_all_rows_are_read_again(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "COMMITS_KNOWN", 3)
    put(platform, call(1, 1))
    shown(platform)
    with platform.write() as tx:
        CALLS.load(tx, [call(2, 2)])
    assert shown(platform) == stored(platform)
    for number in range(database.COMMITS_KNOWN + 2):
        put(platform, call(10 + number, number))
    assert shown(platform) == stored(platform)


def test_a_user_who_sees_only_some_rows_gets_no_others(platform: Platform) -> None:
    put(platform, call(1, 1), call(2, 2).model_copy(update={"callee": "svc-user:bob", "caller": "svc-user:pat"}))
    assert b"c01" in shown(platform)
    assert b"c02" in shown(platform)
    assert shown(platform, ANA) == stored(platform, ANA)
    assert b"c02" not in shown(platform, ANA)


def test_uncommitted_changes_are_visible_only_within_their_transaction(platform: Platform) -> None:
    put(platform, call(1, 1))
    before = shown(platform)
    with suppress(ZeroDivisionError), platform.write() as tx:
        CALLS.put(tx, call(2, 2))
        assert b"c02" in platform.row_cache.listed(CALLS, tx, EVA)
        raise ZeroDivisionError
    assert shown(platform) == before == stored(platform)


def test_a_store_that_fails_while_rows_are_read_again_leaves_no_wrong_list(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_cache, "AT_ONCE", 2)
    put(platform, *(call(number, number) for number in range(6)))
    shown(platform)
    put(platform, *(call(number, 10 - number) for number in range(6)))
    asked = iter(range(10))

    def failing(tx: Transaction, query: sa.Executable) -> Sequence[sa.Row[Any]]:
        if next(asked) == 1:
            raise StorageFault("no such sector")
        return tx.run(query).all()

    with monkeypatch.context() as patch:
        patch.setattr(Transaction, "rows", failing)
        with pytest.raises(StorageFault):
            shown(platform)
    assert shown(platform) == stored(platform)


async def test_unfiltered_lists_come_from_the_cache() -> None:
    with inside() as desk:
        for path in ("/calls", "/presence?allUsers=true", "/agents"):
            plain = await desk.ask("eva", "GET", path)
            assert plain.status_code == 200
            again = await desk.ask("eva", "GET", path)
            assert again.content == plain.content
        assert _kinds(desk) == {"calls", "presence", "agents"}


def _kinds(desk: Inside) -> set[str]:
    return set(vars(desk.platform.row_cache)["_lists"])
