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
from console.service.caller import Caller
from console.service.domain import agents, chats
from console.service.domain.agents import AGENTS, SKILLS
from console.service.domain.chats import CHATS
from console.service.handler import DONE, Listed, Stored, Wire, handles
from console.service.platform import Platform
from console.service.relation_checks import owns


@handles(ListAgents, follows=AGENTS)
def list_agents(request: ListAgents, caller: Caller, platform: Platform) -> Listed:
    """List the agents and what they work on."""
    with platform.read() as tx:
        return Listed(AGENTS, platform.row_cache.listed(AGENTS, tx, caller))


@handles(ListSkills, follows=SKILLS)
def list_skills(request: ListSkills, caller: Caller, platform: Platform) -> Stored:
    """List the skills and who has them."""
    with platform.read() as tx:
        return Stored(SKILLS, SKILLS.bodies(tx, caller=caller))


@handles(CreateSkill)
def create_skill(request: CreateSkill, caller: Caller, platform: Platform) -> Acknowledgement | Wire:
    """Create a skill."""
    created = agents.create_skill(platform, request.skill, request.agents or ())
    return DONE if platform.variant is Variant.LATER else Wire({"agents": list(created.agents)}, status=201)


@handles(SetAgents)
def set_agents(request: SetAgents, caller: Caller, platform: Platform) -> Acknowledgement:
    """Make users agents: `userId` in the later variant, `userIds` in the earlier one."""
    chosen = request.user_ids if request.user_ids is not None else (request.user_id,) if request.user_id else ()
    agents.set_agents(platform, chosen)
    return DONE


@handles(AttachAgent)
def attach_agent(request: AttachAgent, caller: Caller, platform: Platform) -> Acknowledgement:
    """Give an agent a skill."""
    agents.attach(platform, request.skill, (request.agent,))
    return DONE


@handles(AttachAgents)
def attach_agents(request: AttachAgents, caller: Caller, platform: Platform) -> Acknowledgement:
    """Give several agents a skill, all of them or none."""
    agents.attach(platform, request.skill, request.agents)
    return DONE


@handles(DetachAgent)
def detach_agent(request: DetachAgent, caller: Caller, platform: Platform) -> Acknowledgement:
    """Take a skill from an agent."""
    agents.detach(platform, request.skill, request.agent)
    return DONE


@handles(StartSupportChat)
def start_chat(request: StartSupportChat, caller: Caller, platform: Platform) -> Acknowledgement:
    """Ask for a support chat."""
    return Acknowledgement(code=200, message=chats.start(platform, caller, request.id, request.context))


@handles(ListSupportChats, follows=CHATS)
def list_chats(request: ListSupportChats, caller: Caller, platform: Platform) -> Listed:
    """List the caller's own support chats, the oldest first."""
    with platform.read() as tx:
        return Listed(CHATS, CHATS.listed(tx, caller=caller, order=(CHATS.c.began,)))


@handles(TransferSupportChat, related=owns(CHATS, "agent"))
def transfer_chat(request: TransferSupportChat, caller: Caller, platform: Platform) -> Acknowledgement:
    """Hand a support chat over to another agent."""
    chats.transfer(platform, request.id, request.destination)
    return Acknowledgement(code=200, message="transferred")
