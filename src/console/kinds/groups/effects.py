"""Undo of changes to groups, and their effects as shown in dialogs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from console.api.operations.people import (
    AddParticipant,
    ClearParticipants,
    CreateGroup,
    LeaveGroups,
    RemoveParticipant,
    ReorderParticipants,
)
from console.api.request import Request
from console.base.text import SafeText, clean
from console.commands.action import Situation
from console.commands.lookup import (
    find,
    group_name,
    groups_of,
    owns,
    person,
    person_or,
)
from console.kinds.consequences import NO_UNDO, Consequence, Consequences, sentence
from console.kinds.inverses import Inverse, Inverses
from console.kinds.next_steps import NextStep, NextSteps
from console.records.people import Group


def back_in(group_id: str, user_id: str, order: Sequence[str]) -> Inverse:
    """Add a user to a group again, at the old position."""
    return (
        AddParticipant(group_id=group_id, target_user_id=user_id),
        ReorderParticipants(group_id=group_id, participants=tuple(order)),
    )


def back_in_all(situation: Situation, user_id: str, orders: dict[str, list[str]]) -> Inverse:
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


def _group(situation: Situation, key: str) -> Group | None:
    return find(situation.render, "groups", key, Group)


def _add(situation: Situation, request: AddParticipant) -> Inverse:
    group = _group(situation, request.group_id)
    if group is None or request.target_user_id in group.participants:
        return ()
    return (RemoveParticipant(group_id=request.group_id, target_user_id=request.target_user_id),)


def _remove(situation: Situation, request: RemoveParticipant) -> Inverse:
    group, user = _group(situation, request.group_id), request.target_user_id or situation.user_id
    if group is None or user not in group.participants or not owns(situation, group):
        return ()
    return back_in(group.group_id, user, group.participants)


def _clear(situation: Situation, request: ClearParticipants) -> Inverse:
    group = _group(situation, request.group_id)
    if group is None or not group.participants:
        return ()
    added = (AddParticipant(group_id=group.group_id, target_user_id=participant) for participant in group.participants)
    return (*added, ReorderParticipants(group_id=group.group_id, participants=group.participants))


def _reorder(situation: Situation, request: ReorderParticipants) -> Inverse:
    group = _group(situation, request.group_id)
    if group is None:
        return ()
    return (ReorderParticipants(group_id=request.group_id, participants=group.participants),)


def _leave(situation: Situation, request: LeaveGroups) -> Inverse:
    return back_in_all(situation, request.target_user_id or situation.user_id, {})


INVERSES: Inverses = {
    AddParticipant: _add,
    RemoveParticipant: _remove,
    ClearParticipants: _clear,
    ReorderParticipants: _reorder,
    LeaveGroups: _leave,
}


# -- consequences -----------------------------------------------------------------------------------


def _clear_consequence(situation: Situation, requests: Sequence[ClearParticipants]) -> Consequence:
    said: list[str] = []
    for request in requests:
        group = situation.render.find("groups", request.group_id)
        if isinstance(group, Group):
            amount = len(group.participants)
            members = f"All {amount} members leave" if amount > 1 else "The only member leaves"
            undo = "undo restores them in order."
            said.append(f"{members} {group_name(group)}; {undo}" if amount else f"{group_name(group)} has no members.")
        else:
            said.append(f"{sentence(request)} {NO_UNDO}")
    return Consequence(" ".join(said))


def _leave_consequence(situation: Situation, requests: Sequence[LeaveGroups]) -> Consequence:
    ids = [request.target_user_id or situation.user_id for request in requests]
    groups = tuple({group.group_id: group for value in ids for group in groups_of(situation.render, value)}.values())
    lost = sum(not owns(situation, each) for each in groups)
    if ids == [situation.user_id]:
        who = "You leave"
    else:
        who = f"{person(situation.render, ids[0])} leaves" if len(ids) == 1 else f"{len(ids)} people leave"
    many = "this group" if len(groups) == 1 else f"these {len(groups)} groups"
    if not groups:
        warning = f"{who} every group. {NO_UNDO}"
    elif not lost:
        warning = f"{who} {many}; undo restores their positions."
    elif lost == len(groups):
        warning = f"{who} {many}, which others own. This cannot be undone."
    else:
        warning = (
            f"{who} {many}; undo restores the membership of those that you own, {len(groups) - lost} of {len(groups)}."
        )
    return Consequence(warning, tuple(_left(situation, each) for each in groups))


def _left(situation: Situation, group: Group) -> SafeText:
    if owns(situation, group):
        return group_name(group)
    owner = person_or(situation.render, group.owner) if group.owner else "somebody else"
    return clean(f"{group_name(group)}  of {owner}")


NEXT_STEPS: NextSteps = {CreateGroup: (NextStep("groups.add"),)}

CONSEQUENCES: Consequences = {
    ClearParticipants: _clear_consequence,
    LeaveGroups: _leave_consequence,
}
