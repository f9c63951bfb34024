"""Handlers for presence (contract 4.7)."""

from __future__ import annotations

from collections.abc import Iterable

import sqlalchemy as sa

from console.api.operations.presence import (
    GetPresence,
    ListPresences,
    SubscribePresence,
    SubscribePresences,
    UpdatePresence,
)
from console.records.support import Presence
from console.service.caller import Caller
from console.service.database import Transaction
from console.service.domain import appearing, presence
from console.service.domain.presence import PRESENCE
from console.service.handler import Listed, Stored, handles
from console.service.platform import Platform
from console.service.visibility import has


def _for_all(request: ListPresences, caller: Caller) -> bool:
    """Whether everybody's presence is asked for."""
    return bool(request.all_users) and caller.is_admin and request.addresses is None


@handles(ListPresences, follows=PRESENCE, seen=lambda request, caller: _for_all(request, caller) or caller.id)
def list_presences(request: ListPresences, caller: Caller, platform: Platform) -> Stored | Listed:
    """List the presence of whom the caller follows; for an admin the addresses asked for, or everybody's."""
    where: list[sa.ColumnElement[bool]] = []
    if request.addresses is not None and caller.is_admin:
        where.append(PRESENCE.c.key.in_(request.addresses))
    elif not _for_all(request, caller):
        where.append(has(PRESENCE.c.followers, caller.id))
    with platform.read() as tx:
        if request.without_avatar:
            found = PRESENCE.records(tx, *where, caller=caller)
            return _several([each.model_copy(update={"avatar": None}) for each in found])
        if where:
            return Listed(PRESENCE, PRESENCE.listed(tx, *where, caller=caller))
        return Listed(PRESENCE, platform.row_cache.listed(PRESENCE, tx, caller))


@handles(SubscribePresence)
def subscribe(request: SubscribePresence, caller: Caller, platform: Platform) -> Stored:
    """Follow an address."""
    return _one(presence.follow(platform, caller, (request.address or caller.address,))[0])


@handles(GetPresence)
def get_presence(request: GetPresence, caller: Caller, platform: Platform) -> Stored:
    """Get one presence."""
    with platform.read() as tx:
        return _one(presence.find(platform, tx, caller, request.address))


def _own(platform: Platform, tx: Transaction, caller: Caller, request: UpdatePresence) -> bool:
    return presence.find(platform, tx, caller, request.address).address == caller.address


@handles(UpdatePresence, related=_own)
def update_presence(request: UpdatePresence, caller: Caller, platform: Platform) -> Stored:
    """Set the caller's own presence."""
    changes = request.model_dump(exclude={"address"}, exclude_unset=True)
    return _one(appearing.update_own(platform, caller, request.address, changes))


@handles(SubscribePresences)
def subscribe_many(request: SubscribePresences, caller: Caller, platform: Platform) -> Stored:
    """Follow several addresses."""
    return _several(presence.follow(platform, caller, request.addresses))


def _one(found: Presence) -> Stored:
    return Stored(PRESENCE, [_body(found)], many=False)


def _several(found: Iterable[Presence]) -> Stored:
    return Stored(PRESENCE, [_body(each) for each in found])


def _body(found: Presence) -> str:
    return found.model_dump_json(by_alias=True, exclude_none=True)
