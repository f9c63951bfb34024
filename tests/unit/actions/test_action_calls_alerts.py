"""Calls, alerts and templates: what is sent, what is refused, what takes it back."""

from __future__ import annotations

import pytest

from console.api.operations.support import (
    AcceptAlert,
    AttachReceivers,
    CancelAlert,
    CreateTemplate,
    DeleteTemplate,
    DetachReceivers,
    SendAlert,
    UpdateTemplate,
)
from console.api.operations.traffic import EnableStatistics, StartRecording, StopRecording, UpdateCall
from console.commands.action import ChoiceAsk, TextAsk
from console.commands.guards import blocked, command
from console.kinds.actions import by_id
from console.kinds.calls.actions import check_file_name
from console.kinds.consequences import consequence
from console.records.support import Alert, AlertTemplate
from console.records.traffic import Call
from console.views import words
from tests.unit.actions.action_world import (
    ANA,
    BOB,
    CALL,
    EVA,
    FIRE,
    HELP,
    NIGHT,
    NOW,
    OTHERS,
    RECORDED,
    SALES,
    SKILLS,
    TAKEN,
    plan,
    requests,
    situation,
)

# -- calls -----------------------------------------------------------------------------------------------------------


def test_recording_takes_the_proposed_name_with_one_key() -> None:
    (ask,) = by_id("calls.record").asks(situation(), (CALL,))
    assert isinstance(ask, TextAsk)
    assert ask.initial == "call-1-20270115-090000"
    assert check_file_name(ask.initial) is None
    steps = plan("calls.record", situation(), (CALL,), filename=ask.initial)
    assert requests(steps) == [StartRecording(id="call/1", filename=ask.initial)]
    assert steps[0].words == "started recording Ana → +34600111222"
    assert steps[0].inverse == (StopRecording(id="call/1"),), "undo stops it"


def test_a_call_that_is_recorded_is_stopped_without_a_question() -> None:
    assert by_id("calls.record").asks(situation(), (RECORDED,)) == ()
    (step,) = plan("calls.record", situation(), (RECORDED,))
    assert step.request == StopRecording(id="call-2")
    assert not step.inverse, "the file has ended"


@pytest.mark.parametrize("data", [None, {}, {"recording": None}, {"recording": "yes"}, {"recording": {"active": 1}}])
def test_only_the_service_s_own_word_counts_as_recording(data: dict[str, object] | None) -> None:
    assert by_id("calls.record").asks(situation(), (CALL.model_copy(update={"data": data}),))


@pytest.mark.parametrize("name", ["", "  ", "a/b", "a\\b", "..", "a\x1b[31m"])
def test_a_file_name_that_is_none(name: str) -> None:
    with pytest.raises(ValueError, match=r"file name"):
        plan("calls.record", situation(), (CALL,), filename=name)


def test_only_who_takes_part_or_an_admin_touches_a_call() -> None:
    for action_id in ("calls.record", "calls.edit", "calls.statistics"):
        assert blocked(by_id(action_id), situation(EVA), (CALL,)) is None
        assert blocked(by_id(action_id), situation(ANA), (CALL,)) is None
        assert "call participants" in (blocked(by_id(action_id), situation(BOB), (CALL,)) or "")


def test_a_call_that_is_over_is_not_recorded() -> None:
    over = CALL.model_copy(update={"to": 1_800_000_000_000})
    assert blocked(by_id("calls.record"), situation(), (over,)) == "The call has ended."
    assert blocked(by_id("calls.record"), situation(), (CALL.model_copy(update={"to": -1}),)) is None


def test_editing_sends_what_changed_and_undo_sends_what_was() -> None:
    steps = plan("calls.edit", situation(), (CALL,), record={"state": "rejected", "caller": CALL.caller})
    assert requests(steps) == [UpdateCall(id="call/1", state="rejected")]
    assert steps[0].inverse == (UpdateCall(id="call/1", state="connected"),)


def test_what_was_empty_cannot_be_put_back() -> None:
    (step,) = plan("calls.edit", situation(), (CALL,), record={"state": "x", "context": {"a": 1}})
    assert step.inverse == ()


@pytest.mark.parametrize("record", [{}, {"state": "connected"}, None])
def test_nothing_changed(record: dict[str, str] | None) -> None:
    with pytest.raises(ValueError, match="Nothing was changed"):
        plan("calls.edit", situation(), (CALL,), record=record)


def test_a_bad_field_is_named() -> None:
    with pytest.raises(ValueError, match=r"^Queue position: "):
        plan("calls.edit", situation(), (CALL,), record={"queue_position": "many"})


