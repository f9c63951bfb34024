"""Remove a user from all groups: oneself, or for admins any user."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from console.api.operations.people import LeaveGroups
from console.commands.action import Action, Situation
from console.commands.lookup import group_name, groups_of, is_me, person
from console.kinds.groups.effects import back_in_all
from console.live.command import Step
from console.records.people import User
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
        steps.append(Step(request, user_id, f"{who} {named}", back_in_all(situation, user_id, left)))
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


ACTIONS: tuple[Action[Any], ...] = (
    Action[Record](
        id="groups.leave-all",
        title="leave all my groups",
        key="",
        via="me.set",
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
