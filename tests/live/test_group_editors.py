"""Several people edit one group at once, each based on an older state: no edit is lost."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from console.api.errors import BadRequest, Conflict, NotFound, Unreachable
from console.api.operations.people import AddParticipant, GetGroup, RemoveParticipant, ReorderParticipants
from console.api.request import Request
from console.live.command import Basis, Command, Step
from console.records.people import Group, User
from console.records.responses import Acknowledgement
from console.service.domain import groups, people
from console.service.domain.groups import GROUPS
from console.service.platform import Platform
from console.service.refusal import Refusal
from tests.faults.figures import count, record
from tests.live.command_bench import Bench, FakeEngine
from tests.live.until import settled, until_async

PEOPLE = tuple(f"p{number}" for number in range(12))
READ = GetGroup(group_id="night")
_ERRORS = {400: BadRequest, 404: NotFound, 409: Conflict}


class Office:
    """The service's groups, and the changes of one of them in order."""

    def __init__(self) -> None:
        self.platform = Platform()
        for each in PEOPLE:
            people.add_user(self.platform, User(id=each, username=each, domain="desk.example", role="user"))
        with self.platform.read() as tx:
            owner = people.need_user(tx, PEOPLE[0])
        groups.create(self.platform, owner, "Night", "night", participants=PEOPLE[:5])
        self.done: list[Request[Any]] = []

    def group(self) -> Group:
        with self.platform.read() as tx:
            return GROUPS.need(tx, "night")

    def carry_out(self, request: Request[Any]) -> None:
        try:
            match request:
                case AddParticipant():
                    groups.add(self.platform, request.group_id, request.target_user_id)
                case RemoveParticipant():
                    groups.remove(self.platform, request.group_id, request.target_user_id or "")
                case ReorderParticipants():
                    groups.reorder(self.platform, request.group_id, request.participants)
                case _:
                    raise AssertionError(request)
        except Refusal as refusal:
            raise _ERRORS[refusal.status](str(refusal), status=refusal.status) from refusal
        self.done.append(request)


class Editor(FakeEngine):
    """One console: its reads and requests take a moment, and are sometimes lost."""

    def __init__(self, office: Office, draw: random.Random) -> None:
        super().__init__()
        self._office, self._draw = office, draw

    async def change(self, request: Request[Any], once: str) -> Any:
        await settled(self._draw.randrange(3))
        if self._draw.random() < 0.05:
            raise Unreachable("no connection in time")
        self._office.carry_out(request)
        await settled(self._draw.randrange(3))
        return Acknowledgement(message="OK")

    async def ask(self, request: Request[Any]) -> Any:
        await settled(self._draw.randrange(2))
        return self._office.group()


def decide(seen: Group, draw: random.Random) -> Command:
    """Decide a random edit of a group: add or remove a member, or change the order."""
    outside = [each for each in PEOPLE if each not in seen.participants]
    what = draw.choice(["add", "remove", "order"])
    if what == "add" and outside:
        request: Request[Any] = AddParticipant(group_id="night", target_user_id=draw.choice(outside))
        return Command("groups.add", "groups", (Step(request, "night", "added"),), "Add")
    if what == "remove" and seen.participants:
        request = RemoveParticipant(group_id="night", target_user_id=draw.choice(seen.participants))
        return Command("groups.remove", "groups", (Step(request, "night", "removed"),), "Remove")
    order = tuple(draw.sample(seen.participants, len(seen.participants)))
    request = ReorderParticipants(group_id="night", participants=order)
    step = Step(request, "night", "reordered", (), Basis(READ, {"participants": seen.participants}))
    return Command("groups.reorder", "groups", (step,), "Reorder")


async def test_concurrent_edits_of_one_group_are_all_applied(tmp_path: Path) -> None:
    edits, draw = count("SAFETY_COUNT", 90), random.Random(11)
    office = Office()
    editors = [Bench(tmp_path / f"journal-{number}", Editor(office, draw)) for number in range(3)]
    expected = set(office.group().participants)
    told_done = refused_without_draft = 0
    for _ in range(edits // len(editors)):
        seen = office.group()
        decided = [(each, decide(seen, draw)) for each in editors]
        for each, command in decided:
            each.commands.submit(command)
        await until_async(lambda decided=decided: not any(each.ticket(command).under_way for each, command in decided))
        for each, command in decided:
            outcome = each.ticket(command).outcomes[0]
            told_done += outcome.stage.value == "done"
            clash = outcome.clash
            wanted = getattr(command.steps[0].request, "participants", None)
            refused_without_draft += clash is not None and [each.mine for each in clash.disputed] != [wanted]
    for request in office.done:
        if isinstance(request, AddParticipant):
            expected.add(request.target_user_id)
        elif isinstance(request, RemoveParticipant):
            expected.discard(request.target_user_id or "")
    lost = expected ^ set(office.group().participants)
    record("O4", not lost and told_done == len(office.done), f"{len(lost)} of {edits} edits by three users", "0")
    record("O5", not refused_without_draft, f"{refused_without_draft} of {edits} edits by three users", "0 drafts lost")
    assert not lost
    assert told_done == len(office.done)
    assert not refused_without_draft
    office.platform.close()
