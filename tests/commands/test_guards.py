"""One place decides whether an action is available and how it is guarded."""

from __future__ import annotations

import pytest

from console.api.annotations import Access, Change, Guard, Variant
from console.api.request import Request
from console.base.frozen import replace
from console.client.endpoint import Endpoint
from console.commands.action import Action
from console.commands.guards import applicable, blocked, command, guard, not_under_way
from console.kinds.actions import by_id
from console.kinds.consequences import consequence, word
from console.live.command import Stage, Step, Ticket
from console.records.people import Session
from console.records.record import Record
from console.records.responses import Acknowledgement
from console.records.traffic import Call
from tests.kinds.action_world import (
    ANA,
    BOB,
    CALL,
    EVA,
    FIRE,
    OTHERS,
    OWN_SESSION,
    SALES,
    SESSION,
    situation,
)


def test_some_actions_take_one_record_at_a_time() -> None:
    assert "one record at a time" in (blocked(by_id("calls.record"), situation(), (CALL, CALL)) or "")
    assert blocked(by_id("alerts.accept"), situation(), (FIRE, OTHERS)) is None


def test_an_invalid_row_is_refused() -> None:
    broken = Call.model_validate({"id": ""})
    assert "cannot be read" in (blocked(by_id("calls.record"), situation(), (broken,)) or "")


def test_an_operation_missing_in_the_variant_is_refused() -> None:
    from console.api import request as declarations

    before = list(declarations.declared)

    class Only(
        Request[Acknowledgement],
        name="test.only-later",
        section="0",
        row="none",
        route="POST /only",
        change=Change(Guard.SMALL),
        access=Access.NAMED,
        variant=Variant.LATER,
    ):
        """Operations that only the later variant has."""

    declarations.declared[:] = before
    plan = by_id("calls.record").plan
    action = Action[Call]("test.only", "only", "k", "calls", plan, sends=(Only,))
    assert blocked(action, situation(), (CALL,)) is None
    lacks = Endpoint("http://desk.example/core", variant=Variant.EARLIER).lacks(Only.operation)
    assert lacks is not None
    earlier = replace(situation(variant=Variant.EARLIER), lacking={Only.operation.name: lacks})
    assert blocked(action, earlier, (CALL,)) == "The earlier variant of the service has no such operation."


def steps_of(action_id: str, *records: Record, **answers: object) -> tuple[Step, ...]:
    return command(by_id(action_id), situation(), records, answers).steps


def test_in_an_outdated_list_each_action_has_a_stronger_guard() -> None:
    accept, revoke = steps_of("alerts.accept", FIRE), steps_of("sessions.revoke", SESSION)
    rename = steps_of("groups.rename", SALES, name="Other")
    assert [guard(each) for each in (accept, rename, revoke)] == [Guard.SMALL, Guard.REVERSIBLE, Guard.WIDE]
    stronger = [guard(each, stale=True) for each in (accept, rename, revoke)]
    assert stronger == [Guard.WIDE, Guard.SMALL, Guard.MASS]
    assert guard(steps_of("sessions.revoke", SESSION, OWN_SESSION), stale=True) is Guard.MASS


def test_the_beginning_of_a_long_id_is_enough_as_confirmation() -> None:
    long = SESSION.model_copy(update={"id": "8b5a9f0e-2f83-4f1e-9b52-0d8f4d9c1a77"})
    assert word(steps_of("sessions.revoke", long)[0], long) == "8b5a9f0e"


def test_immediate_actions_are_held_in_an_outdated_list() -> None:
    answers = {"activity": "busy"}
    assert command(by_id("me.set"), situation(), (), answers, hold_seconds=3, stale=True).hold == 3
    assert command(by_id("alerts.accept"), situation(), (FIRE,), {}, hold_seconds=3, stale=True).hold == 3


def test_a_command_contains_its_action_kind_hold_and_records() -> None:
    made = command(by_id("alerts.accept"), situation(), (FIRE,), {}, hold_seconds=3, skipped="1 skipped.")
    assert (made.action, made.kind, made.hold, made.skipped) == ("alerts.accept", "alerts", 3, "1 skipped.")
    assert [step.key for step in made.steps] == ["a-1"]


def test_a_reversible_command_is_not_held() -> None:
    made = command(by_id("me.set"), situation(), (), {"activity": "busy"}, hold_seconds=3)
    assert (made.kind, made.hold) == ("presence", 0)


def test_a_refused_action_has_a_reason() -> None:
    with pytest.raises(ValueError, match="read-only"):
        applicable(by_id("alerts.accept"), situation(read_only=True), (FIRE,))


@pytest.mark.parametrize(("me", "reason"), [(EVA, None), (ANA, "Only admins can end the sessions of others.")])
def test_who_can_end_sessions_of_others(me: object, reason: str | None) -> None:
    at = situation(EVA if me is EVA else BOB)
    assert blocked(by_id("sessions.revoke"), at, (SESSION,)) == reason


def test_an_own_session_can_be_ended_with_its_own_warning() -> None:
    own = Session(id="s-9", user=BOB.id)
    assert blocked(by_id("sessions.revoke"), situation(BOB), (own,)) is None
    mine = situation(BOB, sessions=(own,))
    revoke = by_id("sessions.revoke")
    assert "may be your current session" in consequence(mine, revoke.plan(mine, (own,), {})).warning
    known = replace(mine, session_id="s-9")
    assert consequence(known, revoke.plan(known, (own,), {})).warning.endswith("It is your current session.")
    assert "you work in" not in consequence(situation(), revoke.plan(situation(), (SESSION,), {})).warning


def test_a_change_that_is_being_sent_is_not_sent_again() -> None:
    first = command(by_id("alerts.accept"), situation(), (FIRE,), {}, 3.0)
    again = command(by_id("alerts.accept"), situation(), (FIRE,), {}, 3.0)
    both = command(by_id("alerts.accept"), situation(), (FIRE, OTHERS), {}, 3.0)
    for stage in (Stage.HELD, Stage.PENDING):
        under_way = [Ticket(first, stage)]
        with pytest.raises(ValueError, match="Already being sent"):
            not_under_way(again, under_way)
        assert [step.key for step in not_under_way(both, under_way).steps] == [OTHERS.key]
    assert not_under_way(again, [Ticket(first, Stage.REFUSED)]) == again


def test_a_change_is_not_recent_again_after_the_clock_was_set_back() -> None:
    now, hour = 1_790_000_000_000, 3_600_000
    ended = Ticket(command(by_id("alerts.accept"), situation(), (FIRE,), {}, 3.0), Stage.DONE, decided_at=now)
    assert [ended.is_recent(now + ms) for ms in (0, 5_000, hour, -hour)] == [True, True, False, False]
