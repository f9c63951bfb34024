"""What may be done to agents and skills: who knows what, and who is an agent at all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

from console.api.annotations import Variant
from console.api.operations.people import GetUser, UpdateUser
from console.api.operations.support import AttachAgent, AttachAgents, CreateSkill, DetachAgent, SetAgents
from console.collation import collated
from console.commands.action import Action, Answers, Asks, Choice, ChoiceAsk, Situation, TextAsk
from console.commands.inputs import build, many, text
from console.commands.lookup import lookup, person
from console.frozen import Frozen, replace
from console.kinds.chats.distribution import candidates, choice, skills_by_agent
from console.kinds.inverses import step_of
from console.live.command import Basis, Step
from console.records.people import AGENT_CAPABILITY, User
from console.records.support import Agent, Skill
from console.text import clean
from console.views.words import plural


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
            steps.append(_toggle(situation, each.skill, each.agent, each.on, each.skill))
    return tuple(steps)


def _apply_grid(situation: Situation, _records: Sequence[Skill], answers: Answers) -> tuple[Step, ...]:
    changes = cast("Iterable[Toggle]", answers.get("changes", ()))
    steps = grid_steps(changes, situation)
    if not steps:
        raise ValueError("Nothing to change: the plan is empty or already applied.")
    return steps


def _toggle(situation: Situation, skill: str, agent: str, on: bool, key: str) -> Step:
    who, what = person(situation.render, agent), clean(skill, 40)
    if on:
        return step_of(situation, AttachAgent(skill=skill, agent=agent), key, f"added skill {what} to {who}")
    return step_of(situation, DetachAgent(skill=skill, agent=agent), key, f"removed skill {what} from {who}")


# -- on agents -------------------------------------------------------------------------------------------------------


def _missing(situation: Situation, agents: Sequence[Agent]) -> list[Skill]:
    """Return the skills that at least one of the agents lacks."""
    skills = sorted(lookup(situation.render, "skills", Skill), key=lambda each: collated(each.skill))
    return [each for each in skills if any(agent.id not in each.agents for agent in agents)]


def _held(situation: Situation, agents: Sequence[Agent]) -> list[str]:
    """Return the skills that at least one of the agents has."""
    by_agent = skills_by_agent(situation.render)
    return sorted(
        {skill for agent in agents for skill in by_agent.get(agent.id, ())}, key=lambda each: (collated(each), each)
    )


def _can_give(situation: Situation, records: Sequence[Agent]) -> str | None:
    if not lookup(situation.render, "skills", Skill):
        return "There are no skills yet."
    return None if _missing(situation, records) else "These agents already have every skill."


def _can_take(situation: Situation, records: Sequence[Agent]) -> str | None:
    return None if _held(situation, records) else "These agents have no skill."


def _who(situation: Situation, agents: Sequence[Agent]) -> str:
    return person(situation.render, agents[0].id) if len(agents) == 1 else plural(len(agents), "agent")


def _ask_missing(situation: Situation, records: Sequence[Agent]) -> Asks:
    offered = tuple(
        Choice(each.skill, clean(each.skill, 64), clean(plural(len(each.agents), "agent")))
        for each in _missing(situation, records)
    )
    return (ChoiceAsk("skills", f"Add a skill to {_who(situation, records)}", offered, digits=True, many=True),)


def _ask_held(situation: Situation, records: Sequence[Agent]) -> Asks:
    offered = tuple(Choice(each, clean(each, 64)) for each in _held(situation, records))
    return (ChoiceAsk("skills", f"Remove a skill from {_who(situation, records)}", offered, digits=True, many=True),)


def _switching(on: bool) -> Any:
    def plan(situation: Situation, records: Sequence[Agent], answers: Answers) -> list[Step]:
        picked = many(answers, "skills", "The skill")
        by_agent = skills_by_agent(situation.render)
        steps = [
            _toggle(situation, skill, agent.id, on, agent.key)
            for agent in records
            for skill in picked
            if (skill in by_agent.get(agent.id, ())) != on
        ]
        if not steps:
            raise ValueError("Nothing to change.")
        return steps

    return plan


# -- on skills -------------------------------------------------------------------------------------------------------


def _ask_agents(situation: Situation, records: Sequence[Skill]) -> Asks:
    offered = tuple(choice(each) for each in candidates(situation.render, (), records[0].agents))
    return (ChoiceAsk("agents", f"Add agents to {clean(records[0].skill, 40)}", offered, many=True),)


def _can_attach(situation: Situation, records: Sequence[Skill]) -> str | None:
    found = candidates(situation.render, (), records[0].agents)
    return None if found else "All agents already have this skill."


def _attach(situation: Situation, records: Sequence[Skill], answers: Answers) -> list[Step]:
    skill = records[0]
    picked = [each for each in many(answers, "agents", "The agent") if each not in skill.agents]
    if not picked:
        raise ValueError("These agents already have the skill.")
    if len(picked) == 1:
        return [_toggle(situation, skill.skill, picked[0], True, skill.key)]
    request = AttachAgents(skill=skill.skill, agents=tuple(picked))
    words = f"added {plural(len(picked), 'agent')} to skill {clean(skill.skill, 40)}"
    return [step_of(situation, request, skill.key, words)]


def _ask_attached(situation: Situation, records: Sequence[Skill]) -> Asks:
    offered = tuple(
        Choice(each, person(situation.render, each), clean(each, 40)) for each in dict.fromkeys(records[0].agents)
    )
    return (ChoiceAsk("agents", f"Remove agents from {clean(records[0].skill, 40)}", offered, many=True),)


def _can_detach(_situation: Situation, records: Sequence[Skill]) -> str | None:
    return None if records[0].agents else "No agent has this skill."


def _detach(situation: Situation, records: Sequence[Skill], answers: Answers) -> list[Step]:
    skill = records[0]
    picked = [each for each in many(answers, "agents", "The agent") if each in skill.agents]
    if not picked:
        raise ValueError("These agents do not have the skill.")
    return [_toggle(situation, skill.skill, each, False, skill.key) for each in picked]


def _ask_skill(situation: Situation, _records: Sequence[Skill]) -> Asks:
    def check(typed: str) -> str | None:
        found = situation.render.find("skills", typed.strip())
        return f"Skill {clean(typed.strip(), 40)} already exists." if found is not None else None

    return (TextAsk("skill", "New skill", check=check),)


def _create(situation: Situation, _records: Sequence[Skill], answers: Answers) -> list[Step]:
    skill = text(answers, "skill", "The name of the skill")
    if situation.render.find("skills", skill) is not None:
        raise ValueError(f"Skill {clean(skill, 40)} already exists.")
    return [Step(build(CreateSkill, {"skill": skill}), skill, f"created skill {clean(skill, 40)}")]


# -- on users --------------------------------------------------------------------------------------------------------


def _is_agent(situation: Situation, user: User) -> bool:
    return AGENT_CAPABILITY in user.capabilities or situation.render.find("agents", user.id) is not None


def _can_become(situation: Situation, records: Sequence[User]) -> str | None:
    if not all(_is_agent(situation, each) for each in records):
        return None
    who = person(situation.render, records[0].id)
    return f"{who} is already an agent." if len(records) == 1 else "All of these users are already agents."


def _set_agents(situation: Situation, records: Sequence[User], _answers: Answers) -> list[Step]:
    users = [each for each in records if not _is_agent(situation, each)]
    at_hand = situation.with_records("users", records)
    if situation.variant is Variant.EARLIER:
        ids = tuple(each.id for each in users)
        made = (
            f"made {person(situation.render, ids[0])} an agent"
            if len(ids) == 1
            else f"made {plural(len(ids), 'user')} agents"
        )
        return [_made_agent(at_hand, SetAgents(user_ids=ids), users, made)]
    return [
        _made_agent(at_hand, SetAgents(user_id=each.id), (each,), f"made {person(situation.render, each.id)} an agent")
        for each in users
    ]


def _made_agent(situation: Situation, request: SetAgents, users: Sequence[User], words: str) -> Step:
    step = step_of(situation, request, users[0].key, words)
    if len(users) > 1:
        return step
    after = (*users[0].capabilities, AGENT_CAPABILITY)
    return replace(step, leaves=Basis(GetUser(id=users[0].id), {"capabilities": after}))


def _can_stop(situation: Situation, records: Sequence[User]) -> str | None:
    if not situation.is_admin:
        return "Only admins can do this."
    if any(AGENT_CAPABILITY in each.capabilities for each in records):
        return None
    if any(_is_agent(situation, each) for each in records):
        return "The service does not say which capabilities this user has."
    return (
        f"{person(situation.render, records[0].id)} is not an agent."
        if len(records) == 1
        else "None of these users is an agent."
    )


def _make_plain(situation: Situation, records: Sequence[User], _answers: Answers) -> list[Step]:
    """Take the agent's capability from users, and with it the skills: both come back when it is undone."""
    at_hand = situation.with_records("users", records)
    steps: list[Step] = []
    for user in records:
        if AGENT_CAPABILITY not in user.capabilities:
            continue
        left = tuple(each for each in user.capabilities if each != AGENT_CAPABILITY)
        request = UpdateUser(id=user.id, capabilities=left)
        basis = Basis(GetUser(id=user.id), {"capabilities": user.capabilities})
        words = f"made {person(situation.render, user.id)} a plain user"
        steps.append(step_of(at_hand, request, user.key, words, basis))
    return steps


