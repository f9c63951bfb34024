"""Changes that a service accepted without having done them (202) are read back."""

from __future__ import annotations

from pathlib import Path

import pytest

from console.api.errors import Accepted
from console.api.operations.people import GetGroup, UpdateGroup
from console.api.operations.support import CancelAlert, DeleteTemplate
from console.live.command import Basis, Command, Stage, Step
from console.live.commands import READ_BACK_SECONDS, READ_BACK_TIMES
from console.records.people import Group
from console.records.record import Record
from console.records.support import Alert, AlertTemplate
from tests.kinds.action_world import plan, situation
from tests.live.command_bench import Bench, accept
from tests.live.until import until_async

ACCEPTED = Accepted("accepted by the service, not done yet", status=202)


@pytest.fixture
async def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "journal")


async def test_an_accepted_change_is_not_done_and_does_not_stop_the_others(bench: Bench) -> None:
    accepted = Accepted("accepted by the service, not done yet", status=202)
    bench.around.errors = [accepted, None]
    ticket = await bench.run(accept("a", "b"))
    assert [outcome.stage for outcome in ticket.outcomes] == [Stage.UNKNOWN, Stage.DONE]
    assert (ticket.stage, ticket.reason) == (Stage.UNKNOWN, "accepted by the service, not done yet")
    assert bench.around.again, "its list is read back"


async def test_an_accepted_change_is_done_once_its_record_shows_it(bench: Bench) -> None:
    bench.around.errors = [Accepted("accepted by the service, not done yet", status=202)]
    bench.around.there = Group(group_id="night", name="Day")
    read = GetGroup(group_id="night")
    step = Step(UpdateGroup(group_id="night", name="Day"), "night", "renamed Night", basis=Basis(read, {"name": "Day"}))
    command = Command("groups.rename", "groups", (step,), "rename")
    assert (await bench.run(command)).stage is Stage.DONE


def cancel(*alerts: str) -> Command:
    steps = tuple(Step(CancelAlert(id=alert), alert, f"cancelled {alert}") for alert in alerts)
    return Command("alerts.cancel", "alerts", steps, "Cancel")


def delete(template: str) -> Command:
    step = Step(DeleteTemplate(id=template), template, f"deleted {template}")
    return Command("templates.delete", "templates", (step,), "Delete")


@pytest.mark.parametrize(
    ("command", "before", "after"),
    [
        (cancel("a", "b"), Alert(alert_id="a", state="active"), Alert(alert_id="a", state="canceled")),
        (delete("help"), AlertTemplate(template_id="help"), None),
    ],
    ids=["cancelled", "not listed any more"],
)
async def test_accepted_removals_are_done_once_their_records_show_it(
    bench: Bench, command: Command, before: Record, after: Record | None
) -> None:
    bench.around.listed, bench.around.errors = before, [ACCEPTED] * 2
    bench.commands.submit(command)
    await until_async(lambda: bench.around.again)
    assert bench.ticket(command).stage is Stage.PENDING
    bench.around.listed = after
    bench.clock.advance(READ_BACK_SECONDS)
    assert (await bench.done(command)).stage is Stage.DONE
    assert bench.journal()[-1]["stage"] == "done"


async def test_an_accepted_acceptance_is_done_once_the_alert_names_the_caller(bench: Bench) -> None:
    alert = Alert(alert_id="a", state="active")
    bench.around.listed, bench.around.errors = alert, [ACCEPTED]
    (step,) = plan("alerts.accept", situation(), [alert])
    command = Command("alerts.accept", "alerts", (step,), "Accept")
    bench.commands.submit(command)
    for times, by in enumerate(("somebody-else", situation().user_id), 1):
        await until_async(lambda times=times: len(bench.around.again) >= times)
        assert bench.ticket(command).stage is Stage.PENDING
        bench.around.listed = Alert(alert_id="a", state="accepted", accepted_by=by)
        bench.clock.advance(READ_BACK_SECONDS)
    assert (await bench.done(command)).stage is Stage.DONE


@pytest.mark.parametrize("now", ["active", "accepted", "expired", None])
async def test_an_alert_that_ended_otherwise_was_not_cancelled(bench: Bench, now: str | None) -> None:
    bench.around.listed, bench.around.errors = Alert(alert_id="a", state="active"), [ACCEPTED]
    command = cancel("a")
    bench.commands.submit(command)
    for times in range(1, READ_BACK_TIMES + 1):
        await until_async(lambda times=times: len(bench.around.again) >= times)
        bench.around.listed = None if now is None else Alert(alert_id="a", state=now)
        bench.clock.advance(READ_BACK_SECONDS)
    ticket = await bench.done(command)
    assert (ticket.stage, ticket.reason) == (Stage.UNKNOWN, "accepted by the service, not done yet after 10 s")


async def test_an_accepted_change_of_what_cannot_be_read_back_is_not_waited_for(bench: Bench) -> None:
    bench.around.listed, bench.around.errors = None, [ACCEPTED]
    command = delete("help")
    ticket = await bench.run(command)
    assert (ticket.stage, ticket.reason) == (Stage.UNKNOWN, "accepted by the service, not done yet")
