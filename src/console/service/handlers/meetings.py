"""Handlers for meetings, the time spent in them, and missed calls (contract 4.5)."""

from __future__ import annotations

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
from console.service.auth.caller import Caller
from console.service.auth.relation_checks import is_self, owns, sees
from console.service.domain import conferences, meetings, missed_calls
from console.service.domain.meetings import MEETINGS
from console.service.domain.missed_calls import MISSED_CALLS
from console.service.events.visibility import has
from console.service.handlers.bindings import given
from console.service.handlers.handler import Stored, Wire, bind, handles
from console.service.platform import Platform
from console.service.refusal import missing
from console.service.store.json_sql import number_at
from console.service.store.transaction import Transaction


@handles(ListMeetings)
def list_meetings(request: ListMeetings, caller: Caller, tx: Transaction) -> Stored:
    """List meetings by start time."""
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
    return Stored(MEETINGS, MEETINGS.bodies(tx, *where, caller=caller, order=(MEETINGS.c.since,)))


def _id_of_room(tx: Transaction, room: str) -> str:
    meeting_id = meetings.id_of_room(tx, room)
    if meeting_id is None:
        raise missing("meeting in the room", room)
    return meeting_id


def _sees_room(tx: Transaction, caller: Caller, request: GetMeetingByRoom) -> bool:
    return MEETINGS.may_see(tx, caller, _id_of_room(tx, request.room_id))


def _of_room(tx: Transaction, room_id: str) -> Meeting:
    return MEETINGS.need(tx, _id_of_room(tx, room_id))


def _shown(platform: Platform, meeting: Meeting) -> Wire:
    return Wire(MEETINGS.as_shown(meeting.wire(), platform.variant))


@handles(ListMissedCalls)
def list_missed_calls(request: ListMissedCalls, caller: Caller, tx: Transaction) -> Stored:
    """List missed calls, the newest first; at equal times, the last registered first."""
    where: list[sa.ColumnElement[bool]] = []
    if request.user is not None:
        where.append(MISSED_CALLS.c.user == request.user)
    if request.unread is not None:
        where.append(MISSED_CALLS.c.read != request.unread)
    created = number_at(MISSED_CALLS.c.body, "createdAt")
    order = (created.desc(), MISSED_CALLS.c.number.desc())
    return Stored(MISSED_CALLS, MISSED_CALLS.bodies(tx, *where, caller=caller, order=order, limit=request.limit))


bind(GetMeeting, MEETINGS.need, key="id", related=sees(MEETINGS), answer=_shown)
bind(GetMeetingByRoom, _of_room, related=_sees_room, answer=_shown)
bind(
    CreateMeeting,
    meetings.create,
    fields=given("password", "notify"),
    hashes=lambda request: request.password,
    answer=_shown,
)
bind(
    UpdateMeeting,
    meetings.update,
    meeting_id="id",
    fields=given("id", "send_invites"),
    related=owns(MEETINGS, "creator"),
    hashes=lambda request: request.password,
    answer=_shown,
)
bind(DeleteMeeting, meetings.delete, meeting_id="id", related=owns(MEETINGS, "creator"))
bind(
    GetTimeInMeetings,
    conferences.time_spent,
    address=lambda _, caller: caller.address,
    after="from_",
    before="to",
    answer=lambda _, spent: TimeSpent(expended_time=spent),
)
bind(
    RegisterMissedCall,
    missed_calls.register,
    source="from_",
    related=is_self("user_id"),
    answer=lambda _, missed: Wire({"code": 200, "message": "registered", "id": missed.id}),
)
bind(
    MarkMissedCallsRead,
    missed_calls.mark_read,
    related=is_self("user_id"),
    answer=lambda _, count: Acknowledgement(message=f"{count} missed calls marked as read"),
)
