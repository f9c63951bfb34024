"""The cost of a reader depends on the changes, and each change is read completely."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.live import collection as module
from console.live.collection import Collection
from console.live.delta import Health
from console.records.record import Record
from console.records.traffic import Call

HEALTH = Health()


def call(key: str, state: str = "ringing") -> Call:
    return Call(id=key, state=state)


def test_the_first_delta_contains_everything_and_the_next_the_difference() -> None:
    calls: Collection[Call] = Collection()
    calls.change({key: call(key) for key in "abc"})
    first = calls.delta(0)
    assert (first.whole, set(first.upserts)) == (True, {"a", "b", "c"})
    calls.change({"b": call("b", "ended")}, removes=["a"])
    second = calls.delta(first.version)
    assert (second.whole, set(second.upserts), second.removes) == (False, {"b"}, frozenset({"a"}))
    third = calls.delta(second.version)
    assert (third.whole, third.upserts, third.removes) == (False, {}, frozenset())


def test_an_unknown_version_gives_everything() -> None:
    calls: Collection[Call] = Collection()
    calls.change({"a": call("a")})
    assert calls.delta(99).whole


def test_when_nearly_all_records_changed_the_delta_contains_everything() -> None:
    calls: Collection[Call] = Collection()
    calls.change({f"c{number}": call(f"c{number}") for number in range(1_500)})
    version = calls.version
    calls.change({f"c{number}": call(f"c{number}", "ended") for number in range(1_200)}, removes=["c1400"])
    delta = calls.delta(version)
    assert (delta.whole, len(delta.upserts), delta.removes) == (True, 1_499, frozenset())
    assert not calls.delta(delta.version).upserts


def test_an_empty_collection_gives_an_empty_delta() -> None:
    calls: Collection[Call] = Collection()
    delta = calls.delta(0)
    assert (delta.version, delta.upserts) == (0, {})


def test_an_ineffective_change_makes_no_version() -> None:
    calls: Collection[Call] = Collection()
    assert not calls.change({}, removes=["x"])
    assert calls.version == 0


def test_an_iteration_shows_the_records_of_one_moment() -> None:
    calls: Collection[Call] = Collection()
    calls.change({"a": call("a")})
    before = calls.snapshot().items()
    calls.change({"b": call("b")}, removes=["a"])
    assert {key for key, _ in before} == {"a"}
    assert set(calls.snapshot()) == {"b"}


def test_a_reader_who_missed_too_many_removals_gets_everything() -> None:
    calls: Collection[Call] = Collection()
    calls.change({"a": call("a")})
    seen = calls.version
    many = {f"c{number}": call(f"c{number}") for number in range(module.GONE_KEPT + 1)}
    calls.change(many)
    calls.change({}, removes=many)
    delta = calls.delta(seen)
    assert delta.whole
    assert set(delta.upserts) == {"a"}


def test_the_cost_of_a_delta_depends_on_the_number_of_changes() -> None:
    calls: Collection[Call] = Collection()
    calls.change({f"c{number}": call(f"c{number}") for number in range(10_000)})
    seen = calls.version
    for number in range(2_000):
        calls.change({f"c{number % 10}": call(f"c{number % 10}", str(number))})
    delta = calls.delta(seen)
    assert len(delta.upserts) == 10
    assert delta.version == seen + 2_000


CHANGES = st.lists(
    st.tuples(
        st.dictionaries(st.sampled_from("abcdef"), st.integers()), st.sets(st.sampled_from("abcdef")), st.booleans()
    )
)


@given(CHANGES)
def test_applying_deltas_gives_the_content_of_the_collection(
    changes: list[tuple[dict[str, int], set[str], bool]],
) -> None:
    calls: Collection[Call] = Collection()
    held: dict[str, Record] = {}
    version = 0
    for upserts, removes, look in changes:
        calls.change({key: call(key, str(value)) for key, value in upserts.items()}, removes)
        if look:
            delta = calls.delta(version)
            if delta.whole:
                held.clear()
            for key in delta.removes:
                held.pop(key, None)
            held.update(delta.upserts)
            version = delta.version
            assert held == dict(calls.snapshot())


def test_looking_up_and_counting_copies_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    collection: Collection[Call] = Collection()
    collection.change({"a": Call(id="a"), "b": Call(id="b")})
    copies: list[str] = []
    copy = Collection[Call].copy

    def counted(self: Collection[Call]) -> dict[str, Call]:
        copies.append("copied")
        return copy(self)

    monkeypatch.setattr(Collection, "copy", counted)
    present = collection.snapshot()
    assert (present["a"].id, len(present), "b" in present, present.get("c")) == ("a", 2, True, None)
    assert not copies
    assert [*present.values()] == [*present.values()]
    assert len(copies) == 1
    assert collection.snapshot() is present
    collection.change({"c": Call(id="c")})
    assert collection.snapshot() is not present
    assert set(present) == {"a", "b"}


@pytest.mark.parametrize("apart", [frozenset({"queued"}), frozenset[str]()])
def test_records_of_a_state_are_those_that_are_in_it_now(apart: frozenset[str]) -> None:
    collection: Collection[Call] = Collection(apart)
    collection.change({key: Call(id=key, state="queued") for key in "abc"})
    collection.change({"a": Call(id="a", state="answered"), "d": Call(id="d", state="queued")}, ["b"])
    assert {each.id for each in collection.snapshot().in_state("queued")} == {"c", "d"}
    assert {each.id for each in collection.in_state("answered")} == {"a"}


@pytest.mark.parametrize("apart", [frozenset({"queued", "waiting"}), frozenset({"queued"}), frozenset[str]()])
def test_records_are_found_in_several_states_however_these_are_spelled(apart: frozenset[str]) -> None:
    collection: Collection[Call] = Collection(apart)
    parse_key = {"a": "queued", "b": "Queued", "c": "WAITING", "d": "wait-ing", "e": "connected", "f": None}
    collection.change({key: Call(id=key, state=state) for key, state in parse_key.items()})
    assert {each.id for each in collection.snapshot().in_state("queued", "waiting")} == {"a", "b", "c", "d"}
    collection.change({"c": Call(id="c", state="Connected")}, ["b"])
    assert {each.id for each in collection.in_state("queued", "waiting")} == {"a", "d"}


def test_a_dictionary_of_a_snapshot_can_be_made_while_records_are_removed() -> None:
    calls: Collection[Call] = Collection()
    calls.change({key: call(key) for key in "abc"})
    present = calls.snapshot()
    made: dict[str, Call] = {}
    for key in present:  # as `dict` does it: the keys first, then each record
        calls.change({}, removes=[key])
        made[key] = present[key]
    assert set(made) == {"a", "b", "c"}
    assert (len(present), "a" in present) == (3, True)
