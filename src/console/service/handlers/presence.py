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
from console.service.auth.caller import Caller
from console.service.domain import appearing, presence
from console.service.domain.presence import PRESENCE
from console.service.events.visibility import has
from console.service.handlers.bindings import given_values
from console.service.handlers.handler import JoinedRecords, Stored, bind, handles
from console.service.platform import Platform
from console.service.store.transaction import Transaction


def _for_all(request: ListPresences, caller: Caller) -> bool:
    """Return whether the request is for the presence of all users."""
    return bool(request.all_users) and caller.is_admin and request.addresses is None


@handles(ListPresences, follows=PRESENCE, seen=lambda request, caller: _for_all(request, caller) or caller.id)
def list_presences(
    request: ListPresences, caller: Caller, platform: Platform, tx: Transaction
) -> Stored | JoinedRecords:
    """List the presence that the caller follows; for an admin the presence of the given addresses, or of all users."""
    where: list[sa.ColumnElement[bool]] = []
    if request.addresses is not None and caller.is_admin:
        where.append(PRESENCE.c.key.in_(request.addresses))
    elif not _for_all(request, caller):
        where.append(has(PRESENCE.c.followers, caller.id))
    if request.without_avatar:
        records = PRESENCE.records(tx, *where, caller=caller)
        return _several(platform, [record.model_copy(update={"avatar": None}) for record in records])
    if where:
        return JoinedRecords(PRESENCE, PRESENCE.listed(tx, *where, caller=caller))
    return JoinedRecords(PRESENCE, platform.row_cache.listed(PRESENCE, tx, caller))


def _own(platform: Platform, tx: Transaction, caller: Caller, request: UpdatePresence) -> bool:
    return presence.find(platform, tx, caller, request.address).address == caller.address


def _one(_: Platform, found: Presence) -> Stored:
    return Stored(PRESENCE, [_body(found)], many=False)


def _several(_: Platform, presences: Iterable[Presence]) -> Stored:
    return Stored(PRESENCE, [_body(each) for each in presences])


def _body(found: Presence) -> str:
    return found.wire_json()


bind(GetPresence, presence.find, answer=_one)
bind(UpdatePresence, appearing.update_own, changes=given_values("address"), related=_own, answer=_one)
bind(SubscribePresences, presence.follow, answer=_several)
bind(
    SubscribePresence,
    presence.follow,
    addresses=lambda request, caller: (request.address or caller.address,),
    answer=lambda platform, found: _one(platform, found[0]),
)
