"""Actions on users: make them agents, or plain users again. Undo of changes to users."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from console.api.annotations import Variant
from console.api.operations.domains import CreateCredential
from console.api.operations.people import CreateUser, GetUser, UpdateUser
from console.api.operations.support import (
    AttachAgent,
    SetAgents,
)
from console.base.frozen import replace
from console.commands.action import Action, Answers, Situation
from console.commands.lookup import person, user_of
from console.kinds.inverses import Inverse, Inverses, step_of, values_back
from console.kinds.next_steps import NextStep, NextSteps
from console.live.command import Basis, Step
from console.records.people import AGENT_CAPABILITY, User
from console.records.support import Skill
from console.views.wording import plural


def _is_agent(situation: Situation, user: User) -> bool:
    return AGENT_CAPABILITY in user.capabilities or situation.render.find("agents", user.id) is not None


def _can_become(situation: Situation, records: Sequence[User]) -> str | None:
    if not all(_is_agent(situation, record) for record in records):
        return None
    who = person(situation.render, records[0].id)
    return f"{who} is already an agent." if len(records) == 1 else "All of these users are already agents."


def _set_agents(situation: Situation, records: Sequence[User], _answers: Answers) -> list[Step]:
    users = [record for record in records if not _is_agent(situation, record)]
    at_hand = situation.with_records("users", records)
    if situation.variant is Variant.EARLIER:
        ids = tuple(user.id for user in users)
        text = (
            f"made {person(situation.render, ids[0])} an agent"
            if len(ids) == 1
            else f"made {plural(len(ids), 'user')} agents"
        )
        return [_made_agent(at_hand, SetAgents(user_ids=ids), users, text)]
    return [
        _made_agent(at_hand, SetAgents(user_id=user.id), (user,), f"made {person(situation.render, user.id)} an agent")
        for user in users
    ]


def _made_agent(situation: Situation, request: SetAgents, users: Sequence[User], text: str) -> Step:
    step = step_of(situation, request, users[0].key, text)
    if len(users) > 1:
        return step
    after = (*users[0].capabilities, AGENT_CAPABILITY)
    return replace(step, leaves=Basis(GetUser(id=users[0].id), {"capabilities": after}))


def _can_stop(situation: Situation, records: Sequence[User]) -> str | None:
    if not situation.is_admin:
        return "Only admins can do this."
    if any(AGENT_CAPABILITY in record.capabilities for record in records):
        return None
    if any(_is_agent(situation, record) for record in records):
        return "The service does not say which capabilities this user has."
    return (
        f"{person(situation.render, records[0].id)} is not an agent."
        if len(records) == 1
        else "None of these users is an agent."
    )


def _make_plain(situation: Situation, records: Sequence[User], _answers: Answers) -> list[Step]:
    """Remove the agent's capability of users, and with it their skills; an undo restores both."""
    at_hand = situation.with_records("users", records)
    steps: list[Step] = []
    for user in records:
        if AGENT_CAPABILITY not in user.capabilities:
            continue
        left = tuple(capability for capability in user.capabilities if capability != AGENT_CAPABILITY)
        request = UpdateUser(id=user.id, capabilities=left)
        basis = Basis(GetUser(id=user.id), {"capabilities": user.capabilities})
        text = f"made {person(situation.render, user.id)} a plain user"
        steps.append(step_of(at_hand, request, user.key, text, basis))
    return steps


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


def _credential(request: CreateUser, key: str) -> Mapping[str, Any]:
    """Return a password of the service itself that does not expire."""
    return {"source": "local", "type": "basic", "domain": request.domain, "lease": 0, "user": key}


def _owner(request: CreateCredential) -> str:
    return request.user or ""


_ADD_SKILL = "agents.give-skill"

NEXT_STEPS: NextSteps = {
    CreateUser: (NextStep("credentials.create", _credential),),
    CreateCredential: (NextStep("users.make-agent", key=_owner), NextStep(_ADD_SKILL, key=_owner)),
    SetAgents: (NextStep(_ADD_SKILL),),
}


ACTIONS: tuple[Action[Any], ...] = (
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
