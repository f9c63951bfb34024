"""Calls, conferences, recordings, statistics, alarms and the status summary (contract 4.5)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from console.api.annotations import EARLIER_ONLY, LATER_ONLY, Access, Change, Guard, InBody, InPath, InQuery, Variant
from console.api.request import Request
from console.records.fields import field
from console.records.recordings import CallRecording, Recording
from console.records.responses import Acknowledgement, Page
from console.records.traffic import Call, CallAlarm, CallStatistic, Conference, StatisticsSwitch, StatusSummary


class ListCalls(
    Request[tuple[Call, ...]], name="calls.list", section="4.5", row="List calls", route="GET /calls",
):  # fmt: skip
    """List calls, the newest first.

    Users who are not admins see their own.
    """

    after: InQuery[int | None] = None
    before: InQuery[int | None] = None
    limit: InQuery[int | None] = field(default=None, ge=1)
    sort_by: InQuery[str | None] = None
    caller: InQuery[str | None] = None
    callee: InQuery[str | None] = None
    target: InQuery[str | None] = None
    queue_position: InQuery[int | None] = field(default=None, wire="queueposition")


class CreateCall(
    Request[Call],
    name="calls.create",
    section="4.5",
    row="Create call",
    route="POST /calls",
    change=Change(Guard.SMALL, done="recorded", touches=("calls",)),
    access=Access.SIGNED_IN,
):
    """Record a call."""

    callee: InBody[str | None] = field(default=None, wire="calle")
    caller: InBody[str | None] = None
    context: InBody[dict[str, Any] | None] = None
    anonymous_session_id: InBody[str | None] = None
    attempts: InBody[tuple[dict[str, Any], ...] | None] = None


class GetCall(
    Request[Call],
    name="calls.get",
    section="4.5",
    row="Get call",
    route="GET /calls/{id}",
    access=Access.PARTICIPANT_OR_ADMIN,
):
    """Get a call."""

    id: InPath[str]


class UpdateCall(
    Request[Call],
    name="calls.update",
    section="4.5",
    row="Update call",
    route="PUT /calls/{id}",
    change=Change(
        Guard.WIDE,
        done="changed",
        touches=("calls",),
        warning="This changes only the record of the call, not the call itself.",
    ),
    access=Access.PARTICIPANT_OR_ADMIN,
):
    """Change the record of a call, without an effect on the call itself."""

    id: InPath[str]
    callee: InBody[str | None] = field(default=None, wire="calle")
    caller: InBody[str | None] = None
    context: InBody[dict[str, Any] | None] = None
    anonymous_session_id: InBody[str | None] = None
    queue_position: InBody[int | float | None] = field(default=None, wire="queueposition")
    state: InBody[str | None] = None


class _ConferenceFilters(Request[Any]):
    """Filters of both legacy lists of conferences."""

    created_at: InQuery[int | None] = None
    limit: InQuery[str | None] = field(default=None, pattern=r"^[1-9][0-9]*$")
    sort_by: InQuery[str | None] = field(default=None, pattern=r"^[A-Za-z]+\.(asc|desc)$")
    created_at_since: Annotated[InQuery[int | None], LATER_ONLY] = None
    created_after: Annotated[InQuery[int | None], EARLIER_ONLY] = None
    created_at_before: InQuery[int | None] = None
    last_item: InQuery[int | None] = None
    last_match: InQuery[int | None] = None
    state: InQuery[str | None] = None
    room_id: InQuery[str | None] = None


class ListConferences(
    _ConferenceFilters,
    Request[tuple[Conference, ...]],
    name="conferences.list",
    section="4.5",
    row="List conferences",
    route="GET /conferences",
):
    """List conferences.

    Users who are not admins see those in which they participate.
    """


class ListConferencesAsObject(
    _ConferenceFilters,
    Request[tuple[Conference, ...]],
    name="conferences.list-object",
    label="list conferences as an object",
    section="4.5",
    row="List conferences as object",
    route="GET /conferences/object",
    unwrap="conferences",
):
    """List conferences, wrapped in an object."""


class PageConferences(
    Request[Page[Conference]],
    name="conferences.page",
    label="list conferences in pages",
    section="4.5",
    row="List conferences (paginated)",
    route="GET /conferences/page",
):
    """List conferences in pages."""

    sort: InQuery[Literal["createdAt", "-createdAt"]] = "createdAt"
    page_size: InQuery[int | None] = field(default=None, wire="page[size]", ge=1)
    page_after: InQuery[str | None] = field(default=None, wire="page[after]")


class GetConference(
    Request[Conference],
    name="conferences.get",
    section="4.5",
    row="Get conference",
    route="GET /conferences/{id}",
    access=Access.PARTICIPANT_OR_ADMIN,
):
    """Get a conference."""

    id: InPath[str]


class UpdateConferenceAndNotify(
    Request[Conference],
    name="conferences.update-notify",
    label="update conference and notify",
    section="4.5",
    row="Update conference and notify users",
    route="POST /conferences/notify",
    change=Change(
        Guard.WIDE,
        done="stored",
        unnamed="conference and notified its users",
        touches=("conferences",),
        warning="This replaces the record of the conference, and notifies the named users.",
    ),
    access=Access.PARTICIPANT_OR_ADMIN,
):
    """Store a conference record and notify the named users.

    A missing record is refused with 400.
    """

    conference_log: InBody[Conference | None] = None
    svc_uris: InBody[tuple[str, ...]] = ()


class UpdateConference(
    Request[Conference],
    name="conferences.update",
    section="4.5",
    row="Update conference",
    route="PUT /conferences",
    change=Change(
        Guard.WIDE, done="stored", touches=("conferences",), warning="This replaces the record of the conference."
    ),
    access=Access.PARTICIPANT_OR_ADMIN,
):
    """Store a conference record.

    A missing record is refused with 400.
    """

    conference_log: InBody[Conference | None] = None


class PageRecordings(
    Request[Page[Recording]],
    name="recordings.page",
    label="list recordings in pages",
    section="4.5",
    row="List recordings (later variant)",
    route="GET /recordings/page",
    variant=Variant.LATER,
):
    """List recordings in pages.

    Users who are not admins see those in which they participate. `date[since]` and `date[until]` are ISO 8601 and limit
    the start of a recording, both inclusive; a time without an offset is UTC.
    """

    page_size: InQuery[int | None] = field(default=None, wire="page[size]", ge=1)
    page_after: InQuery[str | None] = field(default=None, wire="page[after]")
    sort: InQuery[Literal["date.start", "-date.start"]] = "date.start"
    domain: InQuery[str | None] = None
    participant: InQuery[str | None] = field(default=None, wire="participants.userId")
    source_type: InQuery[str | None] = field(default=None, wire="source[type]")
    source_id: InQuery[str | None] = field(default=None, wire="source[id]")
    since: InQuery[str | None] = field(default=None, wire="date[since]")
    until: InQuery[str | None] = field(default=None, wire="date[until]")


class ListRecordings(
    Request[tuple[CallRecording, ...]],
    name="recordings.list",
    section="4.5",
    row="List recordings (earlier variant)",
    route="GET /recordings",
    variant=Variant.EARLIER,
):
    """List the recordings of calls, the newest first.

    Users who are not admins see those in which they participate.
    """


class StartRecording(
    Request[Acknowledgement],
    name="recordings.start",
    section="4.5",
    row="Start recording of a call",
    route="POST /calls/{id}/recording/start",
    change=Change(Guard.REVERSIBLE, done="started recording", touches=("calls",)),
    access=Access.PARTICIPANT_OR_ADMIN,
):
    """Start recording a call."""

    id: InPath[str]
    filename: InBody[str] = field(min_length=1)
    source: InBody[str | None] = None


class StopRecording(
    Request[Acknowledgement],
    name="recordings.stop",
    section="4.5",
    row="Stop recording of a call",
    route="POST /calls/{id}/recording/stop",
    change=Change(Guard.SMALL, done="stopped recording", touches=("calls",)),
    access=Access.PARTICIPANT_OR_ADMIN,
):
    """Stop recording a call."""

    id: InPath[str]
    source: InBody[str | None] = None


class StoreStatistic(
    Request[Acknowledgement],
    name="statistics.store",
    label="store call statistics",
    section="4.5",
    row="Store call statistic",
    route="POST /statistics",
    change=Change(Guard.SMALL, done="stored counters of", unnamed="a call", touches=("calls", "alarms")),
):
    """Store quality statistics of a call.

    They are not stored while the collection is disabled for the call; the answer reports it.
    """

    message: InBody[str | None] = None
    payload: InBody[dict[str, Any] | None] = None
    ts: InBody[int | float | None] = None


class EnableStatistics(
    Request[StatisticsSwitch],
    name="statistics.enable",
    label="enable call statistics",
    section="4.5",
    row="Enable statistics",
    route="POST /statistics/enable",
    change=Change(Guard.REVERSIBLE, done="switched statistics of", unnamed="a call", touches=("calls", "alarms")),
    access=Access.PARTICIPANT_OR_ADMIN,
):
    """Enable or disable the collection of statistics for a call.

    The default is to enable it. With a `user`, it applies to this user only. A missing `callid` is refused with 400.
    """

    user: InBody[str | None] = None
    enable: InBody[bool] = True
    call_id: InBody[str | None] = field(default=None, wire="callid")


class GetStatistic(
    Request[CallStatistic],
    name="statistics.get",
    section="4.5",
    row="Get statistic of a call",
    route="GET /statistics/{id}",
    access=Access.PARTICIPANT_OR_ADMIN,
):
    """Get the quality statistics of a call."""

    id: InPath[str]


class GetStatus(
    Request[StatusSummary],
    name="status.get",
    section="4.5",
    row="Service status summary",
    route="GET /status",
    access=Access.NAMED,
):
    """Get the status of the service."""


class ListCallAlarms(
    Request[tuple[CallAlarm, ...]],
    name="alarms.list",
    section="4.5",
    row="List call alarms",
    route="GET /alarms",
    access=Access.ADMIN,
):
    """List call alarms: quality rules that calls violated."""


class GetCallAlarm(
    Request[CallAlarm],
    name="alarms.get",
    section="4.5",
    row="Get call alarm",
    route="GET /alarms/{id}",
    access=Access.ADMIN,
):
    """Get a call alarm."""

    id: InPath[str]
