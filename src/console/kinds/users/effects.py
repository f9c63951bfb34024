"""Undo of changes to users."""

from __future__ import annotations

from console.api.operations.people import (
    UpdateUser,
)
from console.api.operations.support import (
    AttachAgent,
    SetAgents,
)
from console.commands.action import Situation
from console.commands.lookup import user_of
from console.kinds.inverses import Inverse, Inverses, values_back
from console.records.people import AGENT_CAPABILITY, User
from console.records.support import Skill


def _make_agents(situation: Situation, request: SetAgents) -> Inverse:
    ids = request.user_ids or ((request.user_id,) if request.user_id else ())
    users = [user_of(situation.render, value) for value in ids]
    if any(user is None or not has_capabilities(user) for user in users):
        return ()
    return tuple(UpdateUser(id=user.id, capabilities=user.capabilities) for user in users if user is not None)


def _update_user(situation: Situation, request: UpdateUser) -> Inverse:
    """Restore known values, and the skills that depend on the agent's capability."""
    user = user_of(situation.render, request.id)
    back = values_back(request, user, user.model_fields_set) if user is not None else ()
    if user is None or not back or "capabilities" not in request.model_fields_set:
        return back
    lost = AGENT_CAPABILITY in user.capabilities and AGENT_CAPABILITY not in (request.capabilities or ())
    return (*back, *(_skills_back(situation, user) if lost else ()))


def has_capabilities(user: User) -> bool:
    """Return whether the service sent the user's capabilities: missing ones are not an empty list."""
    return "capabilities" in user.model_fields_set


def _skills_back(situation: Situation, user: User) -> Inverse:
    """Restore a user's skills, which are lost with the agent's capability."""
    skills = (record for record in situation.render.lookup("skills").values() if isinstance(record, Skill))
    return tuple(AttachAgent(skill=skill.skill, agent=user.id) for skill in skills if user.id in skill.agents)


INVERSES: Inverses = {
    SetAgents: _make_agents,
    UpdateUser: _update_user,
}
