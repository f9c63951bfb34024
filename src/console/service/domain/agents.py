"""Agents, what they know and what they are working on (contract 2.16, 4.7)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Literal

import sqlalchemy as sa

from console.records.people import AGENT_CAPABILITY
from console.records.support import Agent, AgentChannels, AgentChat, AgentConference, Skill
from console.service.database import Transaction
from console.service.documents import Documents
from console.service.domain import presence as presences
from console.service.domain.people import USERS, need_user
from console.service.platform import Platform
from console.service.refusal import conflict, missing
from console.service.visibility import Named, has

MOST_CHATS = 5
"""How many support chats the assigner gives one agent at most."""

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
    """Make users agents; who is one already stays one. Refuses with 404 an unknown user, and then makes nobody one."""
    with platform.write() as tx:
        for user_id in user_ids:
            user = need_user(tx, user_id)
            if AGENT_CAPABILITY not in user.capabilities:
                USERS.put(tx, user.model_copy(update={"capabilities": (*user.capabilities, AGENT_CAPABILITY)}))
            if AGENTS.get(tx, user_id) is None:
                shown = presences.PRESENCE.get(tx, user.address) or presences.of_user(user)
                AGENTS.put(
                    tx,
                    Agent(
                        id=user_id,
                        display_name=shown.display_name or user.username,
                        activity=shown.activity,
                        online=bool(shown.online),
                        channels=AgentChannels(),
                    ),
                )


def dismiss(platform: Platform, user_id: str) -> None:
    """Let a user be an agent no longer, and have no skills; chats that they hold stay theirs to hand over."""
    with platform.write() as tx:
        for skill in SKILLS.records(tx, has(SKILLS.c.agents, user_id)):
            detach(platform, skill.skill, user_id)
        AGENTS.remove(tx, user_id)


def create_skill(platform: Platform, skill: str, agents: Iterable[str]) -> Skill:
    """Create a skill and return it. Refuses with 409 one that is there, with 404 somebody who is no agent."""
    with platform.write() as tx:
        if SKILLS.row(tx, skill) is not None:
            raise conflict(f"there is a skill {skill} already")
        chosen = tuple(dict.fromkeys(agents))
        _check_agents(tx, chosen)
        created = Skill(skill=skill, agents=chosen)
        SKILLS.put(tx, created)
        return created


def attach(platform: Platform, skill: str, agents: Iterable[str]) -> None:
    """Give agents a skill; who has it keeps it."""
    with platform.write() as tx:
        found = SKILLS.need(tx, skill)
        chosen = tuple(agents)
        _check_agents(tx, chosen)
        SKILLS.put(tx, found.model_copy(update={"agents": tuple(dict.fromkeys((*found.agents, *chosen)))}))


def detach(platform: Platform, skill: str, agent: str) -> None:
    """Take a skill from an agent. Refuses with 404 when the agent does not have it."""
    with platform.write() as tx:
        found = SKILLS.need(tx, skill)
        if agent not in found.agents:
            raise missing(f"agent {agent} with the skill", skill)
        SKILLS.put(tx, found.model_copy(update={"agents": tuple(each for each in found.agents if each != agent)}))


def _check_agents(tx: Transaction, agents: Iterable[str]) -> None:
    for agent in agents:
        AGENTS.need(tx, agent)


def take_up(
    platform: Platform, agent_id: str, channel: Channel, item: str, users: Iterable[str], at: int | None = None
) -> None:
    """Add a piece of work to an agent's channel, begun at `at`, by default now; who is no agent is skipped."""
    with platform.write() as tx:
        agent = AGENTS.get(tx, agent_id)
        if agent is None:
            return
        kept = agent.channels
        began = tx.now if at is None else at
        if channel == "chat":
            chat = AgentChat(chat_id=item, timestamp=began, users=tuple(users))
            channels = kept.model_copy(update={"chat": (*(x for x in kept.chat if x.chat_id != item), chat)})
        else:
            others: tuple[AgentConference, ...] = getattr(kept, channel)
            work = AgentConference(conference_id=item, timestamp=began, users=tuple(users))
            channels = kept.model_copy(update={channel: (*(x for x in others if x.conference_id != item), work)})
        AGENTS.put(tx, agent.model_copy(update={"channels": channels}))


def put_down(platform: Platform, agent_id: str, channel: Channel, item: str) -> None:
    """Take a piece of work off an agent's channel, if it is there."""
    with platform.write() as tx:
        agent = AGENTS.get(tx, agent_id)
        if agent is None:
            return
        kept = agent.channels
        if channel == "chat":
            channels = kept.model_copy(update={"chat": tuple(x for x in kept.chat if x.chat_id != item)})
        else:
            others: tuple[AgentConference, ...] = getattr(kept, channel)
            channels = kept.model_copy(update={channel: tuple(x for x in others if x.conference_id != item)})
        AGENTS.put(tx, agent.model_copy(update={"channels": channels}))


def for_chat(tx: Transaction, skill: str | None) -> str | None:
    """Return whom the assigner gives the next chat: who is available and has the least work; None if nobody is.

    With a skill only those who have it count; refuses with 404 a skill that there is not.
    """
    return next(iter(_candidates(tx, skill, _FOR_CHATS)), None)


def for_call(tx: Transaction, skill: str | None) -> Sequence[str]:
    """Return to whom the next call of a queue can be put through, the one with the least work first."""
    return _candidates(tx, skill, _FOR_CALLS)


_AVAILABLE = sa.select(AGENTS.c.key).where(AGENTS.c.available).order_by(AGENTS.c.chats + AGENTS.c.talks, AGENTS.c.key)
# Asked for each queue every second: to make these queries costs several times what it takes to run them.
_FOR_CHATS = _AVAILABLE.where(AGENTS.c.chats < MOST_CHATS).limit(1)
_FOR_CALLS = _AVAILABLE.where(AGENTS.c.talks == 0).limit(20)
_SKILLED = sa.func.json_each(sa.bindparam("skilled", type_=sa.Text)).table_valued("value", name="each")
_HAS_SKILL = AGENTS.c.key.in_(sa.select(_SKILLED.c.value))


def _candidates(tx: Transaction, skill: str | None, free: sa.Select[tuple[str]]) -> Sequence[str]:
    if skill is None:
        return tx.run(free).scalars().all()
    skilled = json.dumps(SKILLS.need(tx, skill).agents)
    return tx.run(free.where(_HAS_SKILL), {"skilled": skilled}).scalars().all()
