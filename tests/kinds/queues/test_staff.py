"""The availability of the agents of skills, kept by each change."""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterable
from types import FrameType

from console.kinds.agents.facts import cover
from console.kinds.queues.facts import SkillStaff
from console.live.backend_api import ListsApi
from console.live.collection import Collection
from console.live.delta import Delta, Freshness, Health
from console.records.support import Agent, Skill
from tests.kinds.sample_records import agent

LIVE = Health(Freshness.LIVE, 0.0)
STATES = ((True, "available"), (True, "busy"), (True, "away"), (True, "training"), (True, None), (False, None))


def agents_of(numbers: Iterable[int], chance: random.Random) -> dict[str, Agent]:
    agents: dict[str, Agent] = {}
    for number in numbers:
        online, activity = chance.choice(STATES)
        agents[f"u-{number}"] = agent(f"u-{number}", online=online, activity=activity, chats=chance.randrange(2))
    return agents


class _Lists(ListsApi):
    """Agents, and one skill of some of them. One change in twenty is told by the whole list."""

    def __init__(self, members: Iterable[str]) -> None:
        self.agents: Collection[Agent] = Collection()
        self.skills: Collection[Skill] = Collection()
        self.skills.change({"support": Skill(skill="support", agents=tuple(members))})
        self.chance = random.Random(7)
        self.tells_all = True

    def delta(self, kind: str, since: int) -> Delta[Agent] | Delta[Skill]:
        if kind == "skills":
            return self.skills.delta(since, LIVE)
        return self.agents.delta(0 if self.tells_all and self.chance.randrange(20) == 0 else since, LIVE)

    def health(self, kind: str) -> Health:
        return LIVE


def test_the_staff_after_changes_is_that_of_the_whole_list() -> None:
    members = [f"u-{number}" for number in range(30)]
    lists = _Lists(members)
    staff, chance = SkillStaff(lists), lists.chance
    for _ in range(200):
        changed = agents_of((chance.randrange(40) for _ in range(chance.randrange(4))), chance)
        listed = sorted(lists.agents.snapshot())
        lists.agents.change(changed, chance.sample(listed, min(len(listed), chance.randrange(3))))
        staff.update()
        known = lists.agents.snapshot()
        expected = Counter(cover(known[key]) for key in members if key in known)
        assert +Counter(staff.of("support") or {}) == expected


def test_a_change_of_one_agent_costs_as_much_among_thousands() -> None:
    def calls(size: int) -> int:
        lists = _Lists(["u-3"])
        lists.tells_all = False
        lists.agents.change(agents_of(range(size), random.Random(7)))
        staff = SkillStaff(lists)
        staff.update()
        lists.agents.change(agents_of([3], random.Random(8)))
        count = 0

        def counted(_frame: FrameType, event: str, _result: object) -> None:
            nonlocal count
            count += event == "call"

        sys.setprofile(counted)
        try:
            staff.update()
        finally:
            sys.setprofile(None)
        return count

    assert calls(2_000) == calls(20)
