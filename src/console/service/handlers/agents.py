"""Handlers for agents, skills and support chats (contract 4.7)."""

from __future__ import annotations

from console.api.annotations import Variant
from console.api.operations.support import (
    AttachAgent,
    AttachAgents,
    CreateSkill,
    DetachAgent,
    ListAgents,
    ListSkills,
    ListSupportChats,
    SetAgents,
    StartSupportChat,
    TransferSupportChat,
)
from console.records.responses import Acknowledgement
from console.service.auth.caller import Caller
from console.service.auth.relation_checks import owns
from console.service.domain import agents, chats
from console.service.domain.agents import AGENTS, SKILLS
from console.service.domain.chats import CHATS
from console.service.handlers.bindings import lists
from console.service.handlers.handler import DONE, JoinedRecords, Wire, bind, handles
from console.service.platform import Platform
from console.service.store.transaction import Transaction


def _list_agents(caller: Caller, platform: Platform, tx: Transaction) -> JoinedRecords:
    """List the agents and their current work."""
    return JoinedRecords(AGENTS, platform.row_cache.listed(AGENTS, tx, caller))


def _chosen(request: SetAgents, _: Caller) -> tuple[str, ...]:
    """Return the users to make agents: `userIds` in the earlier variant, `userId` in the later one."""
    if request.user_ids is not None:
        return request.user_ids
    return (request.user_id,) if request.user_id else ()


@handles(CreateSkill)
def create_skill(request: CreateSkill, platform: Platform) -> Acknowledgement | Wire:
    """Create a skill."""
    created = agents.create_skill(platform, request.skill, request.agents or ())
    return DONE if platform.variant is Variant.LATER else Wire({"agents": list(created.agents)}, status=201)


bind(ListAgents, _list_agents, follows=AGENTS)
bind(SetAgents, agents.set_agents, user_ids=_chosen)
bind(ListSkills, lists(SKILLS), follows=SKILLS)
bind(AttachAgent, agents.attach, agents=lambda request, _: (request.agent,))
bind(AttachAgents, agents.attach)
bind(DetachAgent, agents.detach)

bind(ListSupportChats, lists(CHATS, CHATS.c.began), follows=CHATS)
bind(StartSupportChat, chats.start, chat_id="id", answer=lambda _, said: Acknowledgement(message=said))
bind(TransferSupportChat, chats.transfer, chat_id="id", related=owns(CHATS, "agent"), answer="transferred")
