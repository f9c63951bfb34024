from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from console.records.desk import Agent, Skill
from console.tables.attention import covers
from console.tables.sight import Sight


def agent(name: str, *, online: bool = True, activity: str = "available", chats: int = 0) -> Agent:
    held = [{"chatId": f"{name}-{number}", "timestamp": 1000 + number} for number in range(chats)]
    row = {"id": name, "online": online, "activity": activity, "channels": {"chat": held}}
    return Agent.model_validate(row)


def sight_of(agents: list[Agent], *skills: Skill) -> Sight:
    known: Mapping[str, Mapping[str, Any]] = {
        "agents": {each.id: each for each in agents},
        "skills": {each.skill: each for each in skills},
    }
    return Sight(now_ms=10_000, zone=ZoneInfo("UTC"), known=lambda kind: known.get(kind, {}))


def test_who_works_on_something_is_busy_also_while_away_and_who_is_offline_is_away():
    agents = [
        agent("free"),
        agent("away", activity="away"),
        agent("away-with-a-chat", activity="away", chats=2),
        agent("oncall", activity="oncall"),
        agent("offline", online=False),
    ]
    skill = Skill.model_validate({"skill": "sales", "agents": [each.id for each in agents]})
    (cover,) = covers(sight_of(agents, skill))
    assert (cover.free, cover.busy, cover.away) == (1, 2, 2)
    assert cover.oldest_chat_ms == 1000


def test_covering_many_skills_compares_no_agent_with_another(monkeypatch: pytest.MonkeyPatch):
    agents = [agent(f"a{number}", activity="away" if number % 2 else "busy") for number in range(20)]
    skill = Skill.model_validate({"skill": "sales", "agents": [each.id for each in agents]})
    sight = sight_of(agents, skill)

    def compared(_self: object, _other: object) -> bool:
        raise AssertionError("agents were compared field by field")

    monkeypatch.setattr(Agent, "__eq__", compared)
    assert covers(sight)[0].busy == 10