ACTIONS: tuple[Action[Any], ...] = (
    Action[Agent](
        id="agents.give-skill",
        title="add skill",
        key="plus",
        verb="add",
        kind="agents",
        plan=_switching(True),
        why_not=_can_give,
        asks=_ask_missing,
        needs="many",
        footer=5,
        sends=(AttachAgent,),
        noun="skill",
    ),
    Action[Agent](
        id="agents.take-skill",
        title="remove skill",
        key="minus",
        verb="remove",
        kind="agents",
        plan=_switching(False),
        why_not=_can_take,
        asks=_ask_held,
        needs="many",
        footer=6,
        sends=(DetachAgent,),
        noun="skill",
    ),
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
    Action[User](
        id="users.make-agent",
        title="make agent",
        key="plus",
        verb="add",
        kind="users",
        plan=_set_agents,
        why_not=_can_become,
        needs="many",
        footer=3,
        about="Makes a user an agent.",
        sends=(SetAgents,),
    ),
    Action[User](
        id="users.make-plain",
        title="make plain user",
        key="minus",
        verb="remove",
        kind="users",
        plan=_make_plain,
        why_not=_can_stop,
        needs="many",
        footer=8,
        short="plain user",
        about="Removes the agent role and the skills from a user; undo restores both.",
        sends=(UpdateUser,),
    ),
)
