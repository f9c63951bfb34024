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
from console.records.traffic import Call, CallStatistic, StatisticsSwitch, StatusSummary
from console.service.caller import Caller
from console.service.database import Transaction
from console.service.domain import calls, quality, status
from console.service.domain.calls import CALLS
from console.service.domain.quality import ALARMS
from console.service.handler import Listed, Stored, handles
from console.service.periodic_jobs import every
from console.service.platform import Platform
from console.service.refusal import invalid
from console.service.relation_checks import sees

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
def list_calls(request: ListCalls, caller: Caller, platform: Platform) -> Listed:
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
    # Falling, SQLite puts what is null last; said so, it would not use the index.
    order = CALLS.order if sort is CALLS.c.date else (sort.desc(), *CALLS.order)
    with platform.read() as tx:
        if order is CALLS.order and not where and request.limit is None:
            return Listed(CALLS, platform.row_cache.listed(CALLS, tx, caller))
        return Listed(CALLS, CALLS.listed(tx, *where, caller=caller, order=order, limit=request.limit))


@handles(CreateCall)
def create_call(request: CreateCall, caller: Caller, platform: Platform) -> Call:
    """Record a call that rings."""
    given = Call(
        id=platform.new_id(),
        caller=request.caller,
        callee=request.callee,
        context=request.context,
        anonymous_session_id=request.anonymous_session_id,
        attempts=request.attempts or (),
    )
    return calls.record(platform, caller, given)


@handles(GetCall, related=sees(CALLS))
def get_call(request: GetCall, caller: Caller, platform: Platform) -> Call:
    """Get one call."""
    with platform.read() as tx:
        return CALLS.need(tx, request.id)


@handles(UpdateCall, related=sees(CALLS))
def update_call(request: UpdateCall, caller: Caller, platform: Platform) -> Call:
    """Change the record of a call."""
    changes = request.model_dump(exclude={"id"}, exclude_unset=True)
    return calls.update(platform, request.id, changes)


@handles(StoreStatistic)
def store_statistic(request: StoreStatistic, caller: Caller, platform: Platform) -> Acknowledgement:
    """Store quality counters of a call."""
    ts = None if request.ts is None else int(request.ts)
    stored = quality.store_statistic(platform, caller, request.message, request.payload, ts)
    return Acknowledgement(code=200, message="stored" if stored else "not stored: collection is off for this call")


def _sees_call(platform: Platform, tx: Transaction, caller: Caller, request: EnableStatistics) -> bool:
    return request.call_id is None or sees(CALLS, "call_id")(platform, tx, caller, request)


@handles(EnableStatistics, related=_sees_call)
def enable_statistics(request: EnableStatistics, caller: Caller, platform: Platform) -> StatisticsSwitch:
    """Switch the collection of statistics on or off."""
    if request.call_id is None:
        raise invalid("callid", "is required: statistics are set for one call", "required")
    quality.enable_statistics(platform, caller, request.call_id, request.enable, request.user)
    return StatisticsSwitch.model_validate({"callid": request.call_id, "enable": request.enable})


@handles(GetStatistic, related=sees(CALLS))
def get_statistic(request: GetStatistic, caller: Caller, platform: Platform) -> CallStatistic:
    """Get the latest quality counters of a call."""
    with platform.read() as tx:
        return quality.statistic_of(tx, request.id)


@every(5.0)
def announce_status(platform: Platform) -> None:
    """Tell those who follow the status how it is."""
    status.announce(platform)


@handles(GetStatus)
def get_status(request: GetStatus, caller: Caller, platform: Platform) -> StatusSummary:
    """Say how the service is."""
    with platform.read() as tx:
        return status.summary(platform, tx)


@handles(ListCallAlarms, follows=ALARMS)
def list_alarms(request: ListCallAlarms, caller: Caller, platform: Platform) -> Stored:
    """List the call alarms, the newest first."""
    with platform.read() as tx:
        return Stored(ALARMS, ALARMS.bodies(tx, caller=caller, order=(ALARMS.c.raised.desc(),)))


@handles(GetCallAlarm)
def get_alarm(request: GetCallAlarm, caller: Caller, platform: Platform) -> Stored:
    """Get one call alarm."""
    with platform.read() as tx:
        ALARMS.need(tx, request.id)
        return Stored(ALARMS, [ALARMS.body(tx, request.id) or ""], many=False)
