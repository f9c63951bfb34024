"""Rows precomputed on another thread give the same result as computing them directly, or are not used."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from console.kinds.calls.columns import TABLE as CALLS
from console.records.traffic import Call
from console.views import rows
from console.views.filter import parse
from console.views.view import View
from tests.kinds.wild import NOW, render_context


@dataclass
class Difference:
    upserts: dict[str, Call] = field(default_factory=dict[str, Call])
    removes: frozenset[str] = frozenset()
    whole: bool = False


def calls(many: int, **fields: object) -> dict[str, Call]:
    made = [
        Call.model_validate({"id": f"c{n}", "state": "queued", "date": NOW - n * 7919 % 10_007, **fields})
        for n in range(many)
    ]
    return {call.id: call for call in made}


@pytest.fixture
def placed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The keys of the rows whose position was computed."""
    found: list[str] = []
    place = rows.Order[Call].place

    def noted(self: rows.Order[Call], record: Call, key: str, seen: object) -> rows.Place:
        found.append(key)
        return place(self, record, key, render_context())

    monkeypatch.setattr(rows.Order, "place", noted)
    return found


def test_rows_filtered_in_advance_only_need_to_be_inserted(placed: list[str]) -> None:
    view, wanted = View(CALLS, render_context()), View(CALLS, render_context())
    for each in (view, wanted):
        each.set_filter(parse("state:queued", CALLS))
    first = Difference(calls(5000), whole=True)
    precomputed = view.precompute(first)()
    placed.clear()
    view.apply(first, precomputed)
    assert not placed
    wanted.apply(first)
    assert list(view.keys) == list(wanted.keys)
    assert view.totals() == wanted.totals()
    second = Difference(calls(3000, state="answered") | calls(10), frozenset({"c4999", "c1"}))
    view.apply(second, view.precompute(second)())
    wanted.apply(second)
    assert list(view.keys) == list(wanted.keys)
    assert view.totals() == wanted.totals()
    assert view.matched == wanted.matched


def test_rows_filtered_in_advance_for_another_order_are_filtered_again(placed: list[str]) -> None:
    view = View(CALLS, render_context())
    first = Difference(calls(20), whole=True)
    precomputed = view.precompute(first)()
    view.set_sort("id", descending=True)
    view.apply(first, precomputed)
    assert list(view.keys) == sorted(view.keys, reverse=True)


def test_rows_filtered_in_advance_before_another_change_are_filtered_again() -> None:
    view = View(CALLS, render_context())
    first = Difference(calls(20), whole=True)
    precomputed = view.precompute(first)()
    view.apply(Difference(calls(30, state="answered"), whole=True))
    view.apply(first, precomputed)
    assert view.total == 20
    assert "20 queued" in "".join(cell.text for cell in view.totals())


def test_known_records_are_not_filtered_again(placed: list[str]) -> None:
    view = View(CALLS, render_context())
    known = calls(50)
    view.apply(Difference(known, whole=True))
    placed.clear()
    change = view.apply(Difference(known | calls(1, state="answered"), whole=True))
    assert placed == ["c0"]
    assert change.dirty == {"c0"}
