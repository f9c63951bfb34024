"""Actions on calls: the requests sent, refusals, undo."""

from __future__ import annotations

import pytest

from console.api.operations.traffic import EnableStatistics, StartRecording, StopRecording, UpdateCall
from console.commands.action import TextAsk
from console.commands.guards import blocked
from console.kinds.actions import by_id
from console.kinds.calls.actions import check_file_name
from console.kinds.inverses import inverse_of
from console.records.traffic import Call
from tests.kinds.action_world import (
    ANA,
    BOB,
    CALL,
    EVA,
    RECORDED,
    asks_of,
    plan,
    requests,
    situation,
)


def test_recording_uses_the_proposed_name_with_one_key() -> None:
    (ask,) = asks_of(by_id("calls.record"), situation(), (CALL,))
    assert isinstance(ask, TextAsk)
    assert ask.initial == "call-1-20270115-090000"
    assert check_file_name(ask.initial) is None
    steps = plan("calls.record", situation(), (CALL,), filename=ask.initial)
    assert requests(steps) == [StartRecording(id="call/1", filename=ask.initial)]
    assert steps[0].words == "started recording Ana → +34600111222"
    assert steps[0].inverse == (StopRecording(id="call/1"),), "undo stops it"


def test_a_recording_is_stopped_without_a_confirmation() -> None:
    assert asks_of(by_id("calls.record"), situation(), (RECORDED,)) == ()
    (step,) = plan("calls.record", situation(), (RECORDED,))
    assert step.request == StopRecording(id="call-2")
    assert not step.inverse, "the file has ended"


@pytest.mark.parametrize("data", [None, {}, {"recording": None}, {"recording": "yes"}, {"recording": {"active": 1}}])
def test_only_the_services_own_state_counts_as_recording(data: dict[str, object] | None) -> None:
    assert asks_of(by_id("calls.record"), situation(), (CALL.model_copy(update={"data": data}),))


@pytest.mark.parametrize("name", ["", "  ", "a/b", "a\\b", "..", "a\x1b[31m"])
def test_an_invalid_file_name_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"file name"):
        plan("calls.record", situation(), (CALL,), filename=name)


def test_only_participants_and_admins_can_change_a_call() -> None:
    for action_id in ("calls.record", "calls.edit", "calls.statistics"):
        assert blocked(by_id(action_id), situation(EVA), (CALL,)) is None
        assert blocked(by_id(action_id), situation(ANA), (CALL,)) is None
        assert "call participants" in (blocked(by_id(action_id), situation(BOB), (CALL,)) or "")


def test_an_ended_call_cannot_be_recorded() -> None:
    over = CALL.model_copy(update={"to": 1_800_000_000_000})
    assert blocked(by_id("calls.record"), situation(), (over,)) == "The call has ended."
    assert blocked(by_id("calls.record"), situation(), (CALL.model_copy(update={"to": -1}),)) is None


def test_editing_sends_the_changed_fields_and_undo_the_previous_ones() -> None:
    steps = plan("calls.edit", situation(), (CALL,), record={"state": "rejected", "caller": CALL.caller})
    assert requests(steps) == [UpdateCall(id="call/1", state="rejected")]
    assert steps[0].inverse == (UpdateCall(id="call/1", state="connected"),)


def test_an_empty_field_cannot_be_restored() -> None:
    (step,) = plan("calls.edit", situation(), (CALL,), record={"state": "x", "context": {"a": 1}})
    assert step.inverse == ()


@pytest.mark.parametrize("record", [{}, {"state": "connected"}, None])
def test_an_unchanged_form_is_refused(record: dict[str, str] | None) -> None:
    with pytest.raises(ValueError, match="Nothing was changed"):
        plan("calls.edit", situation(), (CALL,), record=record)


def test_an_invalid_field_is_named() -> None:
    with pytest.raises(ValueError, match=r"^Queue position: "):
        plan("calls.edit", situation(), (CALL,), record={"queue_position": "many"})


@pytest.mark.parametrize(("answer", "on"), [("on", True), ("off", False)])
def test_statistics_are_switched_and_switched_back(answer: str, on: bool) -> None:
    call = CALL.model_copy(update={"data": {"statistics": {"enabled": not on}}})
    (step,) = plan("calls.statistics", situation(calls=(call,)), (call,), statistics=answer)
    assert step.request == EnableStatistics(call_id="call/1", enable=on)
    assert step.inverse == (EnableStatistics(call_id="call/1", enable=not on),)


@pytest.mark.parametrize(
    ("data", "answer"),
    [
        ({"statistics": {"enabled": True}}, "on"),
        ({"statistics": {"enabled": False}}, "off"),
        ({"statistics": {"enabled": "yes"}}, "on"),
        ({}, "on"),
    ],
)
def test_statistics_that_were_so_already_are_not_switched_by_undo(data: dict[str, object], answer: str) -> None:
    call = CALL.model_copy(update={"data": data})
    (step,) = plan("calls.statistics", situation(calls=(call,)), (call,), statistics=answer)
    assert step.inverse == ()


def test_undo_does_not_stop_a_recording_that_ran_before() -> None:
    request = StartRecording(id="call-2", filename="again")
    assert inverse_of(situation(), request) == ()


@pytest.mark.parametrize(("switch", "watching"), [(None, False), (True, False), (False, True)])
def test_on_leaving_only_statistics_that_were_off_are_switched_off(switch: bool | None, watching: bool) -> None:
    data = None if switch is None else {"statistics": {"enabled": switch}}
    call = CALL.model_copy(update={"data": data})
    (step,) = plan("calls.statistics", situation(calls=(call,)), (call,), statistics="on")
    assert step.watching is watching


def test_a_hostile_caller_name_is_clean_in_every_text() -> None:
    call = Call(id="x", caller="\x1b[2Jevil", callee="b")
    (step,) = plan("calls.record", situation(calls=(call,)), (call,), filename="f")
    assert step.words.isprintable()
