"""Groups: named, ordered sets of users with an owner (contract 2.18, 4.3, 5.6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from console.api.operations.people import NewGroup
from console.records.people import Group, RingingStrategy, User
from console.service.domain import people
from console.service.events.visibility import Admins, Among, AnyOf, Same, by_id, has
from console.service.platform import Platform
from console.service.refusal import conflict, invalid, missing
from console.service.store.documents import Documents
from console.service.store.transaction import Transaction

LONGEST_NAME = 200
MOST_PARTICIPANTS = 1000
RESERVED = frozenset({"page", "several", "leave", ".", ".."})
"""Ids that would be another path in a URL."""


def _as_earlier(group: dict[str, Any]) -> dict[str, Any]:
    for name in ("chatId", "ringingStrategy"):
        group.pop(name, None)
    return group


GROUPS = Documents(
    "groups",
    Group,
    columns=(
        sa.Column("id", sa.Text, nullable=False, unique=True),
        sa.Column("name", sa.Text, nullable=False, index=True),
        sa.Column("owner", sa.Text, nullable=False, index=True),
        sa.Column("participants", sa.JSON, nullable=False),
    ),
    extract=lambda group: {
        "id": group.id or "",
        "name": group.name or "",
        "owner": group.owner.id if group.owner else "",
        "participants": list(group.participants),
    },
    rule=AnyOf(Admins(), Same("owner", by_id), Among("participants", by_id)),
    earlier=_as_earlier,
)


def create(
    platform: Platform,
    owner: User,
    name: str,
    group_id: str | None = None,
    ringing: RingingStrategy | None = None,
    participants: Sequence[str] = (),
) -> Group:
    """Create a group; refuse with 409 a `group_id` in use. The default id is generated."""
    with platform.write() as tx:
        group = _new(platform, owner, name, group_id, ringing, _members(tx, participants))
        _add(tx, [group])
        return group


def create_many(platform: Platform, owner: User, groups: Sequence[NewGroup]) -> tuple[str, ...]:
    """Create groups without members, all or none; return their keys in the same order.

    Refuse with 409 a `group_id` in use, also by another of these groups.
    """
    with platform.write() as tx:
        new = [_new(platform, owner, group.name, group.group_id, group.ringing_strategy) for group in groups]
        _add(tx, new)
        return tuple(group.key for group in new)


def _new(
    platform: Platform,
    owner: User,
    name: str,
    group_id: str | None,
    ringing: RingingStrategy | None,
    participants: tuple[str, ...] = (),
) -> Group:
    group_id = platform.new_id() if group_id is None else group_id
    _check_names(name, group_id)
    return Group(
        id=platform.new_id(),
        name=name,
        group_id=group_id,
        participants=participants,
        owner=people.reference(owner),
        chat_id=f"group-{platform.new_id()}",
        ringing_strategy=_ringing(ringing),
    )


def _add(tx: Transaction, groups: Sequence[Group]) -> None:
    """Store new groups; refuse with 409 an id in use."""
    used = {row.key for row in GROUPS.rows(tx, [group.key for group in groups])}
    for group in groups:
        if group.key in used:
            raise conflict(f"there is a group {group.key} already")
        used.add(group.key)
    GROUPS.put_many(tx, groups)


def update(
    platform: Platform,
    group_id: str,
    *,
    new_id: str | None = None,
    new_group_id: str | None = None,
    name: str | None = None,
    participants: Sequence[str] | None = None,
    owner_id: str | None = None,
    ringing: RingingStrategy | None = None,
) -> None:
    """Change the given fields of a group.

    Refuse with 409 a `new_id` or `new_group_id` that another group has. Subscribers of groups see a renamed group as
    removed under the former `groupId` and created under the new one.
    """
    with platform.write() as tx:
        group = GROUPS.need(tx, group_id)
        changes: dict[str, Any] = {}
        if new_id is not None and new_id != group.id:
            if not new_id or len(new_id) > LONGEST_NAME:
                raise invalid("id", f"must have 1 to {LONGEST_NAME} characters", "length")
            if GROUPS.count(tx, GROUPS.c.id == new_id):
                raise conflict(f"another group has the id {new_id}")
            changes["id"] = new_id
        if new_group_id is not None and new_group_id != group_id:
            _check_names(group.name or "", new_group_id)
            if GROUPS.row(tx, new_group_id) is not None:
                raise conflict(f"there is a group {new_group_id} already")
            changes["group_id"] = new_group_id
        if name is not None:
            _check_names(name, group_id)
            changes["name"] = name
        if participants is not None:
            changes["participants"] = _members(tx, participants)
        if owner_id is not None:
            owner = people.USERS.get(tx, owner_id)
            if owner is None or owner.role == "anonymous":
                raise invalid("owner", "cannot own a group", "reference")
            changes["owner"] = people.reference(owner)
        if ringing is not None:
            changes["ringing_strategy"] = _ringing(ringing)
        if "group_id" in changes:
            GROUPS.remove(tx, group_id)
        GROUPS.put(tx, group.model_copy(update=changes))


def add(platform: Platform, group_id: str, user_id: str) -> None:
    """Append a user to a group; refuse with 409 a current member."""
    with platform.write() as tx:
        group = GROUPS.need(tx, group_id)
        if user_id in group.participants:
            raise conflict(f"{user_id} is in the group already")
        _put(tx, group, _members(tx, (*group.participants, user_id), path="targetUserId"))


def remove(platform: Platform, group_id: str, leaver: str) -> None:
    """Remove a user from a group; refuse with 404 a user who is not a member."""
    with platform.write() as tx:
        group = GROUPS.need(tx, group_id)
        if leaver not in group.participants:
            raise missing("participant", leaver)
        _put(tx, group, [participant for participant in group.participants if participant != leaver])


def reorder(platform: Platform, group_id: str, participants: Sequence[str]) -> None:
    """Reorder the members; refuse any list that does not contain exactly the same members."""
    with platform.write() as tx:
        group = GROUPS.need(tx, group_id)
        if sorted(participants) != sorted(group.participants):
            raise invalid("participants", "must list each current participant exactly once", "sameMembers")
        _put(tx, group, participants)


def clear(platform: Platform, group_id: str) -> None:
    """Remove all members from a group."""
    with platform.write() as tx:
        _put(tx, GROUPS.need(tx, group_id), ())


def leave_all(platform: Platform, leaver: str) -> int:
    """Remove a user from all groups; return the number of groups."""
    with platform.write() as tx:
        people.need_user(tx, leaver)
        left = GROUPS.records(tx, has(GROUPS.c.participants, leaver))
        GROUPS.put_many(
            tx,
            [
                _with(group, [participant for participant in group.participants if participant != leaver])
                for group in left
            ],
        )
        return len(left)


def _put(tx: Transaction, group: Group, participants: Sequence[str]) -> None:
    GROUPS.put(tx, _with(group, participants))


def _with(group: Group, participants: Sequence[str]) -> Group:
    return group.model_copy(update={"participants": tuple(participants)})


def _members(tx: Transaction, participants: Sequence[str], path: str = "participants") -> tuple[str, ...]:
    if len(participants) > MOST_PARTICIPANTS:
        raise invalid(path, f"a group may have at most {MOST_PARTICIPANTS} participants", "maxItems")
    if len(set(participants)) != len(participants):
        raise invalid(path, "names somebody twice", "uniqueItems")
    column = people.USERS.c.key
    known = {
        row.key
        for row in tx.rows(sa.select(column).where(column.in_(list(participants)), people.USERS.c.role != "anonymous"))
    }
    for participant in participants:
        if participant not in known:
            raise invalid(path, f"{participant} is not a user", "reference")
    return tuple(participants)


def _ringing(strategy: RingingStrategy | None) -> RingingStrategy:
    if strategy is None or not strategy.type:
        return RingingStrategy(type="simultaneous")
    return strategy


def _check_names(name: str, group_id: str) -> None:
    for path, value in (("name", name), ("groupId", group_id)):
        if not value.strip() or len(value) > LONGEST_NAME:
            raise invalid(path, f"must have 1 to {LONGEST_NAME} characters", "length")
    if group_id in RESERVED:
        raise invalid("groupId", f"may not be {group_id}", "reserved")
