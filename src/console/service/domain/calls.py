"""Calls: their records, their queues, and the people who are on them (contract 2.6, 4.5).

A live call is `ringing`, `queued` or `connected`; an ended one has a state of `ENDED`. `target` of a queued call is its
queue, which is a skill, and `queueposition` its position, from 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

import sqlalchemy as sa

from console.records.traffic import Call
from console.service.auth.caller import Caller
from console.service.domain import agents, appearing, permissions, presence, recorded
from console.service.domain.people import USERS
from console.service.domain.relations import address_of, user_id_of, whole
from console.service.events.visibility import Admins, Among, AnyOf, by_address, has
from console.service.platform import Platform
from console.service.refusal import forbidden
from console.service.store.documents import Documents
from console.service.store.outbox import metadata
from console.service.store.transaction import Transaction

LIVE = ("ringing", "queued", "connected")
ENDED = ("rejected", "busy", "noanswer", "cancelled", "ended", "servererror")


def _people(call: Call) -> list[str]:
    addresses = [value for value in (call.caller, call.callee) if value]
    return list(dict.fromkeys([*addresses, *(address_of(user) for user in call.users)]))


CALLS = Documents(
    "calls",
    Call,
    columns=(
        sa.Column("date", sa.Integer, nullable=False),
        sa.Column("from_", sa.Integer),
        sa.Column("to", sa.Integer, index=True),
        sa.Column("caller", sa.Text, index=True),
        sa.Column("callee", sa.Text, index=True),
        sa.Column("target", sa.Text, index=True),
        sa.Column("state", sa.Text, index=True),
        sa.Column("queueposition", sa.Float),
        sa.Column("people", sa.JSON, nullable=False),
    ),
    extract=lambda call: {
        "date": int(call.date or 0),
        "from_": whole(call.from_),
        "to": whole(call.to),
        "caller": call.caller,
        "callee": call.callee,
        "target": call.target,
        "state": call.state,
        "queueposition": None if call.queue_position is None else float(call.queue_position),
        "people": _people(call),
    },
    rule=AnyOf(Admins(), Among("people", by_address)),
    order_desc="date",
)

sa.Index("calls_newest_first", CALLS.c.date.desc(), CALLS.c.key)

call_dates = sa.Table(
    "call_dates",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("date", sa.Integer, nullable=False, index=True),
)
"""Start times of all calls ever recorded. The status summary counts them after the calls are deleted."""


def record(platform: Platform, caller: Caller, call: Call) -> Call:
    """Record a new, ringing call. The default of `caller` is the requesting user.

    Refuse with 403 if the requesting user is neither an admin nor part of the call.
    """
    with platform.write():
        asked = call.model_copy(update={"caller": call.caller or caller.address})
        if not caller.is_admin and caller.address not in {asked.caller, asked.callee}:
            raise forbidden("only admins can record calls of others")
        sessions = (caller.session_id,) if caller.session_id and caller.address in {asked.caller, asked.callee} else ()
        return begin(platform, asked.model_copy(update={"sessions": sessions}))


def begin(platform: Platform, call: Call) -> Call:
    """Store a new call with its times, and with the users of its addresses."""
    with platform.write() as tx:
        users = [user for user in (user_id_of(call.caller), user_id_of(call.callee)) if user]
        call = call.model_copy(
            update={
                "date": tx.now,
                "from_": tx.now,
                "state": call.state or "ringing",
                "users": tuple(dict.fromkeys((*call.users, *users))),
            }
        )
        CALLS.put(tx, call)
        note_dates(tx, [tx.now])
        return call


def note_dates(tx: Transaction, dates: Iterable[int]) -> None:
    """Count calls that started at these times, in ms since the epoch."""
    rows = [{"date": date} for date in dates]
    if rows:
        tx.run(sa.insert(call_dates), rows)


def update(platform: Platform, call_id: str, changes: Mapping[str, Any]) -> Call:
    """Change the given fields of a call. A state that ends or revives the call changes the dependent fields too."""
    with platform.write() as tx:
        call = CALLS.need(tx, call_id)
        known_changes = {name: value for name, value in changes.items() if value is not None}
        was = call.state
        changed = call.model_copy(update=known_changes)
        if changed.state in ENDED and was not in ENDED:
            return _end(platform, tx, changed, str(changed.state), None)
        if changed.state not in ENDED and was in ENDED:
            changed = changed.model_copy(update={"to": None})
        if was == "queued" and changed.state != "queued" and "queue_position" not in known_changes:
            changed = changed.model_copy(update={"queue_position": None})
        if changed.state == "connected" != was:
            changed = _recorded_always(tx, changed)
        CALLS.put(tx, changed)
        if changed.state == "queued" or was == "queued":
            close_up(tx, changed.target, first=call_id if "queue_position" in known_changes else None)
        return CALLS.need(tx, call_id)


# -- events of calls -------------------------------------------------------------------------------------------------


def enqueue(platform: Platform, call_id: str, queue: str) -> Call:
    """Append a call to a queue."""
    with platform.write() as tx:
        call = CALLS.need(tx, call_id)
        waiting = CALLS.count(tx, CALLS.c.target == queue, CALLS.c.state == "queued")
        call = call.model_copy(update={"state": "queued", "target": queue, "queue_position": waiting + 1})
        CALLS.put(tx, call)
        return call


def close_up(tx: Transaction, queue: str | None, first: str | None = None) -> None:
    """Number the calls of a queue from 1, in their order. At equal positions, the call `first` comes first."""
    if queue is None:
        return
    waiting = CALLS.records(tx, CALLS.c.target == queue, CALLS.c.state == "queued")
    last = float("inf")
    ordered = sorted(
        waiting,
        key=lambda call: (
            last if call.queue_position is None else call.queue_position,
            call.id != first,
            call.date or 0,
            call.id,
        ),
    )
    CALLS.put_many(
        tx,
        [
            call.model_copy(update={"queue_position": place})
            for place, call in enumerate(ordered, 1)
            if call.queue_position != place
        ],
    )


def ring(platform: Platform, call_id: str, address: str) -> Call:
    """Call an address: add an attempt, open until `connect`, `attempt_failed` or `end`."""
    with platform.write() as tx:
        call = CALLS.need(tx, call_id)
        attempt = {"address": address, "from": tx.now, "state": "ringing"}
        call = call.model_copy(update={"attempts": (*call.attempts, attempt)})
        CALLS.put(tx, call)
        return call


def attempt_failed(platform: Platform, call_id: str, state: str, reason: str) -> Call:
    """Close the open attempt of a continuing call, with the reason of the failure."""
    with platform.write() as tx:
        call = CALLS.need(tx, call_id)
        call = call.model_copy(update={"attempts": _closed(call.attempts, state, reason, tx.now)})
        CALLS.put(tx, call)
        return call


def connect(platform: Platform, call_id: str, address: str) -> Call:
    """Connect a call to an address: remove it from its queue, and set its users and agents to on a call."""
    with platform.write() as tx:
        call = CALLS.need(tx, call_id)
        queue = call.target if call.state == "queued" else None
        user = user_id_of(address)
        users = (*call.users, user) if user else call.users
        call = call.model_copy(
            update={
                "state": "connected",
                "callee": address,
                "queue_position": None,
                "users": tuple(dict.fromkeys(users)),
                "attempts": _answered(call.attempts, address, tx.now),
            }
        )
        call = _recorded_always(tx, call)
        CALLS.put(tx, call)
        close_up(tx, queue)
        channel: agents.Channel = "c2c" if (call.data or {}).get("channel") == "c2c" else "voice"
        for user_id in call.users:
            others = [address for address in _people(call) if address != address_of(user_id)]
            agents.take_up(platform, user_id, channel, call.id, others)
            if presence.activity_of(tx, user_id) != "offline":
                appearing.set_activity(platform, user_id, "oncall")
        return call


def end(platform: Platform, call_id: str, state: str, reason: str | None = None) -> Call:
    """End a call with a state of `ENDED`: renumber its queue, free its users, stop its recording."""
    with platform.write() as tx:
        return _end(platform, tx, CALLS.need(tx, call_id), state, reason)


def _end(platform: Platform, tx: Transaction, call: Call, state: str, reason: str | None) -> Call:
    data = dict(call.data or {})
    recording = recording_of(call)
    if recording.get("active"):
        data["recording"] = {**recording, "active": False, "stoppedAt": tx.now}
        recorded.keep(platform, tx, call, data["recording"])
    if reason is not None:
        data["reason"] = reason
    ended = call.model_copy(
        update={
            "state": state,
            "to": tx.now,
            "queue_position": None,
            "data": data or None,
            "attempts": _closed(call.attempts, state, reason, tx.now),
        }
    )
    CALLS.put(tx, ended)
    if call.queue_position is not None:
        close_up(tx, call.target)
    for user in call.users:
        release(platform, tx, user, call.id)
    return ended


def release(platform: Platform, tx: Transaction, user_id: str, call_id: str) -> None:
    """Remove a call from a user, and make the user available if there is no other call."""
    for channel in ("voice", "c2c"):
        agents.put_down(platform, user_id, channel, call_id)
    if presence.activity_of(tx, user_id) != "oncall":
        return
    others = has(CALLS.c.people, address_of(user_id))
    if not CALLS.count(tx, CALLS.c.state == "connected", CALLS.c.key != call_id, others):
        appearing.set_activity(platform, user_id, "available")


def prune(platform: Platform, keep: int) -> int:
    """Delete the calls that ended first, so that about `keep` calls remain. Return the number of deleted calls."""
    with platform.write() as tx:
        surplus = CALLS.count(tx) - keep
        if surplus <= 0:
            return 0
        oldest = sa.select(CALLS.c.key).where(CALLS.c.to.is_not(None)).order_by(CALLS.c.to, CALLS.c.key)
        gone: Sequence[str] = tx.run(oldest.limit(surplus)).scalars().all()
        CALLS.remove_many(tx, gone)
        return len(gone)


def _recorded_always(tx: Transaction, call: Call) -> Call:
    """Return a newly connected call, with a started recording if the permissions of one of its users require it."""
    if recording_of(call).get("active"):
        return call
    for user in filter(None, (USERS.get(tx, user_id) for user_id in call.users)):
        if permissions.records_always(tx, user):
            recording = recorded.begun(tx.now, f"call-{call.id}.wav", user.id)
            return call.model_copy(update={"data": {**(call.data or {}), "recording": recording}})
    return call


def recording_of(call: Call) -> dict[str, Any]:
    """Return the recording of a call: `active`, `filename`, `startedAt`, `stoppedAt`. Empty without a recording."""
    recording = (call.data or {}).get("recording")
    return cast("dict[str, Any]", recording) if isinstance(recording, dict) else {}


def _answered(attempts: tuple[dict[str, Any], ...], address: str, now: int) -> tuple[dict[str, Any], ...]:
    if attempts and "to" not in attempts[-1] and attempts[-1].get("address") == address:
        return (*attempts[:-1], {**attempts[-1], "state": "connected", "answeredAt": now})
    return (*attempts, {"address": address, "from": now, "state": "connected", "answeredAt": now})


def _closed(
    attempts: tuple[dict[str, Any], ...], state: str, reason: str | None, now: int
) -> tuple[dict[str, Any], ...]:
    if not attempts or "to" in attempts[-1]:
        return attempts
    closed = {**attempts[-1], "to": now, "state": state}
    if reason is not None:
        closed["reason"] = reason
    return (*attempts[:-1], closed)
