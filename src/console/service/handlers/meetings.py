"""Handlers for meetings, the time spent in them, and missed calls (contract 4.5)."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from console.api.operations.extensions import ListMissedCalls
from console.api.operations.meetings import (
    CreateMeeting,
    DeleteMeeting,
    GetMeeting,
    GetMeetingByRoom,
    GetTimeInMeetings,
    ListMeetings,
    MarkMissedCallsRead,
    RegisterMissedCall,
    UpdateMeeting,
)
from console.records.meetings import Meeting, TimeSpent
from console.records.responses import Acknowledgement
from console.service.caller import Caller
from console.service.database import Transaction
from console.service.domain import conferences, meetings, missed_calls
from console.service.domain.meetings import MEETINGS
from console.service.domain.missed_calls import MISSED_CALLS
from console.service.handler import Stored, Wire, handles
from console.service.platform import Platform
from console.service.refusal import missing
from console.service.relation_checks import is_self, owns, sees
from console.service.visibility import has

_FIELDS = frozenset({*Meeting.model_fields, "password"})


@handles(ListMeetings)
def list_meetings(request: ListMeetings, caller: Caller, platform: Platform) -> Stored:
    """List meetings in the order they begin."""
    where: list[sa.ColumnElement[bool]] = []
    if not (request.all_users and caller.is_admin):
        own = MEETINGS.c.creator == caller.id
        where.append(sa.or_(own, has(MEETINGS.c.members, caller.id)) if request.all else own)
    if request.valid_until is not None:
        where.append(MEETINGS.c.until < request.valid_until)
    for column, wanted in (
        (MEETINGS.c.language, request.language),
        (MEETINGS.c.phone, request.phone),
        (MEETINGS.c.name, request.name),
    ):
        if wanted is not None:
            where.append(column == wanted)
    with platform.read() as tx:
        return Stored(MEETINGS, MEETINGS.bodies(tx, *where, caller=caller, order=(MEETINGS.c.since,)))


@handles(CreateMeeting, hashes=lambda request: request.password)
def create_meeting(request: CreateMeeting, caller: Caller, platform: Platform) -> Wire:
    """Create a meeting."""
    given = _given(request)
    password = given.pop("password", None)
    return _shown(platform, meetings.create(platform, caller, given, password, request.notify))


@handles(GetMeeting, related=sees(MEETINGS))
def get_meeting(request: GetMeeting, caller: Caller, platform: Platform) -> Wire:
    """Get one meeting."""
    with platform.read() as tx:
        return _shown(platform, MEETINGS.need(tx, request.id))


def _id_of_room(tx: Transaction, room: str) -> str:
    meeting_id = meetings.id_of_room(tx, room)
    if meeting_id is None:
        raise missing("meeting in the room", room)
    return meeting_id


def _sees_room(platform: Platform, tx: Transaction, caller: Caller, request: GetMeetingByRoom) -> bool:
    return MEETINGS.may_see(tx, caller, _id_of_room(tx, request.room_id))


@handles(GetMeetingByRoom, related=_sees_room)
def get_meeting_by_room(request: GetMeetingByRoom, caller: Caller, platform: Platform) -> Wire:
    """Get the meeting of a room."""
    with platform.read() as tx:
        return _shown(platform, MEETINGS.need(tx, _id_of_room(tx, request.room_id)))


@handles(UpdateMeeting, related=owns(MEETINGS, "creator"), hashes=lambda request: request.password)
def update_meeting(request: UpdateMeeting, caller: Caller, platform: Platform) -> Wire:
    """Change a meeting."""
    given = _given(request)
    del given["id"]
    return _shown(platform, meetings.update(platform, request.id, given, request.send_invites))


@handles(DeleteMeeting, related=owns(MEETINGS, "creator"))
def delete_meeting(request: DeleteMeeting, caller: Caller, platform: Platform) -> Acknowledgement:
    """Delete a meeting."""
    meetings.delete(platform, request.id, request.notify)
    return Acknowledgement()


@handles(GetTimeInMeetings)
def time_in_meetings(request: GetTimeInMeetings, caller: Caller, platform: Platform) -> TimeSpent:
    """Add up how long the caller was in conferences."""
    with platform.read() as tx:
        return TimeSpent(expended_time=conferences.time_spent(tx, caller.address, request.from_, request.to))


@handles(RegisterMissedCall, related=is_self("user_id"))
def register_missed_call(request: RegisterMissedCall, caller: Caller, platform: Platform) -> Wire:
    """Register a missed call; its id is said, so that it can be named as the last one read."""
    missed = missed_calls.register(platform, request.user_id, request.from_, request.meta)
    return Wire({"code": 200, "message": "registered", "id": missed.id})


@handles(MarkMissedCallsRead, related=is_self("user_id"))
def mark_missed_calls_read(request: MarkMissedCallsRead, caller: Caller, platform: Platform) -> Acknowledgement:
    """Mark missed calls as read."""
    count = missed_calls.mark_read(platform, request.user_id, request.last)
    return Acknowledgement(code=200, message=f"{count} missed calls marked as read")


def _shown(platform: Platform, meeting: Meeting) -> Wire:
    return Wire(MEETINGS.as_shown(meeting.wire(), platform.variant))


def _given(request: CreateMeeting | UpdateMeeting) -> dict[str, Any]:
    """Return what was given of a meeting, as the records it came in."""
    return {name: getattr(request, name) for name in request.model_fields_set if name in _FIELDS}


@handles(ListMissedCalls)
def list_missed_calls(request: ListMissedCalls, caller: Caller, platform: Platform) -> Stored:
    """List missed calls, the newest first; of the same moment the one that was registered last."""
    where: list[sa.ColumnElement[bool]] = []
    if request.user is not None:
        where.append(MISSED_CALLS.c.user == request.user)
    if request.unread is not None:
        where.append(MISSED_CALLS.c.read != request.unread)
    created = sa.func.json_extract(MISSED_CALLS.c.body, "$.createdAt")
    order = (created.desc(), MISSED_CALLS.c.number.desc())
    with platform.read() as tx:
        return Stored(MISSED_CALLS, MISSED_CALLS.bodies(tx, *where, caller=caller, order=order, limit=request.limit))
