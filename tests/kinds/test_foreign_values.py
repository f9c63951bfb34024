"""Times and states in the forms of other platforms mean the same in lists, details, totals and attention."""

from __future__ import annotations

import pytest

from console.kinds.alerts import expires, rows_by_state
from console.kinds.alerts.columns import TABLE as ALERTS
from console.kinds.calls import facts
from console.kinds.calls.columns import TABLE as CALLS
from console.kinds.calls.states import STATES as CALLS_STATES
from console.kinds.conferences.columns import TABLE as CONFERENCES
from console.kinds.conferences.columns import failed
from console.kinds.presence.columns import call_line
from console.live.feeds import DAY_MS
from console.records.state_words import CALL_OVER
from console.records.support import Alert
from console.records.traffic import Call, Conference, Invite
from console.views.cell import Tone
from console.views.filter import parse
from console.views.rows import Order
from console.views.timeline import attempt_lines
from tests.for_each import for_each
from tests.kinds.reading import part, words
from tests.kinds.sample_records import NOW, call, render_context_of

RENDER = render_context_of()
SECONDS, MICROSECONDS = NOW // 1_000, NOW * 1_000
UNITS = [1, 1_000, 1_000_000]
"""Per second: the same time in seconds, milliseconds and microseconds."""


def queued(key: str, ago: int, unit: int) -> Call:
    return Call(id=key, state="queued", date=(SECONDS - ago) * unit)


@pytest.mark.parametrize("unit", UNITS)
def test_an_age_is_the_same_in_every_unit(unit: int) -> None:
    ended = Call(id="c1", state="ended", date=(SECONDS - 100) * unit, to=(SECONDS - 40) * unit)
    assert CALLS.column("age").cell(ended, RENDER).text == "0:40"
    assert CALLS.column("total").cell(ended, RENDER).text == "1:00"
    assert CALLS.column("began").cell(ended, RENDER).text == "14:11:40"
    assert any("14:12:40" in line for line in part(ended, "calls", "summary", RENDER))


def test_what_ended_at_an_unknown_time_has_no_age() -> None:
    """Not the time since it began: it ended later."""
    began = NOW - 100_000
    attempts = [{"to": "+34600", "startedAt": began, "state": "connected"}]
    ended = Call.model_validate({"id": "c1", "state": "ended", "date": began, "attempts": attempts})
    assert CALLS.column("age").cell(ended, RENDER).text == "–"
    assert CONFERENCES.column("age").cell(Conference(id="r", state="finished", created_at=began), RENDER).text == "–"
    accepted = Alert(alert_id="a", state="accepted", created_at=began)
    assert ALERTS.column("age").cell(accepted, RENDER).text == "–"
    assert " 1:40 " not in " ".join(part(ended, "calls", "attempts", RENDER)), "the attempt did not last until now"
    assert ALERTS.column("age").cell(Alert(alert_id="a", state="active", created_at=began), RENDER).text == "1:40"


def test_lists_with_several_units_are_sorted_and_filtered_by_time() -> None:
    known = [queued("b", 50, 1), queued("a", 90, 1_000_000), queued("c", 10, 1_000)]
    order = Order(CALLS, "-age")
    assert [each.id for each in sorted(known, key=lambda each: order.place(each, each.id, RENDER))] == ["a", "b", "c"]
    long = parse("age>20s", CALLS)
    assert {each.id for each in known if long.matches(each, RENDER)} == {"a", "b"}
    waits = facts.waits(render_context_of(calls=known))
    assert [(wait.key, wait.ms(NOW)) for wait in waits] == [("a", 90_000), ("b", 50_000), ("c", 10_000)]


@pytest.mark.parametrize("unit", UNITS)
def test_an_alert_leaves_the_list_after_a_day_in_every_unit(unit: int) -> None:
    assert expires(Alert(alert_id="a", state="accepted", resolved_at=SECONDS * unit)) == NOW + DAY_MS + 1
    assert expires(Alert(alert_id="a", state="accepted", resolved_at=-1)) is None


def test_a_telephone_number_in_an_attempt_is_no_time() -> None:
    lines = attempt_lines(
        [{"to": "+34600", "from": "1700000000", "state": "busy"}], None, None, CALLS_STATES, RENDER, in_progress=True
    )
    assert len(lines) == 1, "without a time there is no timeline"


@pytest.mark.parametrize("state", ["queued", "ringing", "connected", "onhold", "transferring", None])
def test_a_call_with_an_end_is_shown_as_ended_whatever_its_state(state: str | None) -> None:
    ended = call("a", state, to=NOW - 1_000)
    column = CALLS.column("state")
    assert column.cell(ended, RENDER).text == "√ ended"
    assert column.value(ended, RENDER) == "ended"
    assert not parse(f"state:{state}", CALLS).matches(ended, RENDER)
    assert "√ ended" in words(call_line(ended, RENDER))
    assert any("√ ended" in line for line in part(ended, "calls", "summary", RENDER))
    assert not facts.waits(render_context_of(calls=[ended]))


def test_an_unknown_end_word_keeps_its_name_and_looks_ended() -> None:
    found = CALLS.column("state").cell(call("a", "eclipsed", to=NOW), RENDER)
    assert (found.text, found.tone) == ("√ eclipsed", Tone.QUIET)
    assert CALLS.column("state").cell(call("a", "eclipsed"), RENDER).text == "· eclipsed"


def test_a_conference_with_an_end_is_shown_as_ended_whatever_its_state() -> None:
    conference = Conference(id="k", state="active", created_at=SECONDS - 60, finished_at=SECONDS)
    assert CONFERENCES.column("state").cell(conference, RENDER).text == "√ ended"


@for_each(
    "word, shown",
    [
        ("normal", "√ normal"),
        ("noattended", "○ not attended"),
        ("leavesqueue", "○ left queue"),
        ("notfound", "× not found"),
        ("closebrowser", "√ browser closed"),
        ("webrtcerror", "× WebRTC error"),
        ("deniedmediaaccess", "× media access denied"),
        ("cleanup", "√ cleaned up"),
        ("networkerror", "× network error"),
        ("badrequest", "× bad request"),
        ("notallowed", "× not allowed"),
        ("WebRTC_Unsupported", "× WebRTC unsupported"),
    ],
)
def test_documented_end_words_end_a_call(word: str, shown: str) -> None:
    ended = call("a", word)
    assert CALLS.column("state").cell(ended, RENDER).text == shown
    assert CALLS.column("ended").value(ended, RENDER) is True


@pytest.mark.parametrize("word", ["declinedByTimeout", "rejected-timeout", "cancelled_by_creator", "expired"])
def test_an_invite_that_nobody_answered_counts_as_failed(word: str) -> None:
    assert failed(Conference(id="k", invites=(Invite(state=word), Invite(state="accepted")))) == 1


@pytest.mark.parametrize("name", ["canceled", "cancelled"])
def test_cancelled_alerts_are_listed_in_both_spellings(name: str) -> None:
    (row,) = rows_by_state(b'{"active":[],"%s":[{"alertId":"a"}]}' % name.encode(), 10)
    assert Alert.model_validate_json(bytes(row)).state == "canceled"


def test_no_word_means_both_that_a_call_goes_on_and_that_it_is_over() -> None:
    for word in CALL_OVER:
        assert facts.over(call("a", word))
        assert not facts.waiting(call("a", word))
