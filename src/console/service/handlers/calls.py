"""Handlers for calls, their quality, and the status summary (contract 4.5)."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from console.api.operations.traffic import (
    CreateCall,
    EnableStatistics,
    GetCall,
    GetCallAlarm,
    GetStatistic,
    GetStatus,
    ListCallAlarms,
    ListCalls,
    StoreStatistic,
    UpdateCall,
)
from console.records.responses import Acknowledgement
from console.records.traffic import Call, StatisticsSwitch
from console.service.auth.caller import Caller
from console.service.auth.relation_checks import sees
from console.service.domain import calls, quality, status
from console.service.domain.calls import CALLS
from console.service.domain.quality import ALARMS
from console.service.handlers.bindings import gets, given_values, lists
from console.service.handlers.handler import JoinedRecords, bind, handles
from console.service.periodic_jobs import every
from console.service.platform import Platform
from console.service.refusal import invalid
from console.service.store.transaction import Transaction

_SORTABLE: dict[str, sa.ColumnElement[Any]] = {
    "id": CALLS.c.key,
    "date": CALLS.c.date,
    "from": CALLS.c.from_,
    "to": CALLS.c.to,
    "caller": CALLS.c.caller,
    "calle": CALLS.c.callee,
    "callee": CALLS.c.callee,
    "target": CALLS.c.target,
    "state": CALLS.c.state,
    "queueposition": CALLS.c.queueposition,
}


@handles(ListCalls, follows=CALLS)
def list_calls(request: ListCalls, caller: Caller, platform: Platform, tx: Transaction) -> JoinedRecords:
    """List calls in descending order of a field, by default the newest first."""
    sort = _SORTABLE.get(request.sort_by or "date")
    if sort is None:
        raise invalid("sortBy", f"must be one of {', '.join(_SORTABLE)}", "enum")
    where: list[sa.ColumnElement[bool]] = []
    if request.after is not None:
        where.append(CALLS.c.date > request.after)
    if request.before is not None:
        where.append(CALLS.c.date < request.before)
    for column, wanted in (
        (CALLS.c.caller, request.caller),
        (CALLS.c.callee, request.callee),
        (CALLS.c.target, request.target),
        (CALLS.c.queueposition, request.queue_position),
    ):
        if wanted is not None:
            where.append(column == wanted)
    # SQLite sorts nulls last in descending order; stating it would prevent the use of the index.
    order = CALLS.order if sort is CALLS.c.date else (sort.desc(), *CALLS.order)
    if order is CALLS.order and not where and request.limit is None:
        return JoinedRecords(CALLS, platform.row_cache.listed(CALLS, tx, caller))
    return JoinedRecords(CALLS, CALLS.listed(tx, *where, caller=caller, order=order, limit=request.limit))


@handles(CreateCall)
def create_call(request: CreateCall, caller: Caller, platform: Platform) -> Call:
    """Record a ringing call."""
    given = Call(
        id=platform.new_id(),
        caller=request.caller,
        callee=request.callee,
        context=request.context,
        anonymous_session_id=request.anonymous_session_id,
        attempts=request.attempts or (),
    )
    return calls.record(platform, caller, given)


def _sees_call(tx: Transaction, caller: Caller, request: EnableStatistics) -> bool:
    return request.call_id is None or sees(CALLS, "call_id")(tx, caller, request)


@handles(EnableStatistics, related=_sees_call)
def enable_statistics(request: EnableStatistics, caller: Caller, platform: Platform) -> StatisticsSwitch:
    """Enable or disable the collection of statistics."""
    if request.call_id is None:
        raise invalid("callid", "is required: statistics are set for one call", "required")
    quality.enable_statistics(platform, caller, request.call_id, request.enable, request.user)
    return StatisticsSwitch.model_validate({"callid": request.call_id, "enable": request.enable})


@every(5.0)
def announce_status(platform: Platform) -> None:
    """Send the status to its subscribers."""
    status.announce(platform)


def _stored(_: Platform, stored: bool) -> Acknowledgement:
    return Acknowledgement(message="stored" if stored else "not stored: collection is off for this call")


bind(GetCall, CALLS.need, key="id", related=sees(CALLS))
bind(UpdateCall, calls.update, call_id="id", changes=given_values("id"), related=sees(CALLS))
bind(GetStatistic, quality.statistic_of, call_id="id", related=sees(CALLS))
bind(
    StoreStatistic,
    quality.store_statistic,
    ts=lambda request, _: None if request.ts is None else int(request.ts),
    answer=_stored,
)
bind(ListCallAlarms, lists(ALARMS, ALARMS.c.raised.desc()), follows=ALARMS)
bind(GetCallAlarm, gets(ALARMS), key="id")
bind(GetStatus, status.summary)
