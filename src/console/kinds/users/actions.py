"""Actions on users: make them agents, or plain users again, remove them from all groups. Undo of changes to users."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from console.api.annotations import Variant
from console.api.operations.domains import CreateCredential
from console.api.operations.people import CreateUser, GetUser, LeaveGroups, UpdateUser
from console.api.operations.support import AttachAgent, SetAgents
from console.api.request import Request
from console.base.frozen import replace
from console.base.text import SafeText, clean
from console.commands.action import Action, Answers, Situation
from console.commands.lookup import group_name, groups_of, is_me, owns, person, person_or, user_of
from console.kinds.consequences import NO_UNDO, Consequence, Consequences
from console.kinds.groups.facts import members_exact
from console.kinds.inverses import Inverse, Inverses, back_in, step_of, values_back
from console.kinds.next_steps import NextStep, NextSteps
from console.live.command import Basis, Step
from console.records.extent import Extent
from console.records.people import AGENT_CAPABILITY, Group, User
from console.records.record import Record
from console.records.support import Skill
from console.views.wording import plural

# -- agents ------------------------------------------------------------------------------------------------------------


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
    agents_known = situation.render.extent("agents") is Extent.WHOLE
    unsaid = (record.unread("capabilities") or not (agents_known or has_capabilities(record)) for record in records)
    if any(unsaid) or any(_is_agent(situation, record) for record in records):
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


# -- groups ------------------------------------------------------------------------------------------------------------


def _leaving(situation: Situation, user_ids: Sequence[str]) -> list[Step]:
    left: dict[str, list[str]] = {}
    steps: list[Step] = []
    for user_id in user_ids:
        groups = groups_of(situation.render, user_id)
        own = user_id == situation.user_id
        request = LeaveGroups() if own else LeaveGroups(target_user_id=user_id)
        who = "left" if own else f"removed {person(situation.render, user_id)} from"
        named = plural(len(groups), "group") if len(groups) != 1 else group_name(groups[0])
        named = named if members_exact(situation.render) else "every group"
        steps.append(Step(request, user_id, f"{who} {named}", _back_in_all(situation, user_id, left)))
    return steps


_UNKNOWN_GROUPS = "Not all groups and their members are known."


def _in_no_group(situation: Situation, _records: Sequence[Record]) -> str | None:
    if groups_of(situation.render, situation.user_id):
        return None
    return "You are not in any group." if members_exact(situation.render) else _UNKNOWN_GROUPS


def _may_take_out(situation: Situation, records: Sequence[User]) -> str | None:
    if not situation.is_admin and any(not is_me(situation, record.id) for record in records):
        return "Only admins can remove others from their groups."
    if any(groups_of(situation.render, record.id) for record in records):
        return None
    if not members_exact(situation.render):
        return _UNKNOWN_GROUPS
    return (
        f"{person(situation.render, records[0].id)} is not in any group."
        if len(records) == 1
        else "None of them is in a group."
    )


def _back_in_all(situation: Situation, user_id: str, orders: dict[str, list[str]]) -> Inverse:
    """Add a user again to the groups that the caller owns; `orders` are the remaining members, and is updated.

    Only an owner can add members, so the user is not added to other groups.
    """
    requests: list[Request[Any]] = []
    for group in groups_of(situation.render, user_id):
        order = orders.setdefault(group.group_id, list(group.participants))
        if owns(situation, group):
            requests.extend(back_in(group.group_id, user_id, order))
        order.remove(user_id)
    return tuple(requests)


def _undo_leaving(situation: Situation, request: LeaveGroups) -> Inverse:
    return _back_in_all(situation, request.target_user_id or situation.user_id, {})


def _effect_of_leaving(situation: Situation, requests: Sequence[LeaveGroups]) -> Consequence:
    """Return the groups that are left, and which of them can be joined again."""
    ids = [request.target_user_id or situation.user_id for request in requests]
    groups = tuple({group.group_id: group for value in ids for group in groups_of(situation.render, value)}.values())
    lost = sum(not owns(situation, group) for group in groups)
    if ids == [situation.user_id]:
        who = "You leave"
    else:
        who = f"{person(situation.render, ids[0])} leaves" if len(ids) == 1 else f"{len(ids)} people leave"
    many = "this group" if len(groups) == 1 else f"these {len(groups)} groups"
    if not groups:
        warning = f"{who} every group. {NO_UNDO}"
    elif not members_exact(situation.render):
        warning = f"{who} every group, also those that are not known here, to which undo does not return."
    elif not lost:
        warning = f"{who} {many}; undo restores their positions."
    elif lost == len(groups):
        warning = f"{who} {many}, which others own. This cannot be undone."
    else:
        warning = (
            f"{who} {many}; undo restores the membership of those that you own, {len(groups) - lost} of {len(groups)}."
        )
    return Consequence(warning, tuple(_left(situation, group) for group in groups))


def _left(situation: Situation, group: Group) -> SafeText:
    if owns(situation, group):
        return group_name(group)
    owner = person_or(situation.render, group.owner) if group.owner else "somebody else"
    return clean(f"{group_name(group)}  of {owner}")


# -- tables ------------------------------------------------------------------------------------------------------------


INVERSES: Inverses = {
    SetAgents: _make_agents,
    UpdateUser: _update_user,
    LeaveGroups: _undo_leaving,
}

CONSEQUENCES: Consequences = {LeaveGroups: _effect_of_leaving}


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
    Action[Record](
        id="groups.leave-all",
        title="leave all my groups",
        key="",
        kind="everywhere",
        plan=lambda situation, _records, _answers: _leaving(situation, (situation.user_id,)),
        why_not=_in_no_group,
        needs="none",
        footer=8,
        about="Removes you from every group.",
        sends=(LeaveGroups,),
        subject="users",
    ),
    Action[User](
        id="users.leave-groups",
        title="remove from all groups",
        key="L",
        verb="leave",
        kind="users",
        plan=lambda situation, records, _answers: _leaving(situation, [record.id for record in records]),
        why_not=_may_take_out,
        needs="many",
        footer=4,
        about="Removes a user from every group; undo restores the membership of groups that you own.",
        sends=(LeaveGroups,),
    ),
)
