"""Meetings, the time spent in them, and missed calls (contract 4.5)."""

from __future__ import annotations

from typing import Annotated, Any

from console.api.annotations import IN_MS, REQUIRED_EARLIER, SECRET, Access, Change, Guard, InBody, InPath, InQuery
from console.api.request import Request
from console.records.fields import field
from console.records.meetings import Meeting, MeetingParticipant, MissedCallDetails, RecordingConfig, TimeSpent
from console.records.responses import Acknowledgement


class ListMeetings(
    Request[tuple[Meeting, ...]],
    name="meetings.list",
    section="4.5",
    row="List meetings",
    route="GET /meetings",
    access=Access.NAMED,
):
    """List the meetings that the caller created; with `all`, also those in which the caller participates.

    With `allUsers`, for admins only, list the meetings of all users. `validUntil` lists meetings that ended
    before this time, in ms since the epoch.
    """

    all: InQuery[bool | None] = None
    all_users: InQuery[bool | None] = None
    language: InQuery[str | None] = None
    phone: InQuery[str | None] = None
    name: InQuery[str | None] = None
    valid_until: InQuery[int | None] = None


class _MeetingFields(Request[Any]):
    """Fields of a meeting that can be set and changed. Times in ms."""

    name: InBody[str | None] = field(default=None, min_length=1, max_length=200)
    participants: InBody[tuple[MeetingParticipant, ...] | None] = field(default=None, max_length=500)
    language: InBody[str | None] = field(default=None, min_length=1, max_length=35)
    valid_since: InBody[int | float | None] = field(default=None, ge=0)
    valid_until: InBody[int | float | None] = field(default=None, ge=0)
    password: Annotated[InBody[str | None], SECRET] = field(default=None, min_length=1, max_length=1024)
    valid_time_before_start: Annotated[InBody[int | float | None], IN_MS] = field(default=None, ge=0)
    valid_time_after_finish: Annotated[InBody[int | float | None], IN_MS] = field(default=None, ge=0)
    record: InBody[RecordingConfig | None] = None


class CreateMeeting(
    _MeetingFields,
    Request[Meeting],
    name="meetings.create",
    section="4.5",
    row="Create meeting",
    route="POST /meetings",
    change=Change(Guard.SMALL, done="created", touches=("meetings",)),
    access=Access.NAMED,
):
    """Create a meeting of the caller, and with `notify` notify its participants.

    Without `validSince`, it starts now; without `validUntil`, it stays open.
    """

    notify: InQuery[bool] = True


class GetMeeting(
    Request[Meeting],
    name="meetings.get",
    section="4.5",
    row="Get meeting",
    route="GET /meetings/{id}",
    access=Access.PARTICIPANT_OR_ADMIN,
):
    """Get a meeting."""

    id: InPath[str]


class GetMeetingByRoom(
    Request[Meeting],
    name="meetings.get-by-room",
    label="get meeting of room",
    section="4.5",
    row="Get meeting by room",
    route="GET /meetings/rooms/{roomId}",
    access=Access.PARTICIPANT_OR_ADMIN,
):
    """Get the meeting of a room."""

    room_id: InPath[str]


class UpdateMeeting(
    _MeetingFields,
    Request[Meeting],
    name="meetings.update",
    section="4.5",
    row="Update meeting",
    route="PUT /meetings/{id}",
    change=Change(Guard.REVERSIBLE, done="changed", touches=("meetings",), stronger=(("send_invites", Guard.SMALL),)),
    access=Access.CREATOR_OR_ADMIN,
):
    """Change the given fields of a meeting, and with `sendInvites` invite its participants again.

    Null removes a value, also the password. The earlier variant requires `name`, `participants` and `language`.
    """

    id: InPath[str]
    send_invites: InQuery[bool] = False
    name: Annotated[InBody[str | None], REQUIRED_EARLIER] = field(default=None, min_length=1, max_length=200)
    participants: Annotated[InBody[tuple[MeetingParticipant, ...] | None], REQUIRED_EARLIER] = field(
        default=None, max_length=500
    )
    language: Annotated[InBody[str | None], REQUIRED_EARLIER] = field(default=None, min_length=1, max_length=35)


class DeleteMeeting(
    Request[Acknowledgement],
    name="meetings.delete",
    section="4.5",
    row="Delete meeting",
    route="DELETE /meetings/{id}",
    change=Change(
        Guard.WIDE,
        done="deleted",
        touches=("meetings",),
        stronger=(("notify", Guard.MASS),),
        mass=True,
        warning="The meeting is deleted for everybody who takes part.",
    ),
    access=Access.CREATOR_OR_ADMIN,
    says="OK",
):
    """Delete a meeting, and with `notify` notify its participants."""

    id: InPath[str]
    notify: InQuery[bool] = True


class GetTimeInMeetings(
    Request[TimeSpent],
    name="meetings.time-spent",
    label="get time in conferences",
    section="4.5",
    row="Time spent in meetings",
    route="GET /meetings/time-spent",
):
    """Get the caller's time in conferences that started after `from` and before `to` (ms since the epoch)."""

    from_: InQuery[int | None] = field(default=None, wire="from")
    to: InQuery[int | None] = None


class RegisterMissedCall(
    Request[Acknowledgement],
    name="missed-calls.register",
    section="4.5",
    row="Register missed call",
    route="POST /users/{userId}/missed-calls",
    change=Change(Guard.SMALL, done="registered", touches=("missed-calls",)),
    access=Access.SELF_OR_ADMIN,
    error_shape="validation",
):
    """Register a call from an address or number that a user missed.

    The embedded service returns the `id` of the missed call, which the contract does not define.
    """

    user_id: InPath[str]
    from_: InBody[str] = field(wire="from", min_length=1)
    meta: InBody[MissedCallDetails]


class MarkMissedCallsRead(
    Request[Acknowledgement],
    name="missed-calls.mark-read",
    label="mark missed call as read",
    section="4.5",
    row="Mark missed calls read",
    route="POST /users/{userId}/missed-calls/read",
    change=Change(Guard.SMALL, done="marked as read", touches=("missed-calls",)),
    access=Access.SELF_OR_ADMIN,
    error_shape="validation",
):
    """Mark a missed call and all earlier ones of the user as read."""

    user_id: InPath[str]
    last: InBody[str] = field(min_length=1)
