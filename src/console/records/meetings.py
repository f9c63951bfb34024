"""Meetings, the time spent in them, and missed calls (contract 2.13, 2.20, 4.5)."""

from __future__ import annotations

from typing import Any, ClassVar

from console.records.fields import field
from console.records.people import UserReference
from console.records.record import Record
from console.records.traffic import Conference


class MeetingParticipant(Record):
    """A person invited to a meeting, identified by any of these fields (contract 2.13)."""

    user_id: str | None = None
    email: str | None = None
    phone: str | None = None
    current_timezone: str | None = None
    locale: str | None = None
    send_sms: bool | None = field(default=None, wire="sendSMS")


class DialIn(Record):
    """Extension and PIN to dial after a meeting's telephone number (contract 2.13, `ddi`)."""

    extension: str | None = None
    pin: str | None = None


class RecordingConfig(Record):
    """Recording of a meeting (contract 2.13); the contract names only the type `none`."""

    type: str | None = None


class Meeting(Record):
    """A room reserved for people and a time (contract 2.13). Times in ms since the epoch.

    The contract gives no unit for the times before start and after finish; this project uses ms.
    """

    key_field: ClassVar[str] = "id"

    id: str = ""
    room_id: str | None = None
    name: str | None = None
    user: UserReference | None = None
    users: tuple[dict[str, Any], ...] = ()
    language: str | None = None
    participants: tuple[MeetingParticipant, ...] = ()
    valid_since: int | float | None = None
    valid_until: int | float | None = None
    phone: str | None = None
    ddi: DialIn | None = None
    is_password_protected: bool | None = None
    valid_time_before_start: int | float | None = None
    valid_time_after_finish: int | float | None = None
    record: RecordingConfig | None = None


class TimeSpent(Record):
    """Time that somebody spent in meetings (contract 4.5). The contract gives no unit; this project uses ms."""

    expended_time: int | float | None = None


class MissedCallDetails(Record):
    """The invite and the conference of a missed call (contract 4.5, `meta`)."""

    invite_id: str | None = None
    conference_log: Conference | None = None


class MissedCall(Record):
    """A call that was not answered (contract 2.20).

    The contract defines only `from` and `meta`; the other fields are additions for the event channel. Time in ms since
    the epoch.
    """

    key_field: ClassVar[str] = "id"

    id: str = ""
    user_id: str | None = None
    from_: str | None = field(default=None, wire="from")
    meta: MissedCallDetails | None = None
    created_at: int | float | None = None
    read: bool | None = None
