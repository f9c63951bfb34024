"""The database: state and events in one transaction, one epoch per database, and consistent visibility rules."""

from __future__ import annotations

from collections.abc import Hashable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from console.records.people import Group, User, UserReference
from console.service.auth.caller import Caller
from console.service.auth.passwords import Cost
from console.service.domain import groups, people
from console.service.domain.groups import GROUPS
from console.service.domain.people import USERS
from console.service.events.visibility import (
    Admins,
    AllOf,
    Among,
    AnyOf,
    Named,
    Same,
    Scope,
    VisibilityRule,
    by_domain,
    by_id,
)
from console.service.platform import Platform, ServiceSettings
from console.service.refusal import Refusal
from console.service.store.database import Database
from console.service.store.faults import DatabaseFault
from console.service.store.outbox import OutboxEntry, outbox


@pytest.fixture
def platform(tmp_path: Path) -> Platform:
    return Platform(Database(tmp_path / "desk.db", lambda: 1000), settings=ServiceSettings(password_cost=Cost.cheap()))


def _user(name: str, role: str = "user") -> User:
    return User(id=name, username=name, domain="d.example", role=role)


def test_a_refused_change_leaves_neither_state_nor_event(platform: Platform) -> None:
    with suppress(ZeroDivisionError), platform.write() as tx:
        USERS.put(tx, _user("ana"))
        raise ZeroDivisionError
    with platform.read() as tx:
        assert USERS.get(tx, "ana") is None
        assert tx.value(sa.select(sa.func.count()).select_from(outbox)) == 0
    platform.close()


def test_a_failed_inner_write_fails_the_whole_transaction(platform: Platform) -> None:
    heard: list[OutboxEntry] = []
    platform.database.on_commit(heard.extend)

    def add_users() -> None:
        with platform.write() as tx:
            USERS.put(tx, _user("ana"))
            with suppress(ZeroDivisionError), platform.write() as inner:
                USERS.put(inner, _user("bob"))
                raise ZeroDivisionError

    with pytest.raises(RuntimeError, match="has failed"):
        add_users()
    with platform.read() as tx:
        assert USERS.records(tx) == ()
    assert heard == []
    platform.close()


def test_a_failed_attempt_rolls_back_only_itself(platform: Platform) -> None:
    heard: list[OutboxEntry] = []
    platform.database.on_commit(heard.extend)
    with platform.write() as tx:
        USERS.put(tx, _user("ana"))
        with suppress(ZeroDivisionError), tx.attempt(), platform.write() as inner:
            USERS.put(inner, _user("bob"))
            raise ZeroDivisionError
        USERS.put(tx, _user("carla"))
        assert heard == []
    assert [each.key for each in heard] == ["ana", "carla"]
    with platform.read() as tx:
        assert [each.id for each in USERS.records(tx)] == ["ana", "carla"]
        assert [each.key for each in platform.database.events_after(tx, 0, 10)] == ["ana", "carla"]
    platform.close()


def test_a_write_inside_a_read_is_a_programming_error(platform: Platform) -> None:
    with platform.read(), pytest.raises(RuntimeError), platform.write():
        pass
    platform.close()


def test_epoch_offsets_and_keys_outlive_the_process(platform: Platform) -> None:
    people.add_user(platform, _user("ana"))
    database = platform.database
    path, epoch, head = database.path, database.epoch, database.head
    with platform.write() as tx:
        tx.run(sa.delete(outbox))
    platform.close()
    again = Platform(Database(path), settings=ServiceSettings(password_cost=Cost.cheap()))
    assert (again.database.epoch, again.database.head) == (epoch, head)
    people.add_user(again, _user("bob"))
    assert again.database.head == head + 1
    again.close()


def test_the_file_is_readable_only_by_its_owner_and_synced(platform: Platform) -> None:
    assert platform.database.path is not None
    assert platform.database.path.stat().st_mode & 0o077 == 0
    with platform.read() as tx:
        assert tx.value(sa.text("PRAGMA synchronous")) == 2
        assert tx.value(sa.text("PRAGMA journal_mode")) == "wal"
    platform.close()


