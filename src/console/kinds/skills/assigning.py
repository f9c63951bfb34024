"""Steps that add a skill to an agent or remove it, one by one and as planned in the grid."""

from __future__ import annotations

from collections.abc import Iterable

from console.api.operations.support import AttachAgent, DetachAgent
from console.commands.action import Situation
from console.commands.lookup import person
from console.frozen import Frozen
from console.kinds.inverses import step_of
from console.live.command import Step
from console.records.support import Skill
from console.text import clean


class Toggle(Frozen):
    """One cell of the skill and agent grid that was changed: whether the agent is to have the skill."""

    skill: str
    agent: str
    on: bool


def grid_steps(changes: Iterable[Toggle], situation: Situation) -> tuple[Step, ...]:
    """Plan a staged grid: one step for each cell that differs from what is known now, each with its inverse.

    The keys of the steps are skills. A cell that is already as wanted needs no step.
    """
    steps: list[Step] = []
    for each in dict.fromkeys(changes):
        skill = situation.render.find("skills", each.skill)
        has = isinstance(skill, Skill) and each.agent in skill.agents
        if has != each.on:
            steps.append(toggle(situation, each.skill, each.agent, each.on, each.skill))
    return tuple(steps)


def toggle(situation: Situation, skill: str, agent: str, on: bool, key: str) -> Step:
    """Add a skill to an agent, or remove it."""
    who, what = person(situation.render, agent), clean(skill, 40)
    if on:
        return step_of(situation, AttachAgent(skill=skill, agent=agent), key, f"added skill {what} to {who}")
    return step_of(situation, DetachAgent(skill=skill, agent=agent), key, f"removed skill {what} from {who}")
