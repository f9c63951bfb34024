"""Agents, their skills and their current work (contract 2.16, 4.7)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal

import sqlalchemy as sa

from console.records.people import AGENT_CAPABILITY
from console.records.support import Agent, AgentChannels, AgentChat, AgentConference, Skill
from console.service.domain import presence as presences
from console.service.domain.people import USERS, need_user
from console.service.events.visibility import Named, has
from console.service.platform import Platform
from console.service.refusal import conflict, missing
from console.service.store.documents import Documents
from console.service.store.json_sql import items
from console.service.store.transaction import Transaction

MOST_CHATS = 5
"""Most support chats that are assigned to one agent."""

Channel = Literal["chat", "voice", "c2c"]

AGENTS = Documents(
    "agents",
    Agent,
    columns=(
        sa.Column("available", sa.Boolean, nullable=False),
        sa.Column("chats", sa.Integer, nullable=False),
        sa.Column("talks", sa.Integer, nullable=False),
    ),
    extract=lambda agent: {
        "available": bool(agent.online) and agent.activity == "available",
        "chats": len(agent.channels.chat),
        "talks": len(agent.channels.voice) + len(agent.channels.c2c),
    },
    rule=Named(),
)
SKILLS = Documents(
    "skills",
    Skill,
    columns=(sa.Column("agents", sa.JSON, nullable=False),),
    extract=lambda skill: {"agents": list(skill.agents)},
    rule=Named(),
)


def set_agents(platform: Platform, user_ids: Iterable[str]) -> None:
    """Make users agents. Refuse with 404 if a user is unknown; then no user is changed."""
    with platform.write() as tx:
        for user_id in user_ids:
            user = need_user(tx, user_id)
            if AGENT_CAPABILITY not in user.capabilities:
                USERS.put(tx, user.model_copy(update={"capabilities": (*user.capabilities, AGENT_CAPABILITY)}))
            if AGENTS.get(tx, user_id) is None:
                presence = presences.PRESENCE.get(tx, user.address) or presences.of_user(user)
                AGENTS.put(
                    tx,
                    Agent(
                        id=user_id,
                        display_name=presence.display_name or user.username,
                        activity=presence.activity,
                        online=bool(presence.online),
                        channels=AgentChannels(),
                    ),
                )


def dismiss(platform: Platform, user_id: str) -> None:
    """Make an agent a plain user without skills. Chats stay with the user, who can still transfer them."""
    with platform.write() as tx:
        for skill in SKILLS.records(tx, has(SKILLS.c.agents, user_id)):
            detach(platform, skill.skill, user_id)
        AGENTS.remove(tx, user_id)


def create_skill(platform: Platform, skill: str, agents: Iterable[str]) -> Skill:
    """Create a skill and return it. Refuse with 409 if it exists, with 404 if a user is not an agent."""
    with platform.write() as tx:
        if SKILLS.row(tx, skill) is not None:
            raise conflict(f"there is a skill {skill} already")
        chosen = tuple(dict.fromkeys(agents))
        AGENTS.need_many(tx, chosen)
        created = Skill(skill=skill, agents=chosen)
        SKILLS.put(tx, created)
        return created


def attach(platform: Platform, skill: str, agents: Iterable[str]) -> None:
    """Give agents a skill. Agents who already have it keep it."""
    with platform.write() as tx:
        stored = SKILLS.need(tx, skill)
        chosen = tuple(agents)
        AGENTS.need_many(tx, chosen)
        SKILLS.put(tx, stored.model_copy(update={"agents": tuple(dict.fromkeys((*stored.agents, *chosen)))}))


def detach(platform: Platform, skill: str, agent: str) -> None:
    """Remove a skill from an agent. Refuse with 404 if the agent does not have it."""
    with platform.write() as tx:
        stored = SKILLS.need(tx, skill)
        if agent not in stored.agents:
            raise missing(f"agent {agent} with the skill", skill)
        SKILLS.put(tx, stored.model_copy(update={"agents": tuple(other for other in stored.agents if other != agent)}))


def take_up(platform: Platform, agent_id: str, channel: Channel, item: str, users: Iterable[str]) -> None:
    """Add an item of work to an agent's channel, started now. Ignore users who are not agents."""
    with platform.write() as tx:
        if channel == "chat":
            work = AgentChat(chat_id=item, timestamp=tx.now, users=tuple(users))
        else:
            work = AgentConference(conference_id=item, timestamp=tx.now, users=tuple(users))
        _replace_work(tx, agent_id, channel, item, work)


def put_down(platform: Platform, agent_id: str, channel: Channel, item: str) -> None:
    """Remove an item of work from an agent's channel, if present."""
    with platform.write() as tx:
        _replace_work(tx, agent_id, channel, item)


def _replace_work(
    tx: Transaction, agent_id: str, channel: Channel, item: str, *works: AgentChat | AgentConference
) -> None:
    agent = AGENTS.get(tx, agent_id)
    if agent is not None:
        key = "chat_id" if channel == "chat" else "conference_id"
        others = [work for work in getattr(agent.channels, channel) if getattr(work, key) != item]
        channels = agent.channels.model_copy(update={channel: (*others, *works)})
        AGENTS.put(tx, agent.model_copy(update={"channels": channels}))


def for_chat(tx: Transaction, skill: str | None) -> str | None:
    """Return the agent for the next chat: available, with the least work. Return None if there is none.

    With a skill, only agents with this skill are considered; refuse with 404 if the skill is unknown.
    """
    if skill is None:
        return tx.run(_FOR_CHATS).scalars().first()
    skilled = list(SKILLS.need(tx, skill).agents)
    return tx.run(_FOR_CHATS.where(_HAS_SKILL), {"skilled": skilled}).scalars().first()


def for_calls(tx: Transaction, skills: Collection[str]) -> Mapping[str, Sequence[str]]:
    """Return the agents to whom the next calls of queues can be connected, by queue, those with the least work first.

    Without the queues that there are not.
    """
    free = tx.run(_FOR_CALLS).scalars().all()
    members = {name: frozenset(skill.agents) for name, skill in SKILLS.get_many(tx, skills).items()}
    return {name: [agent for agent in free if agent in skilled] for name, skilled in members.items()}


_AVAILABLE = sa.select(AGENTS.c.key).where(AGENTS.c.available).order_by(AGENTS.c.chats + AGENTS.c.talks, AGENTS.c.key)
# Used every second. Building these queries costs several times as much as running them.
_FOR_CHATS = _AVAILABLE.where(AGENTS.c.chats < MOST_CHATS).limit(1)
_FOR_CALLS = _AVAILABLE.where(AGENTS.c.talks == 0)
_SKILLED = items(sa.bindparam("skilled", type_=sa.JSON), "each")
_HAS_SKILL = AGENTS.c.key.in_(sa.select(_SKILLED.c.value))
