"""Undo of changes to skills."""

from __future__ import annotations

from console.api.operations.support import (
    AttachAgent,
    AttachAgents,
    DetachAgent,
)
from console.commands.action import Situation
from console.commands.lookup import find
from console.kinds.inverses import Inverse, Inverses
from console.records.support import Skill


def _skill(situation: Situation, key: str) -> Skill | None:
    return find(situation.render, "skills", key, Skill)


def _attach(situation: Situation, request: AttachAgent) -> Inverse:
    skill = _skill(situation, request.skill)
    if skill is None or request.agent in skill.agents:
        return ()
    return (DetachAgent(skill=request.skill, agent=request.agent),)


def _attach_several(situation: Situation, request: AttachAgents) -> Inverse:
    skill = _skill(situation, request.skill)
    if skill is None:
        return ()
    return tuple(DetachAgent(skill=request.skill, agent=agent) for agent in request.agents if agent not in skill.agents)


def _detach(situation: Situation, request: DetachAgent) -> Inverse:
    skill = _skill(situation, request.skill)
    if skill is None or request.agent not in skill.agents:
        return ()
    return (AttachAgent(skill=request.skill, agent=request.agent),)


INVERSES: Inverses = {
    AttachAgent: _attach,
    AttachAgents: _attach_several,
    DetachAgent: _detach,
}
