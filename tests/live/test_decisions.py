"""A decision is sent soon and applies to the rows it was made on, or it is not sent; and it has one effect."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from console.api.errors import Conflict, Forbidden, NotFound, NotOffered, ServerFault, TimedOut, Unreachable
from console.api.operations.people import GetGroup, ReorderParticipants, UpdateGroup
from console.api.request import Request
from console.live.command import Basis, Command, Stage, Step
from console.live.journal import Journal
from console.live.merging import taking_back
from console.records.people import Group
from console.records.responses import Acknowledgement
from tests.faults.figures import count, record
from tests.live.command_bench import Bench, FakeEngine, accept, add
from tests.live.until import settled, until_async

READ = GetGroup(group_id="night")


@pytest.fixture
async def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "journal")


def night(members: str = "abc", name: str = "Night") -> Group:
    return Group(group_id="night", name=name, participants=tuple(members))


def reorder(mine: str, before: str = "abc") -> Command:
    undo = ReorderParticipants(group_id="night", participants=tuple(before))
    request = ReorderParticipants(group_id="night", participants=tuple(mine))
    step = Step(request, "night", "reordered", (undo,), Basis(READ, {"participants": tuple(before)}))
    return Command("groups.reorder", "groups", (step,), "Reorder")


def rename(mine: str, before: str = "Night") -> Command:
    undo = UpdateGroup(group_id="night", name=before)
    request = UpdateGroup(group_id="night", name=mine)
    step = Step(request, "night", "renamed", (undo,), Basis(READ, {"name": before}))
    return Command("groups.rename", "groups", (step,), "Rename")


def answer_slowly(bench: Bench) -> None:
    """Let each change take twelve seconds from now on."""
    send = bench.around.change

    async def slowly(request: Request[Any], once: str) -> Any:
        bench.clock.advance(12)
        return await send(request, once)

    bench.around.change = slowly


# -- delays ----------------------------------------------------------------------------------------------------------


async def test_a_change_delayed_by_the_disk_is_not_sent(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    append = Journal.append

    def slowly(journal: Journal, entry: dict[str, Any]) -> None:
        if entry["what"] == "intent":
            bench.clock.advance(11)
        append(journal, entry)

    monkeypatch.setattr(Journal, "append", slowly)
    ticket = await bench.run(accept("a"))
    assert (ticket.stage, ticket.reason) == (Stage.REFUSED, "too late: decided 11 s ago")
    assert bench.around.sent == []
    assert [entry["what"] for entry in bench.journal()] == ["intent", "outcome", "result"]


async def test_a_change_held_while_the_machine_was_suspended_is_not_sent_afterwards(bench: Bench) -> None:
    command = accept("a", hold=3.0)
    bench.commands.submit(command)
    await settled()
    bench.clock.jump(3_600_000)
    bench.clock.advance(3.0)
    ticket = await bench.done(command)
    assert (ticket.stage, ticket.reason) == (Stage.REFUSED, "too late: decided 3600 s ago")
    assert bench.around.sent == []


async def test_neither_a_long_hold_nor_a_slow_answer_counts_as_a_delay(bench: Bench) -> None:
    command = accept("a", "b", hold=60.0)
    bench.commands.submit(command)
    await settled()
    answer_slowly(bench)
    bench.clock.advance(60)
    assert (await bench.done(command)).stage is Stage.DONE
    assert len(bench.around.sent) == 2


async def test_a_change_that_waited_too_long_for_an_earlier_one_is_not_sent(bench: Bench) -> None:
    answer_slowly(bench)
    first, second = add("x"), add("y")
    bench.commands.submit(first)
    bench.commands.submit(second)
    assert (await bench.done(first)).stage is Stage.DONE
    assert "too late: decided 12 s ago" in (await bench.done(second)).reason
    assert len(bench.around.sent) == 1


async def test_no_change_is_queued_while_there_is_no_connection(bench: Bench) -> None:
    bench.around.refusal = "not connected yet"
    commands = [accept(str(number)) for number in range(20)]
    assert {bench.commands.submit(each).stage for each in commands} == {Stage.REFUSED}
    bench.around.refusal = None
    bench.clock.advance(60)
    await settled()
    assert bench.around.sent == []


# -- the basis of a decision ----------------------------------------------------------------------------------


async def test_a_change_is_compared_with_the_current_record_before_it_is_sent(bench: Bench) -> None:
    command = rename("Late")
    assert (await bench.run(command)).stage is Stage.DONE
    assert bench.around.sent == [UpdateGroup(group_id="night", name="Late")]


async def test_changes_of_others_to_the_record_are_merged_and_the_sent_change_is_journaled(bench: Bench) -> None:
    bench.around.there = night("abcd")
    command = reorder("cab")
    await bench.run(command)
    assert bench.around.sent == [ReorderParticipants(group_id="night", participants=tuple("cabd"))]
    intent, outcome, _ = bench.journal()
    assert intent["steps"][0]["inputs"]["participants"] == list("cab")
    assert outcome["sent"]["participants"] == list("cabd")
    bench.around.there = night("cabd")
    await bench.undo()
    assert bench.around.sent[1:] == [ReorderParticipants(group_id="night", participants=tuple("abcd"))]


async def test_changes_of_others_to_the_same_value_are_not_overwritten_unseen(bench: Bench) -> None:
    bench.around.there = night("bca", "Early")
    for command, mine, theirs in ((reorder("cab"), tuple("cab"), tuple("bca")), (rename("Late"), "Late", "Early")):
        ticket = await bench.run(command)
        assert (ticket.stage, ticket.reason) == (
            Stage.REFUSED,
            "somebody else changed it in the meantime",
        )
        clash = ticket.outcomes[0].clash
        assert clash is not None
        assert [(each.mine, each.theirs) for each in clash.disputed] == [(mine, theirs)]
    assert bench.around.sent == []
    assert "groups" in bench.around.again


async def test_a_further_change_before_the_list_shows_ones_own_is_no_conflict_with_somebody_else(bench: Bench) -> None:
    for before, mine in (("Night", "Late"), ("Late", "Later"), ("Later", "Latest")):
        bench.around.there = night(name=before)
        # The list still shows the first name.
        ticket = await bench.run(rename(mine))
        assert ticket.stage is Stage.DONE, ticket.reason
    bench.around.there = night(name="Latest")
    await bench.undo()
    names = ("Late", "Later", "Latest", "Later")
    assert bench.around.sent == [UpdateGroup(group_id="night", name=name) for name in names]


async def test_a_change_by_somebody_else_after_ones_own_is_a_conflict(bench: Bench) -> None:
    await bench.run(rename("Late"))
    bench.around.there = night(name="Early")
    ticket = await bench.run(rename("Later"))
    assert ticket.reason == "somebody else changed it in the meantime"
    assert len(bench.around.sent) == 1


async def test_undo_does_not_revert_later_changes_of_others(bench: Bench) -> None:
    command = rename("Late")
    await bench.run(command)
    bench.around.there = night(name="Early")
    ticket = await bench.undo()
    assert ticket.stage is Stage.REFUSED
    assert ticket.outcomes[0].clash is not None
    assert len(bench.around.sent) == 1


@pytest.mark.parametrize(
    ("error", "sent"), [(Unreachable("gone"), 0), (ServerFault("gone"), 0), (NotOffered("no"), 1), (Forbidden("no"), 1)]
)
async def test_a_change_that_cannot_be_compared_is_not_sent_unless_it_never_can(
    bench: Bench, error: Any, sent: int
) -> None:
    bench.around.there = error
    command = rename("Late")
    ticket = await bench.run(command)
    assert len(bench.around.sent) == sent
    assert sent or "cannot check for changes by others: gone" in ticket.reason


async def test_a_change_of_a_record_that_is_gone_is_not_sent_and_its_values_are_kept(bench: Bench) -> None:
    bench.around.there = NotFound("no group night")
    ticket = await bench.run(rename("Late"))
    assert (ticket.stage, ticket.reason) == (Stage.REFUSED, "it was deleted or renamed in the meantime")
    clash = ticket.outcomes[0].clash
    assert clash is not None
    assert (clash.record, [each.mine for each in clash.disputed]) == (None, ["Late"])
    assert bench.around.sent == []


def test_undoing_a_rename_compares_the_record_under_its_new_key() -> None:
    undo = UpdateGroup(group_id="day", new_group_id="night")
    request = UpdateGroup(group_id="night", new_group_id="day", name="Day")
    step = Step(request, "night", "renamed", (undo,), Basis(READ, {"name": "Night"}))
    back = taking_back(step, undo)
    assert back is not None
    assert back.read == GetGroup(group_id="day")


# -- exactly once ----------------------------------------------------------------------------------------------------


class Counting(FakeEngine):
    """A service that executes each change once per idempotency key, and whose answers are sometimes lost."""

    def __init__(self, draw: random.Random) -> None:
        super().__init__()
        self.effects: dict[str, int] = {}
        self._seen: set[str] = set()
        self._draw = draw

    async def change(self, request: Request[Any], once: str) -> Any:
        alert = str(getattr(request, "alert_id", ""))
        if self._draw.random() < 0.2:
            raise Unreachable("no connection in time")
        if once not in self._seen:
            self._seen.add(once)
            self.effects[alert] = self.effects.get(alert, 0) + 1
        if self._draw.random() < 0.3:
            raise TimedOut("no answer in time")
        return Acknowledgement(message="OK")


async def test_repeated_keys_and_lost_answers_have_at_most_one_effect(
    tmp_path: Path,
) -> None:
    rounds = count("SAFETY_COUNT", 60)
    around = Counting(random.Random(3))
    bench = Bench(tmp_path / "journal", around)
    wrong: list[str] = []
    for number in range(rounds):
        command = accept(f"a{number}")
        for _ in range(number % 3 + 1):
            bench.commands.submit(command)
        ticket = await bench.done(command)
        bench.commands.submit(command)
        bench.clock.advance(30)
        await settled(5)
        effects = around.effects.get(f"a{number}", 0)
        told = {Stage.DONE: {1}, Stage.REFUSED: {0}, Stage.UNKNOWN: {0, 1}}[ticket.stage]
        if effects not in told:
            wrong.append(f"{ticket.stage} with {effects} effects")
    record("O3", not wrong, f"{len(wrong)} of {rounds} had another effect than reported", "0")
    record("C6", not wrong, f"{len(wrong)} of {rounds} lost or doubled with lost answers", "0")
    assert not wrong


async def test_of_two_consoles_one_succeeds_and_the_other_gets_the_conflict(tmp_path: Path) -> None:
    """Both decide before either answer arrives; the service accepts the first."""
    rounds, wrong = count("SAFETY_COUNT", 40), 0
    taken: set[str] = set()

    class First(FakeEngine):
        def __init__(self, who: str) -> None:
            super().__init__()
            self.name = who

        async def change(self, request: Request[Any], once: str) -> Any:
            await settled(draw.randrange(4))
            alert = str(getattr(request, "alert_id", ""))
            if alert in taken:
                raise Conflict("was accepted by bob at 10:00")
            taken.add(alert)
            return Acknowledgement(message="OK")

    draw = random.Random(5)
    benches = [Bench(tmp_path / "journal", First(str(number))) for number in range(2)]
    for number in range(rounds):
        commands = [accept(f"a{number}") for _ in benches]
        for each, command in zip(draw.sample(benches, 2), commands, strict=True):
            each.commands.submit(command)
        tickets = [ticket for each in benches for ticket in each.commands.tickets() if ticket.command in commands]
        await until_async(
            lambda commands=commands: all(
                not ticket.under_way
                for each in benches
                for ticket in each.commands.tickets()
                if ticket.command in commands
            )
        )
        tickets = [ticket for each in benches for ticket in each.commands.tickets() if ticket.command in commands]
        told = sorted((ticket.stage.value, ticket.reason) for ticket in tickets)
        wrong += told != [("done", ""), ("refused", "was accepted by bob at 10:00")]
    record("O2", not wrong, f"{wrong} of {rounds} rounds in memory without exactly one winner", "0")
    assert not wrong
