"""Commands are held, journaled, sent once, and reported as they ended."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from console.api.errors import (
    Accepted,
    ApiError,
    BadAnswer,
    Conflict,
    Forbidden,
    NotFromService,
    NotOffered,
    ServerFault,
    TimedOut,
    Unreachable,
)
from console.api.operations.people import RemoveParticipant
from console.api.operations.sessions import CreateSession, RevokeToken
from console.api.operations.support import AcceptAlert
from console.base.frozen import replace
from console.base.secrets import MASK
from console.live.command import KEPT, Command, Stage, Step
from console.live.journal_reading import verify
from console.records.people import Session
from console.ui.widgets.message_line import describe
from console.ui.widgets.styled_line import words_of
from tests.live.command_bench import Bench, accept, add
from tests.live.until import settled, until_async

ACCEPTED = Accepted("accepted by the service, not done yet", status=202)


@pytest.fixture
async def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "journal")


async def test_a_change_is_pending_until_the_answer_and_done_afterwards(bench: Bench) -> None:
    command = accept("a")
    assert bench.commands.submit(command).stage is Stage.PENDING
    ticket = await bench.done(command)
    assert ticket.stage is Stage.DONE
    assert bench.around.sent == [AcceptAlert(alert_id="a")]
    assert "alerts" in bench.around.again


async def test_intent_and_outcome_are_journaled_in_that_order(bench: Bench) -> None:
    await bench.run(accept("a", "b"))
    entries = bench.journal()
    assert [entry["what"] for entry in entries] == ["intent", "outcome", "outcome", "result"]
    assert entries[0]["who"] == "ana"
    assert entries[0]["steps"][0]["inputs"] == {"alertId": "a"}
    assert "ringing" in entries[0]["steps"][0]["before"]
    assert verify(bench.path).flaw is None


async def test_without_a_journal_nothing_is_sent(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    bench = Bench(tmp_path / "file" / "journal")
    ticket = await bench.run(accept("a"))
    assert ticket.stage is Stage.REFUSED
    assert "cannot be written" in ticket.reason
    assert bench.around.sent == []


async def test_read_only_is_refused_before_anything_is_written(bench: Bench) -> None:
    bench.around.refusal = "this profile is read-only"
    ticket = bench.commands.submit(accept("a"))
    await settled()
    assert (ticket.stage, ticket.reason) == (Stage.REFUSED, "this profile is read-only")
    assert bench.journal() == []
    assert bench.around.sent == []


async def test_errors_of_journal_profile_and_connection_are_distinguished(tmp_path: Path) -> None:
    folder = tmp_path / "journal"
    folder.mkdir()
    bench = Bench(folder)
    told = words_of(describe(await bench.run(accept("a"))))
    assert "a  not sent: the journal cannot be written: Is a directory" in told
    for refusal in ("this profile is read-only", "not connected: no answer"):
        bench.around.refusal = refusal
        assert f"a  not sent: {refusal}" in words_of(describe(bench.commands.submit(accept("a"))))


async def test_a_held_change_is_sent_after_its_hold_time(bench: Bench) -> None:
    command = accept("a", hold=3.0)
    assert bench.commands.submit(command).stage is Stage.HELD
    await settled()
    bench.clock.advance(2.0)
    await settled()
    assert bench.ticket(command).seconds_left == 1.0
    assert bench.around.sent == []
    bench.clock.advance(1.0)
    assert (await bench.done(command)).stage is Stage.DONE


async def test_undo_cancels_a_held_change_without_a_trace(bench: Bench) -> None:
    command = accept("a", hold=3.0)
    bench.commands.submit(command)
    await settled()
    ticket = bench.commands.undo()
    assert ticket is not None
    assert ticket.stage is Stage.TAKEN_BACK
    bench.clock.advance(10.0)
    await settled()
    await bench.commands.settle()
    assert bench.around.sent == []
    assert bench.journal() == []
    assert bench.commands.undo() is None


async def test_a_held_change_can_be_sent_at_once_and_then_no_longer_be_cancelled(bench: Bench) -> None:
    command = accept("a", hold=3.0)
    bench.commands.submit(command)
    bench.commands.send_held()
    assert bench.ticket(command).stage is Stage.PENDING
    assert bench.commands.undo() is None
    assert (await bench.done(command)).stage is Stage.DONE


async def test_another_change_of_the_same_record_sends_the_held_one_first(bench: Bench) -> None:
    held, other, second = accept("a", "b", hold=3.0), accept("c", hold=3.0), add("b")
    second = replace(second, steps=(replace(second.steps[0], key="b"),))
    for command in (held, other, second):
        bench.commands.submit(command)
    assert bench.ticket(held).stage is Stage.PENDING
    await until_async(lambda: bench.ticket(second).stage is Stage.DONE)
    assert bench.around.sent == [*(step.request for step in held.steps), second.steps[0].request]
    assert bench.ticket(other).stage is Stage.HELD, "it is about another record"
    bench.commands.undo(other.number)
    await bench.commands.settle()


async def test_changes_of_one_record_are_sent_in_order_even_if_held(bench: Bench) -> None:
    slow = bench.around.pause = asyncio.Event()
    first, second = add("x"), accept("night", hold=3.0)
    bench.commands.submit(first)
    bench.commands.submit(second)
    await until_async(lambda: bool(bench.around.sent))
    bench.clock.advance(3.0)
    await settled()
    assert len(bench.around.sent) == 1, "the first has no answer yet"
    slow.set()
    assert (await bench.done(second)).stage is Stage.DONE


async def test_undo_sends_the_inverses_last_first_and_can_itself_be_undone(bench: Bench) -> None:
    command = add("x", "y")
    await bench.run(command)
    back = await bench.undo()
    assert [getattr(each, "target_user_id", "") for each in bench.around.sent] == ["x", "y", "y", "x"]
    assert bench.ticket(command).stage is Stage.TAKEN_BACK
    assert bench.commands.undo() is None, "the key that takes back does not do it again"
    await bench.undo(back.command.number)
    assert bench.around.sent[4:] == [each.request for each in command.steps]


async def test_repeated_undo_goes_back_through_the_changes(bench: Bench) -> None:
    changes = [add("x"), add("y")]
    for command in changes:
        await bench.run(command)
    for command in reversed(changes):
        await bench.undo()
        assert bench.ticket(command).stage is Stage.TAKEN_BACK
    assert bench.commands.undo() is None


async def test_while_the_last_change_is_being_sent_no_earlier_one_is_undone(bench: Bench) -> None:
    done, last = add("x"), add("y")
    await bench.run(done)
    bench.commands.submit(last)
    assert bench.ticket(last).stage is Stage.PENDING
    assert bench.commands.undo() is None
    await bench.done(last)
    await bench.undo()
    assert bench.ticket(last).stage is Stage.TAKEN_BACK
    assert bench.ticket(done).stage is Stage.DONE


async def test_a_change_is_undone_only_once(bench: Bench) -> None:
    command = add("x")
    await bench.run(command)
    first = bench.commands.undo(command.number)
    assert first is not None
    assert bench.commands.undo(command.number) is None
    await bench.done(first.command)
    assert bench.commands.undo(command.number) is None
    assert len(bench.around.sent) == 2


async def test_a_refused_undo_can_be_retried(bench: Bench) -> None:
    command = add("x")
    await bench.run(command)
    bench.around.errors = [Forbidden("not yours")]
    assert (await bench.undo()).stage is Stage.REFUSED
    assert (await bench.undo(command.number)).stage is Stage.DONE


@pytest.mark.parametrize(
    ("error", "stage", "word"),
    [
        (TimedOut("no answer in time"), Stage.UNKNOWN, "unknown"),
        (BadAnswer("cut short"), Stage.UNKNOWN, "unknown"),
        (NotFromService("the answer was not from the service"), Stage.UNKNOWN, "unknown"),
        (ServerFault("broken", status=500), Stage.UNKNOWN, "unknown"),
        (ServerFault("gateway", status=504), Stage.UNKNOWN, "unknown"),
        (ServerFault("busy", status=503), Stage.REFUSED, "refused"),
        (Unreachable("cannot connect to a:80: no answer"), Stage.REFUSED, "not sent"),
        (NotOffered("this deployment has no such operation"), Stage.REFUSED, "not sent"),
        (NotOffered("no such route", status=405), Stage.REFUSED, "refused"),
        (Conflict("bob was first"), Stage.REFUSED, "refused"),
        (Forbidden("not for you", status=403), Stage.REFUSED, "refused"),
    ],
)
async def test_each_failure_is_reported_and_never_sent_again(
    bench: Bench, error: ApiError, stage: Stage, word: str
) -> None:
    bench.around.errors = [error]
    ticket = await bench.run(accept("a"))
    assert (ticket.stage, ticket.reason) == (stage, error.reason)
    assert f"a  {word}: {error.reason}" in words_of(describe(ticket))
    bench.clock.advance(120)
    await settled()
    assert len(bench.around.sent) == 1
    assert "alerts" in bench.around.again
    assert not ticket.can_undo


async def test_after_a_step_with_an_unknown_outcome_nothing_more_is_sent(bench: Bench) -> None:
    bench.around.errors = [None, TimedOut("no answer in time")]
    ticket = await bench.run(accept("a", "b", "c"))
    assert ticket.stage is Stage.UNKNOWN
    assert [outcome.stage for outcome in ticket.outcomes] == [Stage.DONE, Stage.UNKNOWN, Stage.REFUSED]
    assert len(bench.around.sent) == 2


async def test_a_refusal_for_one_record_does_not_stop_the_others(bench: Bench) -> None:
    bench.around.errors = [None, Conflict("bob was first"), None]
    ticket = await bench.run(accept("a", "b", "c"))
    assert ticket.stage is Stage.DONE
    assert ticket.reason == "1 of 3 were refused: bob was first"
    assert len(bench.around.sent) == 3


async def test_steps_that_depend_on_a_refused_one_are_not_sent(bench: Bench) -> None:
    bench.around.errors = [None, Forbidden("not yours")]
    ticket = await bench.run(add("x", "y", "z"))
    assert [outcome.stage for outcome in ticket.outcomes] == [Stage.DONE, Stage.REFUSED, Stage.REFUSED]
    await bench.undo()
    assert bench.around.sent[2:] == [RemoveParticipant(group_id="night", target_user_id="x")]


async def test_a_key_pressed_twice_is_one_change(bench: Bench) -> None:
    command = accept("a")
    bench.commands.submit(command)
    await bench.run(command)
    bench.commands.submit(command)
    await settled()
    assert len(bench.around.sent) == 1


async def test_each_step_has_its_own_idempotency_key(bench: Bench) -> None:
    await bench.run(accept("a", "b"))
    assert len(set(bench.around.keys)) == 2


async def test_secrets_are_not_journaled(bench: Bench) -> None:
    step = Step(RevokeToken(token="canary-1234"), "t", "revoked")
    command = Command("tokens.revoke", "sessions", (step,), "Revoke")
    await bench.run(command)
    assert "canary-1234" not in bench.path.read_text()


async def test_after_the_end_a_change_is_refused(bench: Bench) -> None:
    bench.around.closed = True
    assert bench.commands.submit(accept("a")).stage is Stage.REFUSED


async def test_old_tickets_are_discarded_but_never_one_under_way(bench: Bench) -> None:
    held = accept("held", hold=1000.0)
    bench.commands.submit(held)
    bench.around.refusal = "no"
    for number in range(KEPT + 50):
        bench.commands.submit(accept(str(number)))
    assert len(bench.commands.tickets()) <= KEPT + 1
    assert bench.ticket(held).stage is Stage.HELD
    bench.commands.send_held()
    await bench.commands.settle()


async def test_a_secret_is_kept_until_it_was_seen(bench: Bench) -> None:
    bench.around.answer = Session(id="s-1", token="canary-1234")
    made = Command("sessions.create", "sessions", (Step(CreateSession(), "s", "made a session"),), "Create")
    (outcome,) = (await bench.run(made)).outcomes
    assert (outcome.secret, outcome.made) == (True, ("s-1",))
    bench.around.refusal = "no"
    for number in range(KEPT + 50):
        bench.commands.submit(accept(str(number)))
    assert getattr(bench.ticket(made).outcomes[0].answer, "token", None) == "canary-1234"
    bench.commands.forget_secrets(made.number)
    (outcome,) = bench.ticket(made).outcomes
    assert (outcome.secret, outcome.made) == (False, ("s-1",))
    assert getattr(outcome.answer, "token", None) == MASK
    assert "canary-1234" not in bench.path.read_text()
