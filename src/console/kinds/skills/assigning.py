"""Steps that add or remove skills of agents, singly or from the grid."""

from __future__ import annotations

from collections.abc import Iterable

from console.api.operations.support import AttachAgent, DetachAgent
from console.base.frozen import Frozen
from console.base.text import clean
from console.commands.action import Situation
from console.commands.lookup import person
from console.kinds.inverses import step_of
from console.live.command import Step
from console.records.support import Skill


class Toggle(Frozen):
    """A changed cell of the skill grid: whether the agent is to have the skill."""

    skill: str
    agent: str
    on: bool


def grid_steps(changes: Iterable[Toggle], situation: Situation) -> tuple[Step, ...]:
    """Return the steps of a staged grid: one with its inverse for each cell that differs from current data.

    The keys of the steps are skills.
    """
    steps: list[Step] = []
    for fromkey in dict.fromkeys(changes):
        skill = situation.render.find("skills", fromkey.skill)
        has = isinstance(skill, Skill) and fromkey.agent in skill.agents
        if has != fromkey.on:
            steps.append(toggle(situation, fromkey.skill, fromkey.agent, fromkey.on, fromkey.skill))
    return tuple(steps)


def toggle(situation: Situation, skill: str, agent: str, on: bool, key: str) -> Step:
    """Return the step that adds or removes a skill of an agent."""
    who, what = person(situation.render, agent), clean(skill, 40)
    if on:
        return step_of(situation, AttachAgent(skill=skill, agent=agent), key, f"added skill {what} to {who}")
    return step_of(situation, DetachAgent(skill=skill, agent=agent), key, f"removed skill {what} from {who}")
