"""Calls, call quality, conferences and the status summary of the service (contract 2.6 to 2.9, 2.20)."""

from __future__ import annotations

from typing import Any, ClassVar

from console.records.fields import field
from console.records.record import Record


class Call(Record):
    """A call (contract 2.6). Times in ms since the epoch."""

    key_field: ClassVar[str] = "id"
    counted_by: ClassVar[frozenset[str]] = frozenset({"id", "state", "date", "from_", "to", "queue_position"})

    id: str = ""
    caller: str | None = None
    callee: str | None = field(default=None, wire="calle", also="callee")
    target: str | None = None
    users: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    date: int | float | None = None
    from_: int | float | None = field(default=None, wire="from")
    to: int | float | None = None
    state: str | None = None
    data: dict[str, Any] | None = None
    queue_position: int | float | None = field(default=None, wire="queueposition")
    context: dict[str, Any] | None = None
    anonymous_session_id: str | None = None
    attempts: tuple[dict[str, Any], ...] = ()


class SsrcStat(Record):
    """Counters of one media stream (contract 2.7)."""

    id: str | None = None
    packets_sent: int | float | None = None
    packets_received: int | float | None = field(
        default=None,
        wire="packetsReceived",
        also="packetesReceived",
    )
    packets_lost: int | float | None = None
    bytes_sent: int | float | None = None
    bytes_received: int | float | None = None
    codec_name: str | None = field(default=None, wire="CodecName")


class SsrcStats(Record):
    """The streams of one measurement (contract 2.7, 2.8)."""

    ssrc: tuple[SsrcStat, ...] = ()


class AlarmCondition(Record):
    """The rule violated by a measurement (contract 2.7)."""

    id: str | None = None
    section: str | None = None
    value: str | None = None
    cond: str | None = None
    threshold: int | float | None = None
    relative: bool | None = None


class CallAlarmPayload(Record):
    """The call, the measurement and the rule of an alarm (contract 2.7)."""

    call_id: str | None = field(default=None, wire="callid")
    value: SsrcStats | None = None
    alarm: AlarmCondition | None = None


class CallAlarm(Record):
    """A violation of a quality rule by a call (contract 2.7). Time in ms since the epoch."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    domain: str | None = None
    urgency: str | None = None
    type: str | None = None
    timestamp: int | float | None = None
    payload: CallAlarmPayload | None = None


class CallStatistic(Record):
    """Stored quality counters of a call (contract 2.8). Times in ms since the epoch."""

    domain: str | None = None
    user: str | None = None
    service: str | None = None
    type: str | None = None
    timestamp: int | float | None = None
    payload: SsrcStats | None = None
    ts: int | float | None = None


class StatisticsSwitch(Record):
    """Whether statistics are on for a call (contract 4.5)."""

    call_id: str | None = field(default=None, wire="callid")
    enable: bool | None = None


class ConferenceParticipant(Record):
    """A participation in a conference (contract 2.9). Times in ms since the epoch."""

    address: str | None = None
    created_at: int | float | None = None
    finished_at: int | float | None = None
    session_id: str | None = None


class InviteCandidate(Record):
    """An address tried for an invite, and the reason for its end (contract 2.9)."""

    address: str | None = None
    end_reason: int | float | None = None


class MediaTypes(Record):
    """Media of an invite (contract 2.9)."""

    audio: bool | None = None
    video: bool | None = None


class Invite(Record):
    """An invitation to a conference (contract 2.9)."""

    from_: str | None = field(default=None, wire="from")
    to: str | None = None
    state: str | None = None
    group: bool | None = None
    invite_request: bool | None = None
    error: int | float | None = None
    mediatypes: MediaTypes | None = field(default=None, wire="mediatypes")
    candidates: tuple[InviteCandidate, ...] = ()


class ConferenceTransfer(Record):
    """A transfer out of a conference (contract 2.9); the earlier variant has any object."""

    from_: str | None = field(default=None, wire="from")
    to: str | None = None
    state: str | None = None
    room_id: str | None = None
    id_invite: str | None = None


class Conference(Record):
    """A room with participants and invites (contract 2.9). Times in ms since the epoch."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    room_id: str | None = None
    state: str | None = None
    created_at: int | float | None = None
    finished_at: int | float | None = None
    invites: tuple[Invite, ...] = ()
    participants: tuple[ConferenceParticipant, ...] = ()
    transfers: tuple[ConferenceTransfer, ...] = ()
    domains: tuple[str, ...] = ()


class CallCounts(Record):
    """Numbers of calls (contract 2.20)."""

    since_reboot: int | float | None = None
    last15: int | float | None = None
    last30: int | float | None = None
    last60: int | float | None = None
    all: int | float | None = None


class MemoryUsage(Record):
    """Memory of the service's process in bytes (the contract, 2.20, gives no unit)."""

    rss: int | float | None = None
    heap_total: int | float | None = None
    heap_used: int | float | None = None


class StatusSummary(Record):
    """Status of the service (contract 2.20). `uptime` is taken as seconds."""

    active_users: tuple[Any, ...] = ()
    active_calls: tuple[Any, ...] = ()
    calls: CallCounts = field(default_factory=CallCounts)
    uptime: int | float | None = None
    memory_usage: MemoryUsage = field(default_factory=MemoryUsage)

    @property
    def calls_now(self) -> int | None:
        """The number of active calls; None if the answer has no list of them."""
        return len(self.active_calls) if self._has_list("active_calls", "activeCalls") else None

    @property
    def users_now(self) -> int | None:
        """The number of active users; None if the answer has no list of them."""
        return len(self.active_users) if self._has_list("active_users", "activeUsers") else None

    def _has_list(self, name: str, wire: str) -> bool:
        return name in self.model_fields_set and wire not in self.faults and self.sent.get(wire, ()) is not None

    @property
    def key(self) -> str:
        """A constant: there is one summary per service."""
        return "status"
