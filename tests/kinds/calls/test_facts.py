"""Which callers wait, since when, and which calls are over."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

from hypothesis import given, settings
from hypothesis import strategies as st

from console.kinds.calls import facts as calls
from console.kinds.tables import TABLES
from console.records.raw import CUT_FIELD
from console.records.record import Record, read
from console.records.traffic import Call
from console.views.render_context import RenderContext
from tests.examples import EXAMPLES
from tests.for_each import for_each
from tests.kinds.sample_records import NOW, call, render_context_of
from tests.kinds.wild import wire_of


@for_each(
    "state, ended, expected",
    [
        ("queued", None, True),
        ("waiting", None, True),
        ("Waiting", None, True),
        ("QUEUED", None, True),
        ("queued", -1, True),
        ("queued", NOW, False),
        ("ringing", None, False),
        ("connected", None, False),
        ("parked", None, False),
        ("hyperspace", None, False),
        (None, None, False),
    ],
)
def test_whose_caller_waits(state: str | None, ended: float | None, expected: bool) -> None:
    found = call("a", state, to=ended)
    assert calls.waiting(found) is expected
    assert [each.key for each in calls.waits(render_context_of(calls=[found]))] == ["a"] * expected
    is_known = state not in {"hyperspace", None}
    assert calls.waits_exact(render_context_of(calls=[found])) is is_known
    assert TABLES["calls"].column("waiting").value(found, render_context_of()) is (expected if is_known else None)


def test_a_waiting_call_of_unknown_start_is_listed_last() -> None:
    known = [call("new", "queued", 5), call("odd", "waiting", None), call("old", "waiting", 50)]
    found = calls.waits(render_context_of(calls=known))
    assert [each.key for each in found] == ["old", "new", "odd"]
    assert [each.ms(NOW) for each in found] == [50_000, 5_000, None]


def test_a_call_queued_later_waits_since_then() -> None:
    found = Call.model_validate({"id": "a", "state": "queued", "date": -1, "from": NOW - 7_000})
    assert calls.waits(render_context_of(calls=[found]))[0].ms(NOW) == 7_000


class _Changed:
    """The changes among the calls, as reported to readers."""

    def __init__(self, version: int, upserts: Mapping[str, Call], removes: frozenset[str], whole: bool) -> None:
        self.version, self.upserts, self.removes, self.whole = version, upserts, removes, whole


def test_waiting_calls_are_updated_incrementally() -> None:
    known: dict[str, Call] = {each.key: each for each in (call("a", "queued", 5), call("b", "connected"))}
    changed = _Changed(1, known, frozenset(), True)
    asked: list[int] = []

    def changes(since: int) -> Any:
        asked.append(since)
        return changed

    waits = calls.Waits(changes)

    def found() -> list[str]:
        seen = RenderContext(now_ms=NOW, zone=ZoneInfo("UTC"), lookup=lambda _kind: known)
        expected = calls.waits(seen)
        assert waits.longest(seen) == (expected[0] if expected else None)
        assert waits.all(seen) == expected
        return [each.key for each in waits.all(seen)]

    def becomes(*records: Call, gone: str = "") -> None:
        nonlocal known, changed
        upserts = {each.key: each for each in records}
        known = {key: each for key, each in {**known, **upserts}.items() if key != gone}
        changed = _Changed(changed.version + 1, upserts, frozenset({gone} - {""}), False)

    assert found() == ["a"]
    becomes(call("b", "Waiting", 60))
    assert found() == ["b", "a"]
    becomes(call("a", "queued", 90, target="sales"))
    assert found() == ["a", "b"]
    becomes(call("a", "queued", 90, target="support"))
    assert found() == ["a", "b"]
    assert waits.all(RenderContext(now_ms=NOW, zone=ZoneInfo("UTC"), lookup=lambda _kind: known))[0].target == "support"
    becomes(call("a", "connected"))
    assert found() == ["b"]
    becomes(call("a", "queued", 90, target="sales"))
    assert found() == ["a", "b"]
    becomes(call("a", "connected"))
    assert found() == ["b"]
    becomes(call("c", "queued", 1), gone="b")
    assert found() == ["c"]
    becomes(gone="c")
    assert found() == []
    for number in range(200):
        becomes(call("d", "queued", number))
    assert found() == ["d"]
    assert asked[:6] == [0, 1, 2, 3, 4, 5]


def test_a_call_with_an_end_counts_as_ended_whatever_its_state() -> None:
    totals = TABLES["calls"].totals([call("a", "queued"), call("b", "queued", to=NOW)], render_context_of())
    said = "".join(each.text for each in totals)
    assert "1 queued" in said
    assert "1 ended" in said


SKILLS: list[Any] = ["sales", "", None, 3, ["sales"], {}]


@given(data=st.data())
@settings(max_examples=EXAMPLES)
def test_the_queue_of_a_row_is_that_of_its_record(data: st.DataObject) -> None:
    body = {**data.draw(wire_of(Call)), **data.draw(st.sampled_from([{}, {CUT_FIELD: {"target": "too long"}}]))}
    for texts in data.draw(st.lists(st.sampled_from(["context", "data"]), max_size=2)):
        body[texts] = {"skill": data.draw(st.sampled_from(SKILLS)), "n": 1}
    row = json.dumps(body).encode()
    call_record = read(Call, row).materialized()
    for fact in (calls.queue_of, calls.requested_skill, calls.target_of, calls.abandoned):
        assert fact(read(Call, row)) == fact(call_record)
    assert calls.target_of(call_record) == call_record.target


def test_the_queue_of_a_row_is_known_without_reading_the_rest() -> None:
    row = read(Call, b'{"id":"c-1","target":"sales","attempts":[{"state":"ringing"}]}')
    assert calls.queue_of(row) == "sales"
    assert vars(Record)["_opened"][0] is not row
