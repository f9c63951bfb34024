"""The availability of all agents, kept by each change."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable
from types import FrameType

from console.base.frozen import replace
from console.kinds.agents.facts import Covers, availabilities
from console.live.collection import Collection
from console.live.delta import Freshness, Health
from console.records.extent import Extent
from console.records.support import Agent
from tests.kinds.sample_records import agent, render_context_of

LIVE = Health(Freshness.LIVE)
STATES = ((True, "available"), (True, "busy"), (True, "away"), (True, "training"), (True, None), (False, None))


def agents_of(numbers: Iterable[int], chance: random.Random) -> dict[str, Agent]:
    agents: dict[str, Agent] = {}
    for number in numbers:
        online, activity = chance.choice(STATES)
        agents[f"u-{number}"] = agent(f"u-{number}", online=online, activity=activity, chats=chance.randrange(2))
    return agents


def unknown(_kind: str) -> Extent:
    return Extent.UNKNOWN


def test_the_counts_of_changes_are_those_of_the_whole_list() -> None:
    chance = random.Random(7)
    agents: Collection[Agent] = Collection()
    covers = Covers(lambda version: agents.delta(0 if chance.randrange(20) == 0 else version))
    for _ in range(200):
        changed = agents_of((chance.randrange(40) for _ in range(chance.randrange(4))), chance)
        listed = sorted(agents.snapshot())
        agents.change(changed, chance.sample(listed, min(len(listed), chance.randrange(3))))
        render = render_context_of({}, agents=list(agents.snapshot().values()))
        assert covers.counts(render) == availabilities(render)
        assert covers.counts(replace(render, extent=unknown)) == {}


def test_a_change_of_one_agent_costs_as_much_among_thousands() -> None:
    def calls(size: int) -> int:
        agents: Collection[Agent] = Collection()
        agents.change(agents_of(range(size), random.Random(7)))
        covers = Covers(agents.delta)
        covers.follow()
        agents.change(agents_of([3], random.Random(8)))
        count = 0

        def counted(_frame: FrameType, event: str, _result: object) -> None:
            nonlocal count
            count += event == "call"

        sys.setprofile(counted)
        try:
            covers.follow()
        finally:
            sys.setprofile(None)
        return count

    assert calls(2_000) == calls(20)
