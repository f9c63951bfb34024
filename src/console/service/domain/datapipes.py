"""Datapipes: channels on which users send data to each other (contract 2.12, 4.7).

Participants receive all data in order, on the event topic `datapipes`. A datapipe stores only the newest data. A
participant has connected, has rejected (or left, which is the same), or has not answered. With fewer than two
participants who have not rejected, the datapipe is finished.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any, cast

import sqlalchemy as sa

from console.records.datapipes import Datapipe, PipedData
from console.records.people import User
from console.service.auth.caller import Caller
from console.service.domain.people import USERS
from console.service.domain.relations import user_id_of
from console.service.domain.sessions import SESSIONS
from console.service.events.visibility import Admins, Among, AnyOf, by_address
from console.service.platform import Platform
from console.service.refusal import conflict, invalid
from console.service.store.documents import Documents
from console.service.store.transaction import Transaction

MOST_DATA = 16 * 1024
"""Most characters of data that a datapipe stores, to keep events small."""
KEEP_MS = 24 * 3600 * 1000
"""How long a datapipe is stored after its last use."""


def is_finished(pipe: Datapipe) -> bool:
    """Return whether fewer than two participants are left."""
    return len(set(pipe.participants) - set(pipe.rejected)) < 2


DATAPIPES = Documents(
    "datapipes",
    Datapipe,
    columns=(
        sa.Column("participants", sa.JSON, nullable=False),
        sa.Column("finished", sa.Boolean, nullable=False, index=True),
        sa.Column("sessions", sa.JSON, nullable=False, default=dict),
        sa.Column("touched", sa.Integer, nullable=False, default=0, index=True),
    ),
    extract=lambda pipe: {"participants": list(pipe.participants), "finished": is_finished(pipe)},
    rule=AnyOf(Admins(), Among("participants", by_address)),
)
"""`sessions` maps addresses to the sessions that are connected."""


def create(platform: Platform, caller: Caller, label: str | None, participants: Sequence[str] = ()) -> Datapipe:
    """Open a datapipe between the caller and others; refuse with 400 addresses of users that the caller cannot see."""
    with platform.write() as tx:
        others = [address for address in dict.fromkeys(participants) if address != caller.address]
        if not others:
            raise invalid("participants", "must name somebody else", "minItems")
        users = USERS.get_many(tx, [user_id_of(address) or "" for address in participants])
        for number, address in enumerate(participants):
            if not _may_be_asked(users.get(user_id_of(address) or ""), caller):
                raise invalid(f"participants.{number}", "is not the address of a user", "reference")
        pipe = Datapipe(
            id=platform.new_id(),
            label=label,
            participants=(caller.address, *others),
            connected=(caller.address,),
        )
        _put(tx, pipe, {caller.address: caller.session_id} if caller.session_id else {})
        return pipe


def _may_be_asked(user: User | None, caller: Caller) -> bool:
    """Return whether the caller may invite the user: a user of the same domain, or a guest."""
    return user is not None and (caller.is_admin or user.domain == caller.domain or user.role == "anonymous")


def send(platform: Platform, caller: Caller, pipe_id: str, data: str) -> None:
    """Send data to all participants. Refuse with 409 if the datapipe is finished or the caller is not connected."""
    with platform.write() as tx:
        pipe = _open(tx, pipe_id)
        if caller.address not in pipe.connected:
            raise conflict("connect to the datapipe first")
        entry = PipedData(data=data, at=tx.now).model_copy(update={"from_": caller.address})
        _put(tx, pipe.model_copy(update={"data": _newest((*pipe.data, entry.wire()))}))


def connect(platform: Platform, caller: Caller, pipe_id: str, session_id: str) -> Datapipe:
    """Connect the caller, with an active session of the caller; refuse others with 400."""
    with platform.write() as tx:
        pipe = _open(tx, pipe_id)
        session = SESSIONS.row(tx, session_id)
        if session is None or session.user != caller.id:
            raise invalid("session", "is not an active session of yours", "reference")
        changed = pipe.model_copy(
            update={
                "connected": _with(pipe.connected, caller.address),
                "rejected": _without(pipe.rejected, caller.address),
            }
        )
        _put(tx, changed, {**_sessions_of(tx, pipe_id), caller.address: session_id})
        return changed


def reject(platform: Platform, caller: Caller, pipe_id: str) -> Datapipe:
    """Reject a datapipe, or leave it."""
    with platform.write() as tx:
        return _leave(tx, _open(tx, pipe_id), caller.address)


def _leave(tx: Transaction, pipe: Datapipe, address: str) -> Datapipe:
    changed = _left(pipe, address)
    sessions = _sessions_of(tx, pipe.id)
    _put(tx, changed, {member: session for member, session in sessions.items() if member != address})
    return changed


def _left(pipe: Datapipe, address: str) -> Datapipe:
    return pipe.model_copy(
        update={"connected": _without(pipe.connected, address), "rejected": _with(pipe.rejected, address)}
    )


def _live_sessions(tx: Transaction, rows: Sequence[sa.Row[Any]]) -> set[str]:
    """Return the active sessions of the participants of datapipes."""
    named = {session for row in rows for session in cast("dict[str, str]", row.sessions).values()}
    return {row.key for row in SESSIONS.rows(tx, named)}


def _drop_ended(tx: Transaction, rows: Sequence[sa.Row[Any]]) -> None:
    """Remove all participants whose session has ended from datapipes in progress."""
    live, now, changed = _live_sessions(tx, rows), tx.now, list[Datapipe]()
    kept: dict[str, dict[str, str]] = {}
    for row in rows:
        pipe = DATAPIPES.read(row.body)
        if is_finished(pipe):
            continue
        sessions = cast("dict[str, str]", row.sessions)
        kept[row.key] = {address: session for address, session in sessions.items() if session in live}
        changed.append(reduce(_left, sorted(sessions.keys() - kept[row.key].keys()), pipe))
    DATAPIPES.put_many(tx, changed, touched=dict.fromkeys(kept, now), sessions=kept)


def _open(tx: Transaction, pipe_id: str) -> Datapipe:
    pipe = DATAPIPES.need(tx, pipe_id)
    if is_finished(pipe):
        raise conflict("the datapipe is finished")
    return pipe


def _put(tx: Transaction, pipe: Datapipe, sessions: dict[str, str] | None = None) -> None:
    columns: dict[str, Any] = {"touched": tx.now} if sessions is None else {"touched": tx.now, "sessions": sessions}
    DATAPIPES.put(tx, pipe, **columns)


def _sessions_of(tx: Transaction, pipe_id: str) -> dict[str, str]:
    row = DATAPIPES.row(tx, pipe_id)
    return {} if row is None else cast("dict[str, str]", row.sessions)


def _newest(entries: Sequence[Any]) -> tuple[Any, ...]:
    """Return the newest entries that fit the limit, and at least the last one."""
    room = MOST_DATA
    for number, entry in enumerate(reversed(entries)):
        room -= len(str(entry.get("data", "")))
        if room < 0:
            return tuple(entries[len(entries) - max(1, number) :])
    return tuple(entries)


def _with(addresses: Sequence[str], address: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*addresses, address)))


def _without(addresses: Sequence[str], address: str) -> tuple[str, ...]:
    return tuple(each for each in addresses if each != address)


def leave_with_session(platform: Platform) -> None:
    """Remove participants whose session has ended, and delete datapipes unused for a day. Called every few seconds."""
    with platform.read() as tx:
        rows = tx.rows(sa.select(DATAPIPES.c.key, DATAPIPES.c.sessions).where(~DATAPIPES.c.finished))
        live = _live_sessions(tx, rows)
        gone = [row.key for row in rows if not live >= {*cast("dict[str, str]", row.sessions).values()}]
        unused = DATAPIPES.count(tx, DATAPIPES.c.touched <= tx.now - KEEP_MS)
    if gone or unused:
        with platform.write() as tx:
            # Read again: another node may have connected somebody meanwhile.
            _drop_ended(tx, DATAPIPES.rows(tx, gone))
            old = sa.select(DATAPIPES.c.key).where(DATAPIPES.c.touched <= tx.now - KEEP_MS)
            DATAPIPES.remove_many(tx, tx.run(old).scalars().all())