@pytest.mark.parametrize(("answer", "on"), [("on", True), ("off", False)])
def test_statistics_and_their_opposite(answer: str, on: bool) -> None:
    (step,) = plan("calls.statistics", situation(), (CALL,), statistics=answer)
    assert step.request == EnableStatistics(callid="call/1", enable=on)
    assert step.inverse == (EnableStatistics(callid="call/1", enable=not on),)


@pytest.mark.parametrize(("switch", "watching"), [(None, False), (True, False), (False, True)])
def test_only_statistics_that_were_off_are_switched_off_again_on_leaving(switch: bool | None, watching: bool) -> None:
    data = None if switch is None else {"statistics": {"enabled": switch}}
    call = CALL.model_copy(update={"data": data})
    (step,) = plan("calls.statistics", situation(calls=(call,)), (call,), statistics="on")
    assert step.watching is watching


def test_a_hostile_caller_is_clean_in_every_word() -> None:
    call = Call(id="x", caller="\x1b[2Jevil", callee="b")
    (step,) = plan("calls.record", situation(calls=(call,)), (call,), filename="f")
    assert step.words.isprintable()


# -- alerts ----------------------------------------------------------------------------------------------------------


def test_accepting_many_takes_the_active_ones() -> None:
    decided = command(by_id("alerts.accept"), situation(), (FIRE, TAKEN, OTHERS), {})
    assert decided.skipped.startswith("1 skipped: ")
    assert requests(list(decided.steps)) == [AcceptAlert(alert_id="a-1"), AcceptAlert(alert_id="a-2")]
    assert decided.steps[0].words == "accepted Line down"


def test_what_is_accepted_says_by_whom() -> None:
    assert blocked(by_id("alerts.accept"), situation(), (TAKEN,)) == "Already accepted by Ana."
    expired = Alert(alert_id="a-9", state="expired")
    assert blocked(by_id("alerts.accept"), situation(), (expired,)) == "Already expired."
    assert blocked(by_id("alerts.accept"), situation(), (TAKEN, expired)) == "None of these alerts is active."


def test_what_has_ended_says_who_ended_it_and_when() -> None:
    taken = TAKEN.model_copy(update={"resolved_at": NOW - 5000})
    at = situation()
    when = words.clock(NOW - 5000, at.render)
    assert blocked(by_id("alerts.accept"), at, (taken,)) == f"Already accepted by Ana at {when}."
    canceled = taken.model_copy(update={"accepted_by": None, "state": "canceled", "from_": "u-bob"})
    assert blocked(by_id("alerts.accept"), at, (canceled,)) == f"Already cancelled by Bob at {when}."


def test_before_an_alert_is_sent_its_text_and_course_are_shown() -> None:
    _, asks_id = by_id("alerts.send").asks(situation(), ())
    assert callable(asks_id)
    ask = asks_id({"template": "help"})
    assert isinstance(ask, TextAsk)
    assert ask.preview is not None
    assert ask.check is not None
    title, payload, course = ("".join(cell.text for cell in line) for line in ask.preview(""))
    assert (title, payload) == ("Help", "Come")
    assert course.startswith("Alerts now, then 3 more times, every 1m; expires at ")
    assert ask.check("a-1") == "Alert a-1 already exists."


def test_an_alert_without_a_state_is_judged_by_what_it_says() -> None:
    assert blocked(by_id("alerts.accept"), situation(), (Alert(alert_id="n"),)) is None
    assert blocked(by_id("alerts.accept"), situation(), (Alert(alert_id="n", resolved_at=1),))


@pytest.mark.parametrize("sender", ["u-eva", "svc-user:u-eva", "eva", "eva@desk.example", "EVA"])
def test_the_sender_cancels(sender: str) -> None:
    mine = FIRE.model_copy(update={"from_": sender})
    assert blocked(by_id("alerts.cancel"), situation(), (mine,)) is None
    assert requests(plan("alerts.cancel", situation(), (mine,))) == [CancelAlert(id="a-1")]


def test_nobody_else_does_and_the_reason_names_the_sender() -> None:
    reason = blocked(by_id("alerts.cancel"), situation(), (OTHERS,))
    assert reason == "Only the sender can cancel an alert: Bob sent Queue full."
    decided = command(by_id("alerts.cancel"), situation(), (FIRE, OTHERS), {})
    assert (decided.count, decided.skipped) == (1, f"1 skipped: {reason}")


