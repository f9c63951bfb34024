"""Leaving all groups, one's own or those of a user: actions, undo, and what it affects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from console.api.operations.people import AddParticipant, LeaveGroups, ReorderParticipants
from console.api.request import Request
from console.base.text import SafeText, clean
from console.commands.action import Action, Situation
from console.commands.lookup import group_name, groups_of, is_me, owns, person, person_or
from console.kinds.consequences import NO_UNDO, Consequence
from console.kinds.inverses import Inverse
from console.live.command import Step
from console.records.people import Group, User
from console.records.record import Record
from console.views.wording import plural


def _leaving(situation: Situation, user_ids: Sequence[str]) -> list[Step]:
    left: dict[str, list[str]] = {}
    steps: list[Step] = []
    for user_id in user_ids:
        groups = groups_of(situation.render, user_id)
        own = user_id == situation.user_id
        request = LeaveGroups() if own else LeaveGroups(target_user_id=user_id)
        who = "left" if own else f"removed {person(situation.render, user_id)} from"
        named = plural(len(groups), "group") if len(groups) != 1 else group_name(groups[0])
        steps.append(Step(request, user_id, f"{who} {named}", _back_in_all(situation, user_id, left)))
    return steps


def _in_no_group(situation: Situation, _records: Sequence[Record]) -> str | None:
    return None if groups_of(situation.render, situation.user_id) else "You are not in any group."


def _may_take_out(situation: Situation, records: Sequence[User]) -> str | None:
    if not situation.is_admin and any(not is_me(situation, record.id) for record in records):
        return "Only admins can remove others from their groups."
    if any(groups_of(situation.render, record.id) for record in records):
        return None
    return (
        f"{person(situation.render, records[0].id)} is not in any group."
        if len(records) == 1
        else "None of them is in a group."
    )


LEAVING_ACTIONS: tuple[Action[Any], ...] = (
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


# -- undo ------------------------------------------------------------------------------------------------------------


def back_in(group_id: str, user_id: str, order: Sequence[str]) -> Inverse:
    """Add a user to a group again, at the old position."""
    return (
        AddParticipant(group_id=group_id, target_user_id=user_id),
        ReorderParticipants(group_id=group_id, participants=tuple(order)),
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


def undo_leaving(situation: Situation, request: LeaveGroups) -> Inverse:
    """Return the requests that add a user again."""
    return _back_in_all(situation, request.target_user_id or situation.user_id, {})


# -- consequences ----------------------------------------------------------------------------------------------------


def effect_of_leaving(situation: Situation, requests: Sequence[LeaveGroups]) -> Consequence:
    """Return what leaving affects: the groups, and which of them can be joined again."""
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
