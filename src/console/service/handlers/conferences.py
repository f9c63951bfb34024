"""Handlers for conferences (contract 4.5)."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from console.api.operations.traffic import (
    GetConference,
    ListConferences,
    ListConferencesAsObject,
    PageConferences,
    UpdateConference,
    UpdateConferenceAndNotify,
)
from console.records.traffic import Conference
from console.service.auth.caller import Caller
from console.service.auth.relation_checks import sees
from console.service.domain import conferences
from console.service.domain.conferences import CONFERENCES
from console.service.handlers.handler import JoinedRecords, StoredPage, bind, handles
from console.service.platform import Platform
from console.service.refusal import invalid
from console.service.store.paging import page_of
from console.service.store.transaction import Transaction

_SORTABLE: dict[str, sa.ColumnElement[Any]] = {
    "createdAt": CONFERENCES.c.created,
    "finishedAt": CONFERENCES.c.finished,
    "state": CONFERENCES.c.state,
    "roomId": CONFERENCES.c.room,
    "id": CONFERENCES.c.key,
}


@handles(ListConferences, ListConferencesAsObject, follows=CONFERENCES)
def list_conferences(
    request: ListConferences | ListConferencesAsObject, caller: Caller, tx: Transaction
) -> JoinedRecords:
    """Filter and sort. `lastItem` (creation time of the previous page's last conference) and `lastMatch` continue a
    list.

    `lastMatch` is the value of the sort field, if it is another time than the creation.
    """
    name, _, direction = (request.sort_by or "createdAt.desc").partition(".")
    sort = _SORTABLE.get(name)
    if sort is None:
        raise invalid("sortBy", f"must sort by one of {', '.join(_SORTABLE)}", "enum")
    created, order_desc = CONFERENCES.c.created, direction == "desc"
    where: list[sa.ColumnElement[bool]] = []
    for bound in (request.created_at, request.created_at_before):
        if bound is not None:
            where.append(created < bound)
    for bound in (request.created_at_since, request.created_after):
        if bound is not None:
            where.append(created >= bound)
    if request.state is not None:
        where.append(CONFERENCES.c.state == request.state)
    if request.room_id is not None:
        where.append(CONFERENCES.c.room == request.room_id)
    if request.last_match is not None and request.last_item is not None and name == "finishedAt":
        place, last = sa.tuple_(sort, created), sa.tuple_(request.last_match, request.last_item)
        where.append(place < last if order_desc else place > last)
    elif request.last_item is not None:
        where.append(created < request.last_item if order_desc else created > request.last_item)
    order = (sort.desc(), created.desc()) if order_desc else (sort.asc(), created.asc())
    limit = None if request.limit is None else min(int(request.limit), 2**31)
    return JoinedRecords(CONFERENCES, CONFERENCES.listed(tx, *where, caller=caller, order=order, limit=limit))


@handles(PageConferences)
def page_conferences(request: PageConferences, caller: Caller, platform: Platform) -> StoredPage:
    """List conferences in pages."""
    return page_of(
        CONFERENCES, request, caller, platform, sort=CONFERENCES.c.created, descending=request.sort.startswith("-")
    )


def _in_conference(tx: Transaction, caller: Caller, request: UpdateConference | UpdateConferenceAndNotify) -> bool:
    """Return whether the caller is in the conference, or in the new one of the request."""
    log = request.conference_log
    if log is None:
        return True  # refused as such by the answer
    if CONFERENCES.row(tx, log.id) is None:
        return caller.address in conferences.people_in(log)
    return CONFERENCES.may_see(tx, caller, log.id)


def _log_of(request: UpdateConference | UpdateConferenceAndNotify, _: Caller) -> Conference:
    if request.conference_log is None:
        raise invalid("conferenceLog", "is required", "required")
    return request.conference_log


bind(GetConference, CONFERENCES.need, key="id", related=sees(CONFERENCES))
bind(UpdateConference, conferences.store, log=_log_of, related=_in_conference)
bind(UpdateConferenceAndNotify, conferences.store, log=_log_of, tell="svc_uris", related=_in_conference)