def test_sending_is_a_digit_and_enter() -> None:
    template, asks_id = by_id("alerts.send").asks(situation(), ())
    assert isinstance(template, ChoiceAsk)
    assert callable(asks_id)
    alert_id = asks_id({"template": "help"})
    assert isinstance(alert_id, TextAsk)
    assert template.digits
    assert [(each.value, each.title, each.note) for each in template.choices] == [("help", "Help", "Come")]
    assert alert_id.initial.startswith("a-")
    other = asks_id({"template": "help"})
    assert isinstance(other, TextAsk)
    assert other.initial != alert_id.initial, "each alert has its own id"
    (step,) = plan("alerts.send", situation(), template="help", alert_id=alert_id.initial)
    assert step.request == SendAlert(template_id="help", alert_id=alert_id.initial)
    assert step.key == alert_id.initial


@pytest.mark.parametrize(
    ("template", "alert_id", "reason"),
    [("gone", "a-new", "no template gone"), ("help", "a-1", "Alert a-1 already"), ("help", " ", "id is missing")],
)
def test_an_alert_that_cannot_be_sent(template: str, alert_id: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        plan("alerts.send", situation(), template=template, alert_id=alert_id)


def test_without_templates_there_is_nothing_to_send() -> None:
    assert blocked(by_id("alerts.send"), situation(templates=()), ()) == "There are no alert templates to send."


# -- templates -------------------------------------------------------------------------------------------------------


def test_a_new_template_can_be_taken_back() -> None:
    (step,) = plan("templates.create", situation(), template={"template_id": "t", "title": "T", "payload": ""})
    assert step.request == CreateTemplate(
        template_id="t",
        title="T",
        payload="",
        number_of_retries=3,
        time_in_ms_between_retries=60_000,
        time_to_expire=300_000,
    )
    assert step.inverse == (DeleteTemplate(id="t"),)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"template_id": "help", "title": "T", "payload": ""}, "Template help already"),
        ({"template_id": "t", "payload": ""}, "^Title: needs a value"),
        ({"template_id": "t", "title": "T", "payload": "", "number_of_retries": -1}, "^Number of retries: "),
    ],
)
def test_a_template_that_cannot_be_made(values: dict[str, object], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        plan("templates.create", situation(), template=values)


def test_editing_a_template_and_its_way_back() -> None:
    (step,) = plan("templates.edit", situation(), (HELP,), template={"title": "Now", "payload": "Come"})
    assert step.request == UpdateTemplate(id="help", title="Now")
    assert step.inverse == (UpdateTemplate(id="help", title="Help"),)
    endless = AlertTemplate(template_id="e", title="E")
    (step,) = plan("templates.edit", situation(), (endless,), template={"time_to_expire": 5})
    assert step.inverse == ()


def test_deleting_and_detaching_say_what_is_lost() -> None:
    delete, detach = (plan(each, situation(), (HELP,)) for each in ("templates.delete", "templates.detach"))
    assert requests(delete) == [DeleteTemplate(id="help")]
    assert requests(detach) == [DetachReceivers(id="help")]
    assert "receivers is lost" in consequence(situation(), delete).warning
    assert "cannot say who they were" in consequence(situation(), detach).warning


def test_receivers_from_users_groups_and_skills_each_once() -> None:
    (ask,) = by_id("templates.attach").asks(situation(), (HELP,))
    assert isinstance(ask, ChoiceAsk)
    assert ask.many
    titles = [each.title for each in ask.choices]
    assert {"@Sales", "@Night", "#billing", "Ana"} <= set(titles)
    picked = ("group:night", "skill:billing", "user:u-ana")
    assert set(picked) <= {each.value for each in ask.choices}
    (step,) = plan("templates.attach", situation(), (HELP,), receivers=picked)
    expected = tuple(dict.fromkeys((*NIGHT.participants, *SKILLS[0].agents, "u-ana")))
    assert step.request == AttachReceivers(id="help", user_ids=expected)
    assert step.words == "added 4 people to the receivers of Help"


@pytest.mark.parametrize(
    ("picked", "reason"),
    [
        ((), "is missing"),
        (("group:empty",), "Nobody"),
        (("group:gone",), "gone no longer exists"),
        (("x",), "no longer exists"),
    ],
)
def test_receivers_that_are_nobody(picked: tuple[str, ...], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        plan("templates.attach", situation(), (HELP,), receivers=picked)


def test_templates_are_for_admins() -> None:
    assert blocked(by_id("templates.edit"), situation(BOB), (HELP,)) == "Only admins can do this."
    assert SALES.owner is not None
    assert SALES.owner.id == EVA.id
