"""Call quality: statistics sent by clients, and alarms raised by rules (contract 2.7, 2.8, 4.5)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

import sqlalchemy as sa

from console.records.traffic import (
    AlarmCondition,
    Call,
    CallAlarm,
    CallAlarmPayload,
    CallStatistic,
    SsrcStat,
    SsrcStats,
)
from console.service.auth.caller import Caller
from console.service.domain.calls import CALLS
from console.service.domain.relations import user_id_of
from console.service.events.visibility import Admins
from console.service.platform import Platform
from console.service.refusal import forbidden, invalid, missing
from console.service.store.documents import Documents
from console.service.store.outbox import metadata
from console.service.store.transaction import Transaction

ALARMS = Documents(
    "alarms",
    CallAlarm,
    columns=(
        sa.Column("call", sa.Text, index=True),
        sa.Column("raised", sa.Integer, nullable=False, index=True),
    ),
    extract=lambda alarm: {
        "call": alarm.payload.call_id if alarm.payload else None,
        "raised": int(alarm.timestamp or 0),
    },
    rule=Admins(),
    singular="call alarm",
)

statistics = sa.Table(
    "statistics",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("call", sa.Text, nullable=False, index=True),
    sa.Column("at", sa.Integer, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
)

LOSS_LIMIT = 0.05
"""Share of lost packets that raises an alarm."""

_LOSS_RULE = AlarmCondition(
    id="packet-loss", section="ssrc", value="packetsLost", cond=">", threshold=LOSS_LIMIT, relative=True
)


def store_statistic(
    platform: Platform, caller: Caller, message: str | None, payload: Mapping[str, Any] | None, ts: int | None
) -> bool:
    """Store the counters of the call `payload.callid`, and raise an alarm if they are bad.

    Return whether they were stored: not while the collection is disabled for the call, or for the caller in it. Refuse
    with 404 an unknown call, with 403 a call of others, with 400 invalid counters.
    """
    given = dict(payload or {})
    call_id = given.pop("callid", None) or given.pop("callId", None)
    if call_id is not None and not isinstance(call_id, str):
        raise invalid("payload.callid", "must be a text", "type")
    try:
        counters = SsrcStats.model_validate(given, context={"strict": True})
    except ValueError:
        raise invalid("payload", "contains invalid counters", "type") from None
    with platform.write() as tx:
        if call_id is not None:
            CALLS.need_row(tx, call_id)
            if not CALLS.may_see(tx, caller, call_id):
                raise forbidden("only call participants and admins can send counters of a call")
            if not _collects(CALLS.need(tx, call_id), caller.id):
                return False
        record = CallStatistic(
            domain=caller.domain,
            user=caller.id,
            service="call",
            type=message,
            timestamp=tx.now,
            payload=counters,
            ts=tx.now if ts is None else ts,
        )
        add_statistic(tx, call_id or "", record)
        if call_id is not None:
            _check(platform, tx, call_id, record)
        return True


def add_statistic(tx: Transaction, call_id: str, record: CallStatistic) -> None:
    """Store counters of a call unchanged."""
    at = int(record.timestamp or tx.now)
    body = record.wire_json()
    tx.run(sa.insert(statistics).values(call=call_id, at=at, body=body))


def statistic_of(tx: Transaction, call_id: str) -> CallStatistic:
    """Return the latest counters of a call; refuse with 404 if there are none."""
    CALLS.need_row(tx, call_id)
    latest = sa.select(statistics.c.body).where(statistics.c.call == call_id).order_by(statistics.c.id.desc())
    body = tx.value(latest.limit(1))
    if body is None:
        raise missing("statistic of the call", call_id)
    return CallStatistic.model_validate_json(body)


def enable_statistics(platform: Platform, caller: Caller, call_id: str, enable: bool, user: str | None) -> None:
    """Enable or disable the collection of statistics for a call, or for one user in it.

    The setting is `data.statistics` of the call: `enabled` for all users, except those in `users`. Changing it for the
    whole call deletes the exceptions.
    """
    with platform.write() as tx:
        call = CALLS.need(tx, call_id)
        switch: dict[str, Any] = {"enabled": enable, "by": caller.id, "changedAt": tx.now}
        if user is not None:
            before = _switch_of(call)
            users = {**before.get("users", {}), user_id_of(user) or user: enable}
            switch |= {"enabled": before.get("enabled", True), "users": users}
        CALLS.put(tx, call.model_copy(update={"data": {**(call.data or {}), "statistics": switch}}))


def _switch_of(call: Call) -> dict[str, Any]:
    found = (call.data or {}).get("statistics")
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def _collects(call: Call, user: str) -> bool:
    """Return whether the statistics of a user in a call are collected; by default they are."""
    switch = _switch_of(call)
    users = switch.get("users")
    own = cast("dict[str, Any]", users).get(user) if isinstance(users, dict) else None
    return bool(switch.get("enabled", True) if own is None else own)


def raise_alarm(platform: Platform, tx: Transaction, call_id: str, domain: str, counters: SsrcStats) -> CallAlarm:
    """Raise an alarm about lost packets of a call."""
    share = max((loss_of(ssrc_stat) for ssrc_stat in counters.ssrc), default=0.0)
    alarm = CallAlarm(
        id=platform.new_id(),
        domain=domain,
        urgency="critical" if share > 3 * LOSS_LIMIT else "major" if share > 2 * LOSS_LIMIT else "minor",
        type="call",
        timestamp=tx.now,
        payload=CallAlarmPayload.model_validate({"callid": call_id, "value": counters, "alarm": _LOSS_RULE}),
    )
    put_alarm(tx, alarm)
    return alarm


def prune(platform: Platform, keep: int) -> None:
    """Delete the oldest alarms, so that `keep` remain, and the counters of deleted calls."""
    with platform.write() as tx:
        surplus = ALARMS.count(tx) - keep
        if surplus > 0:
            oldest = sa.select(ALARMS.c.key).order_by(ALARMS.c.raised, ALARMS.c.key).limit(surplus)
            ALARMS.remove_many(tx, tx.run(oldest).scalars().all())
        tx.run(sa.delete(statistics).where(statistics.c.call.not_in(sa.select(CALLS.c.key))))


def put_alarm(tx: Transaction, alarm: CallAlarm) -> None:
    """Store an alarm with the field names that alarms have on the wire (`packetesReceived`, contract 2.7)."""
    wire = alarm.wire()
    streams = cast("list[dict[str, Any]]", wire.get("payload", {}).get("value", {}).get("ssrc", []))
    for stream in streams:
        if "packetsReceived" in stream:
            stream["packetesReceived"] = stream.pop("packetsReceived")
    ALARMS.put(tx, alarm, body=json.dumps(wire, separators=(",", ":"), ensure_ascii=False))


def loss_of(stream: SsrcStat) -> float:
    """Return the share of a stream's packets that were lost, from 0 to 1."""
    lost = float(stream.packets_lost or 0)
    expected = float(stream.packets_received or 0) + lost
    return lost / expected if expected > 0 else 0.0


def _check(platform: Platform, tx: Transaction, call_id: str, record: CallStatistic) -> None:
    if record.payload is not None and any(loss_of(ssrc_stat) > LOSS_LIMIT for ssrc_stat in record.payload.ssrc):
        raise_alarm(platform, tx, call_id, record.domain or "", record.payload)
