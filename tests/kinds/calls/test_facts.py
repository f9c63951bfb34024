"""Which callers wait, since when, and which calls are over."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from console.kinds.calls import facts as calls
from console.kinds.tables import TABLES
from console.live.collection import Collection
from console.records.state_words import CALL, WAITING
from console.records.traffic import Call
from console.views.render_context import RenderContext
from tests.for_each import for_each
from tests.kinds.sample_records import NOW, call, render_context_of


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
    assert calls.waits(render_context_of(calls=[found])).many == expected
    is_known = state not in {"hyperspace", None}
    assert calls.waits_exact(render_context_of(calls=[found])) is is_known
    assert TABLES["calls"].column("waiting").value(found, render_context_of()) is (expected if is_known else None)


def longest_of(*known: Call) -> calls.Wait | None:
    found = calls.waits(render_context_of(calls=list(known)))
    assert found.many == len(known)
    return found.longest


def test_a_waiting_call_of_unknown_start_waits_shortest() -> None:
    new, odd, old = call("new", "queued", 5), call("odd", "waiting", None), call("old", "waiting", 50)
    assert [each and (each.key, each.ms(NOW)) for each in (longest_of(new, odd, old), longest_of(odd, new))] == [
        ("old", 50_000),
        ("new", 5_000),
    ]
    assert [each and (each.key, each.ms(NOW)) for each in (longest_of(odd), longest_of())] == [("odd", None), None]


def test_a_call_queued_later_waits_since_then() -> None:
    longest = longest_of(Call.model_validate({"id": "a", "state": "queued", "date": -1, "from": NOW - 7_000}))
    assert longest is not None
    assert longest.ms(NOW) == 7_000


def test_waits_are_those_of_the_current_list() -> None:
    known: Collection[Call] = Collection(WAITING, CALL)
    render = RenderContext(now_ms=NOW, zone=ZoneInfo("UTC"), lookup=lambda _kind: known.snapshot())

    def after(*records: Call, gone: str = "") -> tuple[int, str | None, str | None]:
        known.change({each.key: each for each in records}, {gone})
        many, longest = calls.waits(render)
        return many, longest and longest.key, longest and longest.target

    assert after(call("a", "queued", 5), call("b", "connected")) == (1, "a", "")
    assert after(call("b", "Waiting", 60)) == (2, "b", "")
    assert after(call("a", "queued", 90, target="sales")) == (2, "a", "sales")
    assert after(call("a", "queued", 90, target="support")) == (2, "a", "support")
    assert after(call("a", "connected")) == (1, "b", "")
    assert after(call("a", "queued", 90, to=NOW)) == (1, "b", "")
    assert after(call("c", "queued", 1), gone="b") == (1, "c", "")
    assert after(gone="c") == (0, None, None)


def test_a_call_with_an_end_counts_as_ended_whatever_its_state() -> None:
    totals = TABLES["calls"].totals([call("a", "queued"), call("b", "queued", to=NOW)], render_context_of())
    said = "".join(each.text for each in totals)
    assert "1 queued" in said
    assert "1 ended" in said