def test_files_that_are_no_database_or_too_new_are_refused_with_a_sentence(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("these are no tables\n" * 100)
    with pytest.raises(DatabaseFault, match="not a database"):
        Database(text)
    newer = tmp_path / "newer.db"
    database = Database(newer)
    with database.write() as tx:
        tx.run(sa.text("PRAGMA user_version = 99"))
    database.close()
    with pytest.raises(DatabaseFault, match="has schema 99"):
        Database(newer)
    with pytest.raises(DatabaseFault):
        Database(tmp_path / "notes.txt" / "below.db")


def test_a_storage_error_contains_no_value(platform: Platform) -> None:
    with pytest.raises(IntegrityError) as error, platform.write() as tx:
        USERS.load(tx, [_user("hush"), _user("hush")])
    assert "hush" not in str(error.value)
    platform.close()


def test_storing_an_unchanged_row_changes_and_announces_nothing(platform: Platform) -> None:
    with platform.write() as tx:
        assert USERS.put(tx, _user("ana"))
        assert not USERS.put(tx, _user("ana"))
        assert USERS.remove(tx, "ana")
        assert not USERS.remove(tx, "ana")
        assert [each.kind for each in tx.changes] == ["upsert", "remove"]
    platform.close()


def test_storing_several_rows_announces_each_that_differs(platform: Platform) -> None:
    for name in ("ana", "bob"):
        people.add_user(platform, _user(name))
    for name in ("b", "a", "same", "gone"):
        groups.create(platform, _user("ana"), name, name, participants=("bob",))
    with platform.write() as tx:
        before = GROUPS.need_many(tx, ("same", "b", "a", "gone"))
        assert [group.key for group in before] == ["same", "b", "a", "gone"]
        GROUPS.remove(tx, "gone")
        with pytest.raises(Refusal, match="gone"):
            GROUPS.need_many(tx, ("a", "gone"))
    shown: Scope = {"owner": "ana", "participants": ["bob"]}
    hidden: Scope = {"owner": "ana", "participants": []}
    with platform.write() as tx:
        same, *others = before
        GROUPS.put_many(tx, [same, *(group.model_copy(update={"participants": ()}) for group in others)])
        assert [(change.key, change.before, change.after) for change in tx.changes] == [
            ("b", shown, hidden),
            ("a", shown, hidden),
            ("gone", None, hidden),
        ]
        assert tx.touched == {"groups": {"a", "b", "gone"}}
        assert [group.participants for group in GROUPS.records(tx)] == [(), (), (), ("bob",)]
    platform.close()


def test_events_contain_who_could_see_the_row_before_and_after(platform: Platform) -> None:
    for name in ("ana", "bob"):
        people.add_user(platform, _user(name))
    groups.create(platform, _user("ana"), "G", "g", participants=("bob",))
    with platform.write() as tx:
        GROUPS.put(tx, GROUPS.need(tx, "g").model_copy(update={"participants": ()}))
        (change,) = tx.changes
    assert change.before == {"owner": "ana", "participants": ["bob"]}
    assert change.after == {"owner": "ana", "participants": []}
    with platform.read() as tx:
        assert platform.database.events_after(tx, change.offset - 1, 1) == [change]
    platform.close()


def test_several_threads_wait_for_each_other(platform: Platform) -> None:
    def add(prefix: str) -> None:
        for number in range(20):
            people.add_user(platform, _user(f"{prefix}{number}"))

    with ThreadPoolExecutor() as threads:
        list(threads.map(add, "abc"))
    with platform.read() as tx:
        assert USERS.count(tx) == 60
        assert len(platform.database.events_after(tx, 0, 1000)) == 60
    platform.close()


RULES: dict[str, VisibilityRule] = {
    "named": Named(),
    "admins": Admins(),
    "owner": Same("owner", by_id),
    "member": Among("participants", by_id),
    "any": AnyOf(Admins(), Same("owner", by_id), Among("participants", by_id)),
    "all": AllOf(Named(), Same("owner", by_id), Among("participants", by_id)),
    "domain": Same("name", by_domain),
    "none": AnyOf(),
}


@pytest.mark.parametrize("name", RULES)
def test_lists_and_events_apply_a_rule_in_the_same_way(platform: Platform, name: str) -> None:
    rule = RULES[name]
    rows = [
        Group(id=str(number), group_id=f"g{number}", name=title, owner=UserReference(id=owner), participants=inside)
        for number, (title, owner, inside) in enumerate(
            [("d.example", "ana", ("bob",)), ("x", "bob", ()), ("x", "ana", ("ana", "bob")), ("x", "eva", ())]
        )
    ]
    callers = [
        Caller(_user("eva", "admin")),
        Caller(_user("ana")),
        Caller(_user("bob")),
        Caller(_user("pat")),
        Caller(_user("guest", "anonymous")),
        Caller(),
    ]
    seen: dict[Hashable, set[str]] = {}
    with platform.write() as tx:
        GROUPS.load(tx, rows)
        for caller in callers:
            clause = rule.clause(caller, GROUPS.c)
            listed = set(tx.run(sa.select(GROUPS.c.key).where(clause)).scalars())
            told = {
                row.key
                for row in tx.rows(sa.select(GROUPS.table))
                if rule.holds(caller, {"owner": row.owner, "participants": row.participants, "name": row.name})
            }
            assert listed == told, caller.id
            assert seen.setdefault(rule.visibility(caller), listed) == listed, "equal visibility, same rows"
            assert rule.visibility(caller) is not True or len(listed) == len(rows)
    platform.close()
