"""Support chats, and their assignment to agents (contract 2.16, 4.7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from console.records.notifications import Notification
from console.records.people import User
from console.records.support import Agent, ChatParticipant, SupportChat
from console.service.auth.caller import Caller
from console.service.domain import agents, notifications
from console.service.domain.agents import AGENTS, SKILLS
from console.service.domain.people import USERS, find_user
from console.service.domain.relations import address_of
from console.service.events.visibility import Among, AnyOf, Same, by_id
from console.service.platform import Platform
from console.service.refusal import conflict, invalid, missing
from console.service.store.documents import Documents
from console.service.store.transaction import Transaction

OFFER = "chat"
"""Kind of the notification that offers a chat to agents while no agent is free."""

CHATS = Documents(
    "chats",
    SupportChat,
    columns=(
        sa.Column("agent", sa.Text, index=True),
        sa.Column("people", sa.JSON, nullable=False),
        sa.Column("began", sa.Integer, nullable=False, index=True),
    ),
    extract=lambda chat: {
        "agent": (chat.agent.id or "") if chat.agent else "",
        "people": [chat_participant.id for chat_participant in chat.participants if chat_participant.id],
    },
    rule=AnyOf(Same("agent", by_id), Among("people", by_id)),
    singular="support chat",
)


def start(platform: Platform, caller: Caller, chat_id: str, context: Mapping[str, Any] | None) -> str:
    """Start a chat; return a sentence with the result.

    The chat is assigned to the free agent with the least work, among those with the skill in `context.skill`. If no
    agent is free, the chat waits and suitable agents are notified. Refuse with 409 if the id is in use, with 404 if the
    skill is unknown.
    """
    skill = (context or {}).get("skill")
    if skill is not None and not isinstance(skill, str):
        raise invalid("context.skill", "must be a text", "type")
    with platform.write() as tx:
        if CHATS.row(tx, chat_id) is not None:
            raise conflict(f"there is a support chat {chat_id} already")
        chat = SupportChat(
            chat_id=chat_id,
            chat_room_jid=f"{platform.new_id()}@rooms.{caller.domain or 'localhost'}",
            participants=(participant(caller.user),),
            context=dict(context) if context is not None else None,
        )
        agent = agents.for_chat(tx, skill)
        CHATS.put(tx, chat, began=tx.now)
        if agent is not None:
            _give(platform, tx, chat, agent)
            return "an agent has the chat"
        notifications.notify(tx, OFFER, [(offer(chat, tx.now), _who_could(tx, skill))])
        return "no agent is free: the chat waits"


def offer(chat: SupportChat, began: int) -> Notification:
    """Return the notification that offers a waiting chat to agents."""
    skill = (chat.context or {}).get("skill")
    return Notification(
        kind=OFFER,
        subject=chat.chat_id,
        title=skill if isinstance(skill, str) else None,
        from_user=next((chat_participant.id for chat_participant in chat.participants if chat_participant.id), None),
        created_at=began,
    )


def transfer(platform: Platform, chat_id: str, destination: ChatParticipant) -> None:
    """Move a chat to another agent. Refuse with 409 if this agent already has it."""
    with platform.write() as tx:
        chat = CHATS.need(tx, chat_id)
        holder = chat.agent.id if chat.agent else None
        receiver = _destination(tx, destination)
        if receiver == holder:
            raise conflict(f"{receiver} holds the chat already")
        if holder is not None:
            agents.put_down(platform, holder, "chat", chat_id)
        notifications.settle(tx, OFFER, [chat_id])
        _give(platform, tx, chat, receiver)


def take(platform: Platform, caller: Caller, chat_id: str) -> None:
    """Take an offered chat. Refuse with 409 if it is assigned by now."""
    with platform.write() as tx:
        chat = CHATS.need(tx, chat_id)
        if chat.agent is not None:
            raise conflict(f"{chat.agent.username or chat.agent.id} has taken the chat")
        AGENTS.need(tx, caller.id)
        notifications.settle(tx, OFFER, [chat_id])
        _give(platform, tx, chat, caller.id)


def finish(platform: Platform, chat_id: str) -> None:
    """End a chat. Ignore chats that are gone."""
    with platform.write() as tx:
        chat = CHATS.get(tx, chat_id)
        if chat is None:
            return
        if chat.agent is not None and chat.agent.id:
            agents.put_down(platform, chat.agent.id, "chat", chat_id)
        notifications.settle(tx, OFFER, [chat_id])
        CHATS.remove(tx, chat_id)
        assign_waiting(platform)


def assign_waiting(platform: Platform) -> None:
    """Assign waiting chats, the oldest first, to agents who are free now."""
    with platform.write() as tx:
        waiting = CHATS.records(tx, CHATS.c.agent == "", order=(CHATS.c.began,))
        skills = [(chat.context or {}).get("skill") for chat in waiting]
        known = SKILLS.get_many(tx, {skill for skill in skills if isinstance(skill, str)})
        exhausted: set[str | None] = set()
        for chat, named in zip(waiting, skills, strict=True):
            skill = named if isinstance(named, str) and named in known else None
            agent = None if skill in exhausted else agents.for_chat(tx, skill)
            if agent is None:
                exhausted.add(skill)
            else:
                notifications.settle(tx, OFFER, [chat.chat_id])
                _give(platform, tx, chat, agent)


def _give(platform: Platform, tx: Transaction, chat: SupportChat, agent_id: str) -> None:
    user = USERS.get(tx, agent_id)
    holder = ChatParticipant(id=agent_id) if user is None else participant(user)
    CHATS.put(tx, chat.model_copy(update={"agent": holder}))
    people = [address_of(chat_participant.id) for chat_participant in chat.participants if chat_participant.id]
    agents.take_up(platform, agent_id, "chat", chat.chat_id, people)


def _who_could(tx: Transaction, skill: str | None) -> tuple[str, ...]:
    if skill is not None:
        return SKILLS.need(tx, skill).agents
    return tuple(record.id for record in AGENTS.records(tx))


def _destination(tx: Transaction, destination: ChatParticipant) -> str:
    """Return the id of the agent in a destination, given by id or by user name and domain."""
    agent: Agent | None = None
    named = destination.id
    if named:
        agent = AGENTS.get(tx, named.removeprefix("svc-user:"))
    elif destination.username:
        named = f"{destination.username}@{destination.domain}" if destination.domain else destination.username
        user = find_user(tx, named)
        agent = AGENTS.get(tx, user.id) if user else None
    else:
        raise invalid("destination", "must name an agent by id or username", "required")
    if agent is None:
        raise missing("agent", named)
    return agent.id


def participant(user: User) -> ChatParticipant:
    """Return a user as a chat participant."""
    return ChatParticipant(id=user.id, username=user.username, domain=user.domain)
