"""A list kept in order change by change equals the list sorted from scratch."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from console.base.collation import collated
from console.kinds.calls.columns import TABLE as CALLS
from console.kinds.skills.columns import TABLE as SKILLS
from console.records.support import Agent, Presence, Skill
from console.records.traffic import Call
from console.views.filter import parse
from console.views.rows import Order
from console.views.view import NOTHING, View
from tests.examples import EXAMPLES
from tests.kinds.wild import NOW, render_context

STATES = ["connected", "ringing", "queued", "servererror", None]
FILTERS = [
    "",
    "state:queued",
    "age>1m",
    "age<2m state:!queued",
    "queue>1",
    "!age<90s",
    "caller:1",
    "began<2m",
    "total>1m",
]
SORTS = ["age", "caller", "queue", "state", "total", "id"]


@dataclass
class Difference:
    upserts: dict[str, Call] = field(default_factory=dict[str, Call])
    removes: frozenset[str] = frozenset()
    whole: bool = False


calls = st.builds(
    Call,
    id=st.sampled_from([f"c{number}" for number in range(12)]),
    caller=st.sampled_from(["+341", "+342", "Ana", "ANA", "ana\0", "", None]),
    state=st.sampled_from(STATES),
    date=st.sampled_from([None, *(NOW - seconds * 1000 for seconds in (0, 30, 59, 60, 61, 119, 120, 600))]),
    to=st.sampled_from([None, None, NOW - 1000, NOW - 90_000]),
    queue_position=st.sampled_from([None, 0, 1, 2]),
)


def by_key(found: Iterable[Call]) -> dict[str, Call]:
    return {call.id: call for call in found}


class Changing(RuleBasedStateMachine):
    """Random sequences of changes to a list."""

    @initialize()
    def begin(self) -> None:
        self.view: View[Call] = View(CALLS, render_context())
        self.truth: dict[str, Call] = {}
        self.text = ""
        self.painted: tuple[str, ...] = ()
        self.counted = (0, 0)

    @rule(changed=st.lists(calls, max_size=6), gone=st.sets(st.sampled_from([f"c{n}" for n in range(12)]), max_size=3))
    def change(self, changed: list[Call], gone: set[str]) -> None:
        if self.view.paused:
            return
        for key in gone:
            self.truth.pop(key, None)
        self.truth.update(by_key(changed))
        before = {key: self.view.record(key) for key in self.view.keys}
        change = self.view.apply(Difference(by_key(changed), frozenset(gone)))
        for key in self.view.keys:
            assert self.view.record(key) is before.get(key) or key in change.dirty
        self.paint(change.moved, change.counts)

    @rule(everything=st.lists(calls, max_size=8))
    def replace(self, everything: list[Call]) -> None:
        if self.view.paused:
            return
        self.truth = by_key(everything)
        change = self.view.apply(Difference(by_key(everything), whole=True))
        self.paint(change.moved, change.counts)

    @rule(text=st.sampled_from(FILTERS))
    def want(self, text: str) -> None:
        self.text = text
        change = self.view.set_filter(parse(text, CALLS))
        self.paint(change.moved, change.counts)

    @rule(column=st.sampled_from(SORTS), descending=st.booleans())
    def sort(self, column: str, descending: bool) -> None:
        change = self.view.set_sort(column, descending)
        self.paint(change.moved, change.counts)

    @rule(seconds=st.sampled_from([-30, 0, 1, 29, 31, 60, 3600]))
    def wait(self, seconds: int) -> None:
        if self.view.paused:
            return
        change = self.view.tick(self.view.render_context.now_ms + seconds * 1000)
        if self.view.sort[0] == "total":
            change = self.view.refresh()
            self.painted = tuple(self.view.keys)
        self.paint(change.moved, change.counts or self.view.sort[0] == "total")

    @rule(changes=st.lists(st.tuples(st.lists(calls, max_size=4), st.booleans()), max_size=4))
    def pause(self, changes: list[tuple[list[Call], bool]]) -> None:
        self.view.pause()
        shown, before = tuple(self.view.keys), dict(self.truth)
        for changed, whole in changes:
            assert self.view.apply(Difference(by_key(changed), whole=whole)) == NOTHING
            self.truth = by_key(changed) if whole else self.truth | by_key(changed)
        assert tuple(self.view.keys) == shown
        differing = {key for key in before | self.truth if before.get(key) is not self.truth.get(key)}
        assert self.view.behind == len(differing)
        change = self.view.resume()
        assert self.view.behind == 0
        self.paint(change.moved, change.counts)

    def paint(self, moved: bool, counts: bool) -> None:
        now = tuple(self.view.keys)
        assert moved or now == self.painted
        assert counts or (self.view.total, self.view.matched) == self.counted
        self.painted, self.counted = now, (self.view.total, self.view.matched)

    @invariant()
    def it_is_as_if_sorted_afresh(self) -> None:
        if not hasattr(self, "view"):
            return
        column, descending = self.view.sort
        order = Order(CALLS, f"-{column}" if descending else column)
        seen, wanted = self.view.render_context, parse(self.text, CALLS)
        matching = [call for call in self.truth.values() if wanted.matches(call, seen)]
        if column != "total":
            afresh = sorted(matching, key=lambda call: order.place(call, call.id, seen))
            assert list(self.view.keys) == [call.id for call in afresh]
        assert set(self.view.keys) == {call.id for call in matching}
        assert [self.view.index(key) for key in self.view.keys] == list(range(self.view.matched))
        assert [self.view.key_at(place) for place in range(self.view.matched)] == list(self.view.keys)
        assert self.view.total == len(self.truth)


def test_after_any_changes_the_list_equals_a_freshly_sorted_one() -> None:
    run_state_machine_as_test(  # pyright: ignore[reportUnknownMemberType]  # hypothesis has no type for it
        Changing, settings=settings(max_examples=2 * EXAMPLES, stateful_step_count=25)
    )


@given(st.lists(calls, max_size=12), st.sampled_from(SORTS), st.booleans())
def test_descending_reverses_values_but_neither_ended_nor_missing_ones(
    found: list[Call], column_id: str, descending: bool
) -> None:
    view = View(CALLS, render_context())
    view.apply(Difference(by_key(found)))
    view.set_sort(column_id, descending)
    column = CALLS.column(column_id)
    values = [(column.sort or column.value)(call, view.render_context) for call in view.shown()]
    ranks = [column.rank(call, view.render_context) if column.rank else 0 for call in view.shown()]
    assert ranks == sorted(ranks)
    for rank in set(ranks):
        group = [value for value, its in zip(values, ranks, strict=True) if its == rank]
        there = [value for value in group if value is not None]
        assert group == there + [None] * (len(group) - len(there))
        texts = [collated(value) for value in there if isinstance(value, str)]
        numbers = [value for value in there if not isinstance(value, str)]
        assert texts == sorted(texts, reverse=descending)
        assert numbers == sorted(numbers, reverse=descending)


def waiting(number: int, seconds: int) -> Call:
    return Call(id=f"c{number}", state="queued", date=NOW - seconds * 1000)


def view_of(*found: Call) -> View[Call]:
    view = View(CALLS, render_context())
    view.apply(Difference(by_key(found), whole=True))
    return view


def test_the_longest_waiting_is_first_and_time_moves_no_row() -> None:
    view = view_of(waiting(1, 10), waiting(2, 60), waiting(3, 30))
    assert list(view.keys) == ["c2", "c3", "c1"]
    assert not view.tick(NOW + 3_600_000).moved


def test_a_filter_by_age_includes_rows_in_time() -> None:
    view = view_of(waiting(1, 10), waiting(2, 200))
    view.set_filter(parse("age>2m", CALLS))
    assert list(view.keys) == ["c2"]
    assert view.tick(NOW + 100_000) == NOTHING
    change = view.tick(NOW + 111_000)
    assert change.moved
    assert change.counts
    assert list(view.keys) == ["c2", "c1"]


def test_a_change_of_text_reports_the_row_and_moves_nothing() -> None:
    view = view_of(waiting(1, 10), waiting(2, 60))
    change = view.apply(Difference({"c1": waiting(1, 10).model_copy(update={"target": "billing"})}))
    assert change.dirty == {"c1"}
    assert not change.moved
    assert not change.counts


def test_a_change_of_a_hidden_row_paints_nothing() -> None:
    view = view_of(waiting(1, 10), waiting(2, 60))
    view.set_filter(parse("id:c2", CALLS))
    assert not view.apply(Difference({"c1": waiting(1, 20)}))


def test_the_cursor_of_a_removed_row_moves_to_the_row_in_its_place() -> None:
    view = view_of(*(waiting(number, 100 - number) for number in range(5)))
    assert view.nearest("c2") == "c2"
    view.apply(Difference(removes=frozenset({"c0", "c2"})))
    assert list(view.keys) == ["c1", "c3", "c4"]
    assert view.nearest("c2") == "c3"
    view.apply(Difference(removes=frozenset({"c4"})))
    assert view.nearest("c4") == "c3"
    view.set_filter(parse("id:c3", CALLS))
    assert view.nearest("c1") == "c3"
    assert view.nearest("never there") == "c3"
    view.set_filter(parse("id:nothing", CALLS))
    assert view.nearest("c3") is None


def test_while_paused_nothing_moves_and_resuming_applies_everything() -> None:
    view = view_of(waiting(1, 10))
    view.pause()
    assert view.apply(Difference({"c2": waiting(2, 5), "c1": waiting(1, 11)})) == NOTHING
    assert view.apply(Difference(removes=frozenset({"c2"}))) == NOTHING
    assert view.apply(Difference({"c3": waiting(3, 5)})) == NOTHING
    assert (view.paused, view.behind, view.total) == (True, 2, 1)
    assert view.tick(NOW + 5_000) == NOTHING
    assert view.resume().moved
    assert (view.paused, view.behind, list(view.keys)) == (False, 0, ["c1", "c3"])


def test_rows_are_updated_when_names_of_users_become_known() -> None:
    known: dict[str, dict[str, Presence]] = {"presence": {}}
    view = View(CALLS, render_context(known))
    found = (Call(id="c1", caller="svc-user:b"), Call(id="c2", caller="svc-user:a"))
    view.apply(Difference(by_key(found)))
    view.set_sort("caller")
    assert list(view.keys) == ["c2", "c1"]
    for user, name in (("a", "Zoe"), ("b", "Ana")):
        known["presence"][f"svc-user:{user}"] = Presence(address=f"svc-user:{user}", display_name=name)
    assert view.tick(NOW + 1).moved
    assert list(view.keys) == ["c1", "c2"]


def test_a_table_that_depends_on_another_kind_is_filtered_again_every_second() -> None:
    agents = {each: Agent(id=each, online=True, activity="available") for each in ("a", "b", "c")}
    known: dict[str, Any] = {"agents": agents, "skills": {}}
    view = View(SKILLS, render_context(known))
    skills = {"x": Skill(skill="x", agents=("a", "b")), "y": Skill(skill="y", agents=("c",))}

    class Whole:
        whole, upserts, removes = True, skills, frozenset[str]()

    view.apply(Whole())
    assert list(view.keys) == ["y", "x"]
    known["agents"] = {**agents, "a": Agent(id="a", online=False), "b": Agent(id="b", online=False)}
    assert not view.tick(NOW + 500).moved
    assert view.tick(NOW + 1500).moved
    assert list(view.keys) == ["x", "y"]


def test_columns_are_chosen_by_id_and_unknown_ones_refused() -> None:
    view = view_of(waiting(1, 10))
    assert view.set_columns(["age", "state", "age"]).moved
    assert [column.id for column in view.columns] == ["age", "state"]
    with pytest.raises(KeyError):
        view.set_columns(["nonsense"])
    assert [column.id for column in view.columns] == ["age", "state"]


def test_totals_include_all_records_whatever_the_filter() -> None:
    view = view_of(waiting(1, 10), waiting(2, 151), Call(id="c3", state="connected", date=NOW))
    view.set_filter(parse("id:c1", CALLS))
    said = "".join(cell.text for cell in view.totals())
    assert said == "3 calls  ≡ 2 queued, longest 2:31  ● 1 connected"
