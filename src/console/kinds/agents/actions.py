"""Actions on the skills of agents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from console.api.operations.support import AttachAgent, DetachAgent
from console.base.collation import collated
from console.base.text import clean
from console.commands.action import Action, Answers, Asks, Choice, ChoiceAsk, Situation
from console.commands.inputs import many
from console.commands.lookup import lookup, person
from console.kinds.chats.distribution import skills_by_agent
from console.kinds.scope import only_if_known
from console.kinds.skills.assigning import toggle
from console.kinds.skills.facts import skills_exact
from console.live.command import Step
from console.records.support import Agent, Skill
from console.views.wording import known_plural, plural


def _missing(situation: Situation, agents: Sequence[Agent]) -> list[Skill]:
    """Return the skills that at least one of the agents does not have."""
    skills = sorted(lookup(situation.render, "skills", Skill), key=lambda skill: collated(skill.skill))
    return [skill for skill in skills if any(agent.id not in skill.agents for agent in agents)]


def _held(situation: Situation, agents: Sequence[Agent]) -> list[str]:
    """Return the skills that at least one of the agents has."""
    by_agent = skills_by_agent(situation.render)
    return sorted(
        {skill for agent in agents for skill in by_agent.get(agent.id, ())}, key=lambda skill: (collated(skill), skill)
    )


def _can_give(situation: Situation, records: Sequence[Agent]) -> str | None:
    if not lookup(situation.render, "skills", Skill):
        return only_if_known("There are no skills yet.", "skills", "skills", situation.render)
    refusal = only_if_known("These agents already have every skill.", "skills", "skills", situation.render)
    return None if _missing(situation, records) else refusal


def _can_take(situation: Situation, records: Sequence[Agent]) -> str | None:
    if _held(situation, records):
        return None
    return "These agents have no skill." if skills_exact(situation.render) else "Not all skills are known."


def _who(situation: Situation, agents: Sequence[Agent]) -> str:
    return person(situation.render, agents[0].id) if len(agents) == 1 else plural(len(agents), "agent")


def _ask_missing(situation: Situation, records: Sequence[Agent]) -> Asks:
    offered = tuple(
        Choice(skill.skill, clean(skill.skill, 64), known_plural(skill.count_of("agents"), "agent", situation.render))
        for skill in _missing(situation, records)
    )
    return (ChoiceAsk("skills", f"Add a skill to {_who(situation, records)}", offered, digits=True, many=True),)


def _ask_held(situation: Situation, records: Sequence[Agent]) -> Asks:
    offered = tuple(Choice(value, clean(value, 64)) for value in _held(situation, records))
    return (ChoiceAsk("skills", f"Remove a skill from {_who(situation, records)}", offered, digits=True, many=True),)


def _switching(on: bool) -> Any:
    def plan(situation: Situation, records: Sequence[Agent], answers: Answers) -> list[Step]:
        picked = many(answers, "skills", "The skill")
        by_agent = skills_by_agent(situation.render)
        steps = [
            toggle(situation, skill, agent.id, on, agent.key)
            for agent in records
            for skill in picked
            if (skill in by_agent.get(agent.id, ())) != on
        ]
        if not steps:
            raise ValueError("Nothing to change.")
        return steps

    return plan


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
)
