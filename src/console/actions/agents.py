"""What may be done to agents and skills: who knows what, and who is an agent at all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

from console.actions.action import Action, Answers, Asks, Choice, ChoiceAsk, Guard, Situation, TextAsk
from console.actions.answers import build, many, text
from console.actions.known import known, person
from console.actions.order import candidates, choice, skills_by_agent
from console.api.marks import Variant
from console.api.operations.desk import AttachAgent, AttachAgents, CreateSkill, DetachAgent, SetAgents
from console.frozen import Frozen
from console.live.command import Step
from console.records.desk import Agent, Skill
from console.records.people import User
from console.tables.sight import Sight
from console.text import clean


class Toggle(Frozen):
    """One cell of the skill and agent grid that was changed: whether the agent is to have the skill."""

    skill: str
    agent: str
    on: bool


def grid_steps(changes: Iterable[Toggle], sight: Sight) -> tuple[Step, ...]:
    """Plan a staged grid: one step for each cell that differs from what is known now, each with its inverse.

    The keys of the steps are skills. A cell that is already as wanted needs no step.
    """
    steps: list[Step] = []
    for each in dict.fromkeys(changes):
        skill = sight.find("skills", each.skill)
        has = isinstance(skill, Skill) and each.agent in skill.agents
        if has != each.on:
            steps.append(_toggle(each.skill, each.agent, each.on, sight, each.skill))
    return tuple(steps)


def _apply_grid(situation: Situation, _records: Sequence[Skill], answers: Answers) -> tuple[Step, ...]:
    changes = cast("Iterable[Toggle]", answers.get("changes", ()))
    steps = grid_steps(changes, situation.sight)
    if not steps:
        raise ValueError("Nothing would change: it is so already, or nothing is planned.")
    return steps


def _toggle(skill: str, agent: str, on: bool, sight: Sight, key: str) -> Step:
    attach, detach = AttachAgent(skill=skill, agent=agent), DetachAgent(skill=skill, agent=agent)
    who, what = person(sight, agent), clean(skill, 40)
    if on:
        return Step(attach, key, f"gave {who} the skill {what}", (detach,))
    return Step(detach, key, f"took the skill {what} from {who}", (attach,))


# -- on agents -------------------------------------------------------------------------------------------------------


def _missing(situation: Situation, agents: Sequence[Agent]) -> list[Skill]:
    """Return the skills that at least one of the agents lacks."""
    skills = sorted(known(situation.sight, "skills", Skill), key=lambda each: each.skill.casefold())
    return [each for each in skills if any(agent.id not in each.agents for agent in agents)]


def _held(situation: Situation, agents: Sequence[Agent]) -> list[str]:
    """Return the skills that at least one of the agents has."""
    by_agent = skills_by_agent(situation.sight)
    return sorted({skill for agent in agents for skill in by_agent.get(agent.id, ())}, key=str.casefold)


def _can_give(situation: Situation, records: Sequence[Agent]) -> str | None:
    if not known(situation.sight, "skills", Skill):
        return "There are no skills yet."
    return None if _missing(situation, records) else "Every skill is given already."


def _can_take(situation: Situation, records: Sequence[Agent]) -> str | None:
    return None if _held(situation, records) else "There is no skill to take."


def _who(situation: Situation, agents: Sequence[Agent]) -> str:
    return person(situation.sight, agents[0].id) if len(agents) == 1 else f"{len(agents)} agents"


def _ask_missing(situation: Situation, records: Sequence[Agent]) -> Asks:
    offered = tuple(
        Choice(each.skill, clean(each.skill, 64), clean(f"{len(each.agents)} agents"))
        for each in _missing(situation, records)
    )
    return (ChoiceAsk("skills", f"Give {_who(situation, records)} a skill", offered, digits=True, many=True),)


def _ask_held(situation: Situation, records: Sequence[Agent]) -> Asks:
    offered = tuple(Choice(each, clean(each, 64)) for each in _held(situation, records))
    return (ChoiceAsk("skills", f"Take a skill from {_who(situation, records)}", offered, digits=True, many=True),)


def _switching(on: bool) -> Any:
    def plan(situation: Situation, records: Sequence[Agent], answers: Answers) -> list[Step]:
        picked = many(answers, "skills", "The skill")
        by_agent = skills_by_agent(situation.sight)
        steps = [
            _toggle(skill, agent.id, on, situation.sight, agent.key)
            for agent in records
            for skill in picked
            if (skill in by_agent.get(agent.id, ())) != on
        ]
        if not steps:
            raise ValueError("It is so already.")
        return steps

    return plan


# -- on skills -------------------------------------------------------------------------------------------------------


def _ask_agents(situation: Situation, records: Sequence[Skill]) -> Asks:
    offered = tuple(choice(each) for each in candidates(situation.sight, (), records[0].agents))
    return (ChoiceAsk("agents", f"Who is to know {clean(records[0].skill, 40)}", offered, many=True),)


def _can_attach(situation: Situation, records: Sequence[Skill]) -> str | None:
    found = candidates(situation.sight, (), records[0].agents)
    return None if found else "There is no agent who does not have it."


def _attach(situation: Situation, records: Sequence[Skill], answers: Answers) -> list[Step]:
    skill = records[0]
    picked = [each for each in many(answers, "agents", "The agent") if each not in skill.agents]
    if not picked:
        raise ValueError("They have the skill already.")
    if len(picked) == 1:
        return [_toggle(skill.skill, picked[0], True, situation.sight, skill.key)]
    return [
        Step(
            AttachAgents(skill=skill.skill, agents=tuple(picked)),
            skill.key,
            f"gave {len(picked)} agents the skill {clean(skill.skill, 40)}",
            tuple(DetachAgent(skill=skill.skill, agent=each) for each in picked),
        )
    ]


def _ask_attached(situation: Situation, records: Sequence[Skill]) -> Asks:
    offered = tuple(
        Choice(each, person(situation.sight, each), clean(each, 40)) for each in dict.fromkeys(records[0].agents)
    )
    return (ChoiceAsk("agents", f"Who is to lose {clean(records[0].skill, 40)}", offered, many=True),)


def _can_detach(_situation: Situation, records: Sequence[Skill]) -> str | None:
    return None if records[0].agents else "No agent has this skill."


def _detach(situation: Situation, records: Sequence[Skill], answers: Answers) -> list[Step]:
    skill = records[0]
    picked = [each for each in many(answers, "agents", "The agent") if each in skill.agents]
    if not picked:
        raise ValueError("They do not have the skill.")
    return [_toggle(skill.skill, each, False, situation.sight, skill.key) for each in picked]


def _ask_skill(situation: Situation, _records: Sequence[Skill]) -> Asks:
    def check(typed: str) -> str | None:
        found = situation.sight.find("skills", typed.strip())
        return f"There is a skill {clean(typed.strip(), 40)} already." if found is not None else None

    return (TextAsk("skill", "New skill", check=check),)


def _create(situation: Situation, _records: Sequence[Skill], answers: Answers) -> list[Step]:
    skill = text(answers, "skill", "The name of the skill")
    if situation.sight.find("skills", skill) is not None:
        raise ValueError(f"There is a skill {clean(skill, 40)} already.")
    return [Step(build(CreateSkill, {"skill": skill}), skill, f"created skill {clean(skill, 40)}")]


# -- on users --------------------------------------------------------------------------------------------------------


def _can_become(situation: Situation, records: Sequence[User]) -> str | None:
    if any(situation.sight.find("agents", each.id) is None for each in records):
        return None
    return f"{person(situation.sight, records[0].id)} is an agent already."


def _set_agents(situation: Situation, records: Sequence[User], _answers: Answers) -> list[Step]:
    users = [each for each in records if situation.sight.find("agents", each.id) is None]
    if situation.variant is Variant.EARLIER:
        ids = tuple(each.id for each in users)
        who = person(situation.sight, ids[0]) if len(ids) == 1 else f"{len(ids)} users"
        return [Step(SetAgents(user_ids=ids), ids[0], f"made {who} agents" if len(ids) > 1 else f"made {who} an agent")]
    return [
        Step(SetAgents(user_id=each.id), each.key, f"made {person(situation.sight, each.id)} an agent")
        for each in users
    ]


ACTIONS: tuple[Action[Any], ...] = (
    Action[Agent](
        id="agents.give-skill",
        title="give skill",
        key="plus",
        kind="agents",
        guard=Guard.REVERSIBLE,
        plan=_switching(True),
        why_not=_can_give,
        asks=_ask_missing,
        needs="many",
        footer=5,
        sends=(AttachAgent,),
    ),
    Action[Agent](
        id="agents.take-skill",
        title="take skill",
        key="minus",
        kind="agents",
        guard=Guard.REVERSIBLE,
        plan=_switching(False),
        why_not=_can_take,
        asks=_ask_held,
        needs="many",
        footer=6,
        sends=(DetachAgent,),
    ),
    Action[Skill](
        id="skills.attach",
        title="add agents",
        key="a",
        kind="skills",
        guard=Guard.REVERSIBLE,
        plan=_attach,
        why_not=_can_attach,
        asks=_ask_agents,
        footer=2,
        sends=(AttachAgent, AttachAgents),
    ),
    Action[Skill](
        id="skills.detach",
        title="remove agents",
        key="x",
        kind="skills",
        guard=Guard.REVERSIBLE,
        plan=_detach,
        why_not=_can_detach,
        asks=_ask_attached,
        footer=3,
        sends=(DetachAgent,),
    ),
    Action[Skill](
        id="skills.create",
        title="new skill",
        key="N",
        kind="skills",
        guard=Guard.SMALL,
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
        kind="grid",
        guard=Guard.REVERSIBLE,
        plan=_apply_grid,
        needs="none",
        footer=1,
        about="Attaches and detaches everything that is planned in the grid.",
        sends=(AttachAgent, DetachAgent),
        subject="skills",
    ),
    Action[User](
        id="users.make-agent",
        title="make agent",
        key="A",
        kind="users",
        guard=Guard.SMALL,
        plan=_set_agents,
        why_not=_can_become,
        needs="many",
        footer=3,
        about="Makes a user an agent; the service knows no way back.",
        sends=(SetAgents,),
    ),
)
