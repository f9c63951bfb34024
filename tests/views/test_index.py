"""Records by values other than their key."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from zoneinfo import ZoneInfo

import pytest

from console.live.collection import MANY, Collection
from console.records.people import Group
from console.records.record import Record
from console.views.index import Index
from console.views.render_context import RenderContext


def group(number: int, *people: str) -> Group:
    return Group(group_id=f"g{number}", participants=people)


@pytest.fixture
def groups() -> Collection[Record]:
    return Collection()


@pytest.fixture
def by_person() -> Index[Group]:
    return Index("groups", lambda each: each.participants)


def found(index: Index[Group], known: Mapping[str, Record], *people: str | None) -> set[str]:
    render = RenderContext(now_ms=0, zone=ZoneInfo("UTC"), lookup=lambda _kind: known)
    records = index.any_of(render, *people)
    assert len(records) == len({record.group_id for record in records})
    assert {record.group_id for person in people for record in index.of(render).get(person, {}).values()} == {
        record.group_id for record in records
    }
    return {record.group_id for record in records}


def test_records_are_found_as_by_a_search_after_any_changes(
    groups: Collection[Record], by_person: Index[Group]
) -> None:
    random, people = Random(0), ["ana", "bob", "eva", "ivo", ""]
    for _ in range(200):
        changed = [group(number, *random.sample(people, random.randrange(4))) for number in random.sample(range(20), 5)]
        groups.change({each.key: each for each in changed}, {f"g{number}" for number in random.sample(range(20), 3)})
        if random.random() < 0.5:
            wanted = set(random.sample(people, 2)) - {""}
            members = {key for key, each in groups.copy().items() if wanted & {*each.participants}}
            assert found(by_person, groups.snapshot(), *wanted) == members


def test_a_list_that_was_replaced_is_read_anew(groups: Collection[Record], by_person: Index[Group]) -> None:
    groups.change({"g1": group(1, "ana")})
    assert found(by_person, groups.snapshot(), "ana", None) == {"g1"}
    all_groups = {f"g{number}": group(number, "bob") for number in range(MANY + 1)}
    groups.change(all_groups)
    assert found(by_person, groups.snapshot(), "ana") == set()
    assert found(by_person, groups.snapshot(), "bob") == all_groups.keys()


def test_another_list_and_the_past_are_not_mixed_with_the_one_before(
    groups: Collection[Record], by_person: Index[Group]
) -> None:
    groups.change({"g1": group(1, "ana")})
    other = Collection[Record]()
    other.change({"g2": group(2, "ana")})
    past = {"g3": group(3, "ana")}
    for _ in range(2):
        assert found(by_person, groups.snapshot(), "ana") == {"g1"}
        assert found(by_person, past, "ana") == {"g3"}
        assert found(by_person, other.snapshot(), "ana") == {"g2"}
