"""Handlers for groups (contract 4.3). The final message is the operation's bare string."""

from __future__ import annotations

import sqlalchemy as sa

from console.api.operations.people import (
    AddParticipant,
    ClearParticipants,
    CreateGroup,
    CreateGroups,
    GetGroup,
    LeaveGroups,
    ListGroups,
    PageGroups,
    RemoveParticipant,
    ReorderParticipants,
    UpdateGroup,
)
from console.records.addresses import CONTRACT
from console.records.people import Group
from console.records.responses import Acknowledgement
from console.service.auth.caller import Caller
from console.service.auth.relation_checks import is_self, owns, sees
from console.service.domain import groups, sip_mappings
from console.service.domain.groups import GROUPS
from console.service.events.visibility import has
from console.service.handlers.bindings import gets
from console.service.handlers.handler import DONE, Stored, StoredPage, bind, handles
from console.service.platform import Platform
from console.service.refusal import invalid
from console.service.store.paging import any_of, page_of, part_of
from console.service.store.transaction import Transaction

MOST_AT_ONCE = 200

_OWNER = owns(GROUPS, "owner", "group_id")


def _target(request: ListGroups | LeaveGroups | RemoveParticipant, caller: Caller) -> str:
    return request.target_user_id or caller.id


@handles(ListGroups, related=is_self("target_user_id"))
def list_groups(request: ListGroups, caller: Caller, tx: Transaction) -> Stored:
    """List groups: with `participating` true as a member, with false only as an owner, otherwise both.

    An admin who names no user sees all groups.
    """
    target = _target(request, caller)
    owned, inside = GROUPS.c.owner == target, has(GROUPS.c.participants, target)
    where: list[sa.ColumnElement[bool]] = []
    if request.participating is not None:
        where.append(inside if request.participating else sa.and_(owned, sa.not_(inside)))
    elif request.target_user_id is not None:
        where.append(sa.or_(owned, inside))
    return Stored(GROUPS, GROUPS.bodies(tx, *where, caller=caller))


@handles(PageGroups)
def page_groups(request: PageGroups, caller: Caller, platform: Platform) -> StoredPage:
    """List groups in pages."""
    where = [
        *any_of(GROUPS.c.id, request.id),
        *any_of(GROUPS.c.name, request.name),
        *any_of(GROUPS.c.key, request.group_id),
        *any_of(GROUPS.c.owner, request.owner_user),
        *part_of(GROUPS.c.name, request.name_partial),
        *part_of(GROUPS.c.key, request.group_id_partial),
    ]
    if request.participant_user is not None:
        where.append(has(GROUPS.c.participants, request.participant_user))
    if request.owner_or_participant_user is not None:
        user = request.owner_or_participant_user
        where.append(sa.or_(GROUPS.c.owner == user, has(GROUPS.c.participants, user)))
    sort = GROUPS.c.name if request.sort.endswith("name") else GROUPS.c.key
    return page_of(GROUPS, request, caller, platform, *where, sort=sort, descending=request.sort.startswith("-"))


@handles(CreateGroups)
def create_many(request: CreateGroups, caller: Caller, platform: Platform, tx: Transaction) -> Stored:
    """Create several groups, all of them or none."""
    if len(request.groups) > MOST_AT_ONCE:
        raise invalid("groups", f"may name at most {MOST_AT_ONCE} groups", "maxItems")
    keys = groups.create_many(platform, caller.user, request.groups)
    bodies = {row.key: row.body for row in GROUPS.rows(tx, keys)}
    return Stored(GROUPS, [bodies[key] for key in keys])


@handles(UpdateGroup, related=_OWNER)
def update(request: UpdateGroup, platform: Platform, tx: Transaction) -> Acknowledgement:
    """Change a group."""
    groups.update(
        platform,
        request.group_id,
        new_id=request.id,
        new_group_id=request.new_group_id,
        name=request.name,
        participants=request.participants,
        owner_id=request.owner.id if request.owner else None,
        ringing=request.ringing_strategy,
    )
    uri = CONTRACT.group.of(request.new_group_id or request.group_id)
    sip_mappings.rename(platform, tx, CONTRACT.group.of(request.group_id), uri)
    sip_mappings.follow(platform, tx, [uri])
    return DONE


def _owner_or_leaving(tx: Transaction, caller: Caller, request: RemoveParticipant) -> bool:
    leaving = request.target_user_id in {None, caller.id} and GROUPS.may_see(tx, caller, request.group_id)
    return _OWNER(tx, caller, request) or leaving


def _stored(platform: Platform, group: Group) -> Stored:
    with platform.read() as tx:
        return Stored(GROUPS, (GROUPS.body(tx, group.key) or "",), many=False)


bind(
    CreateGroup,
    groups.create,
    owner=lambda _, caller: caller.user,
    ringing="ringing_strategy",
    answer=_stored,
)
bind(GetGroup, gets(GROUPS), key="group_id", related=sees(GROUPS, "group_id"))
bind(AddParticipant, groups.add, user_id="target_user_id", related=_OWNER)
bind(RemoveParticipant, groups.remove, leaver=_target, related=_owner_or_leaving)
bind(ReorderParticipants, groups.reorder, related=_OWNER)
bind(ClearParticipants, groups.clear, related=_OWNER)
bind(LeaveGroups, groups.leave_all, leaver=_target, related=is_self("target_user_id"), answer="OK")
