"""Actions on skills: their agents, the skill grid, and undo."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

from console.api.operations.support import AttachAgent, AttachAgents, CreateSkill, DetachAgent
from console.base.text import clean
from console.commands.action import Action, Answers, Asks, Choice, ChoiceAsk, Situation, TextAsk
from console.commands.inputs import build, many, text
from console.commands.lookup import find, person
from console.kinds.chats.distribution import candidates, choice
from console.kinds.inverses import Inverse, Inverses, opposite, step_of
from console.kinds.next_steps import NextStep, NextSteps
from console.kinds.scope import only_if_known
from console.kinds.skills.assigning import Toggle, grid_steps, toggle
from console.live.command import Step
from console.records.support import Skill
from console.views.wording import plural


def _ask_agents(situation: Situation, records: Sequence[Skill]) -> Asks:
    offered = tuple(choice(candidate) for candidate in candidates(situation.render, (), records[0].agents))
    return (ChoiceAsk("agents", f"Add agents to {clean(records[0].skill, 40)}", offered, many=True),)


def _can_attach(situation: Situation, records: Sequence[Skill]) -> str | None:
    all_candidates = candidates(situation.render, (), records[0].agents)
    refusal = only_if_known("All agents already have this skill.", "agents", "agents", situation.render)
    return None if all_candidates else refusal


def _attach(situation: Situation, records: Sequence[Skill], answers: Answers) -> list[Step]:
    skill = records[0]
    picked = [value for value in many(answers, "agents", "The agent") if value not in skill.agents]
    if not picked:
        raise ValueError("These agents already have the skill.")
    lacks_one, lacks_several = (
        attaching.operation.name in situation.lacking for attaching in (AttachAgent, AttachAgents)
    )
    if lacks_several or (len(picked) == 1 and not lacks_one):
        return [toggle(situation, skill.skill, value, True, skill.key) for value in picked]
    request = AttachAgents(skill=skill.skill, agents=tuple(picked))
    message = f"added {plural(len(picked), 'agent')} to skill {clean(skill.skill, 40)}"
    return [step_of(situation, request, skill.key, message)]


def _ask_attached(situation: Situation, records: Sequence[Skill]) -> Asks:
    offered = tuple(
        Choice(fromkey, person(situation.render, fromkey), clean(fromkey, 40))
        for fromkey in dict.fromkeys(records[0].agents)
    )
    return (ChoiceAsk("agents", f"Remove agents from {clean(records[0].skill, 40)}", offered, many=True),)


def _can_detach(_situation: Situation, records: Sequence[Skill]) -> str | None:
    if records[0].agents:
        return None
    return "The agents of this skill are not known." if records[0].unread("agents") else "No agent has this skill."


def _detach(situation: Situation, records: Sequence[Skill], answers: Answers) -> list[Step]:
    skill = records[0]
    picked = [value for value in many(answers, "agents", "The agent") if value in skill.agents]
    if not picked:
        raise ValueError("These agents do not have the skill.")
    return [toggle(situation, skill.skill, value, False, skill.key) for value in picked]


def _ask_skill(situation: Situation, _records: Sequence[Skill]) -> Asks:
    def check(typed: str) -> str | None:
        record = situation.render.find("skills", typed.strip())
        return f"Skill {clean(typed.strip(), 40)} already exists." if record is not None else None

    return (TextAsk("skill", "New skill", hint="Name the skill, then add agents.", check=check, verb="Create"),)


def _create(situation: Situation, _records: Sequence[Skill], answers: Answers) -> list[Step]:
    skill = text(answers, "skill", "The name of the skill")
    if situation.render.find("skills", skill) is not None:
        raise ValueError(f"Skill {clean(skill, 40)} already exists.")
    return [Step(build(CreateSkill, {"skill": skill}), skill, f"created skill {clean(skill, 40)}")]


def _apply_grid(situation: Situation, _records: Sequence[Skill], answers: Answers) -> tuple[Step, ...]:
    changes = cast("Iterable[Toggle]", answers.get("changes", ()))
    steps = grid_steps(changes, situation)
    if not steps:
        raise ValueError("Nothing to change: the plan is empty or already applied.")
    return steps


def _undo_attaching_several(situation: Situation, request: AttachAgents) -> Inverse:
    skill = find(situation.render, "skills", request.skill, Skill)
    if skill is None:
        return ()
    return tuple(DetachAgent(skill=request.skill, agent=agent) for agent in request.agents if agent not in skill.agents)


INVERSES: Inverses = {
    AttachAgent: opposite(DetachAgent, "agent", "agents", adds=True),
    AttachAgents: _undo_attaching_several,
    DetachAgent: opposite(AttachAgent, "agent", "agents", adds=False),
}

NEXT_STEPS: NextSteps = {CreateSkill: (NextStep("skills.attach"),)}


ACTIONS: tuple[Action[Any], ...] = (
    Action[Skill](
        id="skills.attach",
        title="add agents",
        key="plus",
        verb="add",
        kind="skills",
        plan=_attach,
        why_not=_can_attach,
        asks=_ask_agents,
        footer=2,
        sends=(AttachAgent, AttachAgents),
        noun="agent",
    ),
    Action[Skill](
        id="skills.detach",
        title="remove agents",
        key="minus",
        verb="remove",
        kind="skills",
        plan=_detach,
        why_not=_can_detach,
        asks=_ask_attached,
        footer=3,
        sends=(DetachAgent,),
        noun="agent",
    ),
    Action[Skill](
        id="skills.create",
        title="new skill",
        key="n",
        verb="new",
        kind="skills",
        plan=_create,
        asks=_ask_skill,
        needs="none",
        footer=4,
        about="Creates a skill; it cannot be deleted afterwards.",
        sends=(CreateSkill,),
    ),
    Action[Skill](
        id="skills.grid",
        title="apply the plan",
        key="enter",
        verb="open or confirm",
        kind="grid",
        plan=_apply_grid,
        needs="none",
        footer=1,
        about="Sends all changes that are planned in the grid.",
        sends=(AttachAgent, DetachAgent),
        subject="skills",
        noun="change",
    ),
)
