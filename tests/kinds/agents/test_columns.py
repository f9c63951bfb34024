"""The text of agents and their details."""

from __future__ import annotations

from console.kinds.tables import TABLES
from console.records.support import (
    Agent,
    Skill,
)
from console.records.traffic import (
    Call,
)
from tests.kinds.reading import known, said
from tests.kinds.wild import render_context


def test_an_understaffed_skill_is_named_in_the_agents_totals() -> None:
    ana = Agent(id="ana", online=True, activity="available")
    seen = render_context(known(agents=[ana], skills=[Skill(skill="billing", agents=("ana", "bob"))]))
    total = said((TABLES["agents"].totals([ana], seen),))[0]
    assert "● 1 free" in total
    assert "understaffed: billing" in total


def test_a_voice_item_of_an_agent_leads_to_its_call() -> None:
    agent = Agent.model_validate({"id": "ana", "channels": {"voice": [{"conferenceId": "c1"}, {"conferenceId": "k1"}]}})
    links = TABLES["agents"].links(agent, render_context(known(calls=[Call(id="c1")])))
    assert {(link.kind, link.key) for link in links} >= {("calls", "c1"), ("conferences", "k1")}
