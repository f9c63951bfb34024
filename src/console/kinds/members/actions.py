"""Actions on the members of a group: add, remove, reorder; and their inverses.

Inverses are based on the members just before their own step, including earlier steps of the same command: they are
exact when steps are undone in reverse order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from console.api.operations.people import (
    AddParticipant,
    ClearParticipants,
    GetGroup,
    RemoveParticipant,
    ReorderParticipants,
)
from console.base.collation import collated
from console.base.text import SafeText, clean
from console.commands.action import Action, Answers, Asks, Choice, ChoiceAsk, Situation, TextAsk
from console.commands.inputs import text
from console.commands.lookup import find, group_name, is_me, lookup, owns, person, why_not_owner, without_members
from console.commands.resolve import Found, lines_of, resolve_members, resolve_people, summary
from console.kinds.consequences import NO_UNDO, Consequence, Consequences, sentence
from console.kinds.inverses import Inverse, Inverses, back_in, opposite, step_of
from console.live.command import Basis, Step
from console.records.people import Group, Member, User
from console.views.cell import Line
from console.views.render_context import RenderContext
from console.views.wording import plural


def _owner(situation: Situation, records: Sequence[Group]) -> str | None:
    return why_not_owner(situation, records[0])


def members(group: Group) -> tuple[Member, ...]:
    """Return the members of a group in order."""
    unique = dict.fromkeys(group.participants)
    return tuple(
        Member(user_id=user_id, group_id=group.group_id, position=place) for place, user_id in enumerate(unique, 1)
    )


# -- add -------------------------------------------------------------------------------------------------------------


def _ask_user(situation: Situation, records: Sequence[Group]) -> Asks:
    group, render = records[0], situation.render
    users = [user for user in lookup(render, "users", User) if user.id not in group.participants]
    named = sorted((collated(person(render, user.id)), user.id, user) for user in users)
    choices = tuple(Choice(user_id, person(render, user_id), _note(user)) for _, user_id, user in named)
    return (ChoiceAsk("user", f"Add to {group_name(group)}", choices),)


def _note(user: User) -> SafeText:
    contacts = (user.username, user.alias, user.email, *user.mobile_phone[:1], user.land_line_number)
    return clean(" ".join(dict.fromkeys(value for value in contacts if value)), 120)


def _add(situation: Situation, records: Sequence[Group], answers: Answers) -> list[Step]:
    user_id = text(answers, "user", "The user")
    if user_id in records[0].participants:
        raise ValueError(f"{person(situation.render, user_id)} is already in {group_name(records[0])}.")
    return [_adding(situation, records[0], user_id)]


def _adding(situation: Situation, group: Group, user_id: str) -> Step:
    request = AddParticipant(group_id=group.group_id, target_user_id=user_id)
    message = f"added {person(situation.render, user_id)} to {group_name(group)}"
    return step_of(situation.with_records("groups", (group,)), request, group.key, message)


def _ask_users(situation: Situation, records: Sequence[Group]) -> Asks:
    group = records[0]

    def check(typed: str) -> str | None:
        results = resolve_members(typed, situation.render, group)
        if any(result.found is Found.ADDS for result in results):
            return None
        return f"Nobody to add: {summary(results)}." if results else "Paste user names, ids or e-mails."

    def preview(typed: str) -> tuple[Line, ...]:
        return lines_of(resolve_members(typed, situation.render, group))

    title = f"Add to {group_name(group)}: one name, id or e-mail per line"
    return (TextAsk("users", title, lines=True, check=check, preview=preview, verb="Add"),)


def _add_many(situation: Situation, records: Sequence[Group], answers: Answers) -> list[Step]:
    results = resolve_members(text(answers, "users", "The list of users"), situation.render, records[0])
    steps = [
        _adding(situation, records[0], result.user.id)
        for result in results
        if result.user and result.found is Found.ADDS
    ]
    if not steps:
        raise ValueError(f"Nobody to add: {summary(results)}.")
    return steps


# -- remove ----------------------------------------------------------------------------------------------------------


def _may_remove(situation: Situation, records: Sequence[Member]) -> str | None:
    group = situation.selected
    if not isinstance(group, Group):
        return "No group is selected."
    if all(is_me(situation, record.user_id) for record in records):
        return None
    return why_not_owner(situation, group)


def _remove(situation: Situation, records: Sequence[Member], _answers: Answers) -> list[Step]:
    group = cast(Group, situation.selected)
    steps: list[Step] = []
    for member in records:
        if member.user_id not in group.participants:
            raise ValueError(f"{person(situation.render, member.user_id)} is no longer in {group_name(group)}.")
        request = RemoveParticipant(group_id=group.group_id, target_user_id=member.user_id)
        message = f"removed {person(situation.render, member.user_id)} from {group_name(group)}"
        steps.append(step_of(situation.with_records("groups", (group,)), request, group.key, message))
        left = tuple(participant for participant in group.participants if participant != member.user_id)
        group = group.model_copy(update={"participants": left})
    return steps


def _has_members(situation: Situation, records: Sequence[Group]) -> str | None:
    refused = why_not_owner(situation, records[0])
    return refused or (None if records[0].participants else without_members(records[0]))


def _clear(situation: Situation, records: Sequence[Group], _answers: Answers) -> list[Step]:
    group = records[0]
    members = plural(len(group.participants), "member")
    message = f"removed {'all ' if len(group.participants) > 1 else ''}{members} from {group_name(group)}"
    request = ClearParticipants(group_id=group.group_id)
    return [step_of(situation.with_records("groups", (group,)), request, group.key, message, _members_of(group))]


# -- order -----------------------------------------------------------------------------------------------------------


def moved(order: Sequence[str], keys: Sequence[str], by: int) -> tuple[str, ...]:
    """Move the members as one block up (`by` -1) or down (1) by one position; they stop at the ends."""
    after = list(order)
    places = sorted((after.index(key) for key in keys if key in after), reverse=by > 0)
    if not places or not (0 <= places[0] + by < len(after) and 0 <= places[-1] + by < len(after)):
        return tuple(order)
    for place in places:
        after[place], after[place + by] = after[place + by], after[place]
    return tuple(after)


def reorder_step(situation: Situation, group: Group, new_order: Sequence[str]) -> Step:
    """Return the step that reorders a group's members, with its inverse.

    Raise ValueError if the members differ, which the service would refuse, or nothing moved.
    """
    order = tuple(new_order)
    if sorted(order) != sorted(group.participants):
        raise ValueError(f"The members of {group_name(group)} have changed: reorder them again.")
    if order == group.participants:
        raise ValueError("The order is unchanged.")
    request = ReorderParticipants(group_id=group.group_id, participants=order)
    at_hand = situation.with_records("groups", (group,))
    return step_of(at_hand, request, group.key, f"reordered {group_name(group)}", _members_of(group))


def _members_of(group: Group) -> Basis:
    return Basis(GetGroup(group_id=group.group_id), {"participants": group.participants})


def written_order(render: RenderContext, user_ids: Sequence[str]) -> str:
    """Return the members one per line, as an order can be typed."""

    def written(user_id: str) -> str:
        record = render.find("users", user_id)
        return (isinstance(record, User) and record.username) or user_id

    return "\n".join(written(value) for value in user_ids)


def _ask_order(situation: Situation, records: Sequence[Group]) -> Asks:
    group = records[0]

    def check(typed: str) -> str | None:
        try:
            _order(situation, group, typed)
        except ValueError as error:
            return str(error)
        return None

    now = written_order(situation.render, group.participants)
    return (
        TextAsk(
            "order", f"Order of {group_name(group)}, first rung first", now, lines=True, check=check, verb="Reorder"
        ),
    )


def _order(situation: Situation, group: Group, typed: str) -> Step:
    results = resolve_people(typed, situation.render)
    order: list[str] = []
    for result in results:
        if result.user is None and result.written not in group.participants:
            raise ValueError(f"{result.written} is {result.found.value}.")
        order.append(result.user.id if result.user else str(result.written))
    return reorder_step(situation, group, order)


def _reorder(situation: Situation, records: Sequence[Group], answers: Answers) -> list[Step]:
    wanted: Any = answers.get("order", ())
    if isinstance(wanted, str):
        return [_order(situation, records[0], wanted)]
    return [reorder_step(situation, records[0], [str(item) for item in wanted])]


def _can_reorder(situation: Situation, records: Sequence[Group]) -> str | None:
    refused = why_not_owner(situation, records[0])
    if refused or len(records[0].participants) > 1:
        return refused
    return without_members(records[0]) if records[0].unread("participants") else "There is nothing to reorder."


# -- undo ------------------------------------------------------------------------------------------------------------


def _undo_removing(situation: Situation, request: RemoveParticipant) -> Inverse:
    group, user = _group(situation, request.group_id), request.target_user_id or situation.user_id
    if group is None or user not in group.participants or not owns(situation, group):
        return ()
    return back_in(group.group_id, user, group.participants)


def _undo_clearing(situation: Situation, request: ClearParticipants) -> Inverse:
    group = _group(situation, request.group_id)
    if group is None or not group.participants:
        return ()
    added = (AddParticipant(group_id=group.group_id, target_user_id=participant) for participant in group.participants)
    return (*added, ReorderParticipants(group_id=group.group_id, participants=group.participants))


def _undo_reordering(situation: Situation, request: ReorderParticipants) -> Inverse:
    group = _group(situation, request.group_id)
    if group is None:
        return ()
    return (ReorderParticipants(group_id=request.group_id, participants=group.participants),)


def _group(situation: Situation, key: str) -> Group | None:
    return find(situation.render, "groups", key, Group)


INVERSES: Inverses = {
    AddParticipant: opposite(RemoveParticipant, "target_user_id", "participants", adds=True),
    RemoveParticipant: _undo_removing,
    ClearParticipants: _undo_clearing,
    ReorderParticipants: _undo_reordering,
}


def _effect_of_clearing(situation: Situation, requests: Sequence[ClearParticipants]) -> Consequence:
    sentences: list[str] = []
    for request in requests:
        group = situation.render.find("groups", request.group_id)
        if isinstance(group, Group):
            amount = group.count_of("participants")
            if amount is None:
                sentences.append(f"{sentence(request)} {NO_UNDO}")
                continue
            members = f"All {amount} members leave" if amount > 1 else "The only member leaves"
            undo = "undo restores them in order."
            sentences.append(
                f"{members} {group_name(group)}; {undo}" if amount else f"{group_name(group)} has no members."
            )
        else:
            sentences.append(f"{sentence(request)} {NO_UNDO}")
    return Consequence(" ".join(sentences))


CONSEQUENCES: Consequences = {ClearParticipants: _effect_of_clearing}


ACTIONS: tuple[Action[Any], ...] = (
    Action[Group](
        id="groups.add",
        title="add member",
        key="plus",
        verb="add",
        kind="groups",
        plan=_add,
        why_not=_owner,
        asks=_ask_user,
        footer=2,
        sends=(AddParticipant,),
        noun="member",
    ),
    Action[Group](
        id="groups.add-many",
        title="add many",
        key="A",
        verb="add many",
        kind="groups",
        plan=_add_many,
        why_not=_owner,
        asks=_ask_users,
        footer=3,
        about="Adds people from pasted names, ids or e-mails, after a preview.",
        sends=(AddParticipant,),
        noun="member",
    ),
    Action[Member](
        id="members.remove",
        title="remove",
        key="minus",
        verb="remove",
        kind="members",
        plan=_remove,
        why_not=_may_remove,
        needs="many",
        footer=2,
        about="Removes the selected members from the group; undo restores their positions.",
        sends=(RemoveParticipant,),
        subject="groups",
        noun="member",
    ),
    Action[Group](
        id="groups.reorder",
        title="reorder",
        key="O",
        kind="groups",
        plan=_reorder,
        why_not=_can_reorder,
        asks=_ask_order,
        footer=7,
        about="Changes the order in which the members are rung.",
        sends=(ReorderParticipants,),
    ),
    Action[Group](
        id="groups.clear",
        title="remove all",
        key="X",
        verb="remove all",
        kind="groups",
        plan=_clear,
        why_not=_has_members,
        footer=7,
        sends=(ClearParticipants,),
    ),
)
