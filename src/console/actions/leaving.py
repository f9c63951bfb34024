"""Taking somebody out of every group at once: oneself, or for an admin whoever has left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from console.actions.action import Action, Guard, Situation
from console.actions.known import group_name, is_me, known, owns, person, person_or
from console.actions.members import back_in
from console.api.operations.people import LeaveGroups
from console.api.request import Request
from console.live.command import Step
from console.records.people import Group, User
from console.records.record import Record
from console.text import SafeText, clean


def groups_of(situation: Situation, user_id: str) -> list[Group]:
    """Return the known groups that a user is a member of, by name."""
    groups = [each for each in known(situation.sight, "groups", Group) if user_id in each.participants]
    return sorted(groups, key=lambda each: (group_name(each).casefold(), each.group_id))


def _leaving(situation: Situation, user_ids: Sequence[str]) -> list[Step]:
    left: dict[str, list[str]] = {}
    steps: list[Step] = []
    for user_id in user_ids:
        undo: list[Request[Any]] = []
        groups = groups_of(situation, user_id)
        for group in groups:
            order = left.setdefault(group.group_id, list(group.participants))
            if owns(situation, group):
                undo.extend(back_in(group.group_id, user_id, order))
            order.remove(user_id)
        own = user_id == situation.user_id
        request = LeaveGroups() if own else LeaveGroups(target_user_id=user_id)
        who = "left" if own else f"took {person(situation.sight, user_id)} out of"
        named = f"{len(groups)} groups" if len(groups) != 1 else group_name(groups[0])
        steps.append(Step(request, user_id, f"{who} {named}", tuple(undo)))
    return steps


def _left_groups(situation: Situation, user_ids: Sequence[str]) -> tuple[Group, ...]:
    groups = {group.group_id: group for user_id in user_ids for group in groups_of(situation, user_id)}
    return tuple(groups.values())


def _leave_warning(situation: Situation, user_ids: Sequence[str]) -> str:
    groups = _left_groups(situation, user_ids)
    lost = sum(not owns(situation, each) for each in groups)
    who = _leavers(situation, user_ids)
    many = "this group" if len(groups) == 1 else f"these {len(groups)} groups"
    if not lost:
        return f"{who} {many}; undo puts them back at their places."
    if lost == len(groups):
        return f"{who} {many}, which others own: there is no undo."
    return f"{who} {many}; undo puts them back in those that you own, {len(groups) - lost} of {len(groups)}."


def _leavers(situation: Situation, user_ids: Sequence[str]) -> str:
    if list(user_ids) == [situation.user_id]:
        return "You leave"
    if len(user_ids) == 1:
        return f"{person(situation.sight, user_ids[0])} leaves"
    return f"{len(user_ids)} people leave"


def _leave_lines(situation: Situation, user_ids: Sequence[str]) -> tuple[SafeText, ...]:
    return tuple(
        clean(group_name(each) if owns(situation, each) else f"{group_name(each)}  of {_owner_name(situation, each)}")
        for each in _left_groups(situation, user_ids)
    )


def _owner_name(situation: Situation, group: Group) -> str:
    return person_or(situation.sight, group.owner) if group.owner else "somebody else"


def _in_no_group(situation: Situation, _records: Sequence[Record]) -> str | None:
    return None if groups_of(situation, situation.user_id) else "You are in no group."


def _may_take_out(situation: Situation, records: Sequence[User]) -> str | None:
    if not situation.is_admin and any(not is_me(situation, each.id) for each in records):
        return "Only an admin may take others out of their groups."
    if any(groups_of(situation, each.id) for each in records):
        return None
    return (
        f"{person(situation.sight, records[0].id)} is in no group."
        if len(records) == 1
        else "None of them is in a group."
    )


ACTIONS: tuple[Action[Any], ...] = (
    Action[Record](
        id="groups.leave-all",
        title="leave all groups",
        key="L",
        kind="groups",
        guard=Guard.WIDE,
        plan=lambda situation, _records, _answers: _leaving(situation, (situation.user_id,)),
        why_not=_in_no_group,
        needs="none",
        warning=lambda situation, _records: _leave_warning(situation, (situation.user_id,)),
        touches=lambda situation, _records: _leave_lines(situation, (situation.user_id,)),
        footer=8,
        about="Takes you out of every group.",
        sends=(LeaveGroups,),
        subject="users",
    ),
    Action[User](
        id="users.leave-groups",
        title="take out of all groups",
        key="L",
        kind="users",
        guard=Guard.WIDE,
        plan=lambda situation, records, _answers: _leaving(situation, [each.id for each in records]),
        why_not=_may_take_out,
        needs="many",
        warning=lambda situation, records: _leave_warning(situation, [each.id for each in records]),
        touches=lambda situation, records: _leave_lines(situation, [each.id for each in records]),
        footer=4,
        about="Takes a user out of every group; undo puts them back where you own the group.",
        sends=(LeaveGroups,),
        mass=True,
    ),
)
