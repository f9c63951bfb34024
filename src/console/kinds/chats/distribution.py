"""Order of agents for a chat, and distribution of several chats."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, cast

from console.base.collation import collated
from console.base.frozen import Frozen, replace
from console.base.text import SafeText, clean
from console.commands.action import Choice
from console.commands.lookup import lookup, person, user_of
from console.kinds.agents.facts import cover, in_turn, load, reachable
from console.kinds.presence.facts import Availability, availability
from console.records.state_words import AVAILABLE, display_word, normalized
from console.records.support import Agent, ChatParticipant, Skill, SupportChat
from console.views.render_context import RenderContext

_RANKS = {
    Availability.FREE: 0,
    Availability.BUSY: 1,
    Availability.UNKNOWN: 2,
    Availability.AWAY: 3,
    Availability.OFFLINE: 4,
}
"""Rank of agents by state: a busy agent may still take another chat."""


class Candidate(Frozen):
    """An agent who may take a chat."""

    agent: Agent
    name: SafeText
    skills: tuple[str, ...]
    same_skill: bool
    load: int | None
    """Number of chats and conferences of the agent, if known."""

    @property
    def cover(self) -> Availability:
        """Availability: free, busy, away or offline."""
        return cover(self.agent, self.load)

    @property
    def reachable(self) -> bool:
        """Whether the agent can take work."""
        return reachable(self.agent)

    @property
    def free(self) -> bool:
        """Whether the agent is online, without work, and available."""
        return self.cover is Availability.FREE

    @property
    def rank(self) -> tuple[int, bool, int, float, str, str]:
        """Sort key of the picker: agents who can take a chat first, then by skill, state and load."""
        own_rank = _RANKS[availability(self.agent)]
        out = 0 if self.reachable else own_rank
        return (out, not self.same_skill, own_rank, in_turn(self.load), collated(self.name), self.agent.id)

    @property
    def turn(self) -> tuple[int, float, bool, str, str]:
        """Sort key of the distribution, best first: by state and load, then by skill."""
        return (
            _RANKS[availability(self.agent)],
            in_turn(self.load),
            not self.same_skill,
            collated(self.name),
            self.agent.id,
        )


def candidates(render: RenderContext, wanted: Collection[str], without: Collection[str] = ()) -> tuple[Candidate, ...]:
    """Return the agents who may take a chat, best first. `wanted` are skills, `without` are excluded ids."""
    skills = skills_by_agent(render)
    reachable = (
        Candidate(
            agent,
            clean(agent.display_name, 64) if agent.display_name else person(render, agent.id),
            skills.get(agent.id, ()),
            any(skill in wanted for skill in skills.get(agent.id, ())),
            load(agent),
        )
        for agent in lookup(render, "agents", Agent)
        if agent.id not in without
    )
    return tuple(sorted(reachable, key=lambda candidate: candidate.rank))


def skills_by_agent(render: RenderContext) -> dict[str, tuple[str, ...]]:
    """Return the skills of each agent, by agent id, sorted."""
    skills_of: dict[str, list[str]] = {}
    for skill in sorted(lookup(render, "skills", Skill), key=lambda skill: collated(skill.skill)):
        for agent_id in dict.fromkeys(skill.agents):
            skills_of.setdefault(agent_id, []).append(skill.skill)
    return {agent_id: tuple(skills) for agent_id, skills in skills_of.items()}


def wanted_skills(chat: SupportChat, render: RenderContext) -> frozenset[str]:
    """Return the skills of a chat: from its context, otherwise its agent's."""
    context: Mapping[str, Any] = chat.context or {}
    named: Any = context.get("skill", context.get("skills"))
    if isinstance(named, str) and named:
        return frozenset({named})
    if isinstance(named, list | tuple):
        return frozenset(item for item in cast("Iterable[object]", named) if isinstance(item, str))
    holder = chat.agent.id if chat.agent else None
    return frozenset(skills_by_agent(render).get(holder, ())) if holder else frozenset()


def narrow(candidates: Iterable[Candidate], typed: str) -> tuple[Candidate, ...]:
    """Filter agents by typed terms: words of a name, or `#` and the start of a skill. The order is kept."""
    terms = typed.casefold().split()

    def fits(candidate: Candidate) -> bool:
        skills = [skill.casefold() for skill in candidate.skills]
        return all(
            any(skill.startswith(term[1:]) for skill in skills)
            if term[:1] == "#"
            else term in candidate.name.casefold()
            for term in terms
        )

    return tuple(candidate for candidate in candidates if fits(candidate))


def spread(chats: Iterable[SupportChat], render: RenderContext) -> tuple[tuple[SupportChat, Candidate], ...]:
    """Distribute chats by load among the agents who can take work. Each chat adds to the load of its new agent.

    Among agents with the same load, one with the chat's skill is preferred. A chat that only its current agent could
    take is left out, and one for which every other agent has reached the limit.
    """
    pool = {candidate.agent.id: candidate for candidate in candidates(render, ()) if candidate.reachable}
    shared: list[tuple[SupportChat, Candidate]] = []
    for chat in chats:
        wanted = wanted_skills(chat, render)
        fitting = [
            replace(candidate, same_skill=any(skill in wanted for skill in candidate.skills))
            for candidate in pool.values()
            if in_turn(candidate.load) < render.chats_per_agent
            and (chat.agent is None or candidate.agent.id != chat.agent.id)
        ]
        if not fitting:
            continue
        best = min(fitting, key=lambda candidate: candidate.turn)
        pool[best.agent.id] = replace(best, load=(best.load or 0) + 1)
        shared.append((chat, best))
    return tuple(shared)


def choice(candidate: Candidate, afterwards: str = "") -> Choice:
    """Return the choice of an agent; the note explains its rank, and contains the skills for `#skill`.

    `afterwards` follows the load: what a transfer makes of it.
    """
    text = candidate.agent.activity or ""
    is_plain = candidate.cover in {Availability.FREE, Availability.OFFLINE} or normalized(text) in {
        *AVAILABLE,
        candidate.cover,
        "",
    }
    state = candidate.cover if is_plain else f"{candidate.cover}, {display_word(text)}"
    skills = "".join(f"  #{skill}" for skill in candidate.skills)
    work = "open work unknown" if candidate.load is None else f"{candidate.load}{afterwards} open"
    note = clean(f"{state}, {work}{skills}", 120)
    return Choice(candidate.agent.id, candidate.name, note, tags=candidate.skills)


def participant(candidate_id: str, render: RenderContext) -> ChatParticipant:
    """Return an agent as the destination of a transfer, with known names."""
    user = user_of(render, candidate_id)
    if user is None:
        return ChatParticipant(id=candidate_id)
    return ChatParticipant(id=candidate_id, username=user.username, domain=user.domain)
