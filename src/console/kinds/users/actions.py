"""Actions on users: make them agents, or plain users again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from console.api.annotations import Variant
from console.api.operations.people import GetUser, UpdateUser
from console.api.operations.support import SetAgents
from console.base.frozen import replace
from console.commands.action import Action, Answers, Situation
from console.commands.lookup import person
from console.kinds.inverses import step_of
from console.live.command import Basis, Step
from console.records.people import AGENT_CAPABILITY, User
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
