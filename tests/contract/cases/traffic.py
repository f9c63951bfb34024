"""Calls, conferences, recording, statistics, alarms and the status summary (contract 4.5)."""

from __future__ import annotations

from typing import Any

from console.api.operations.traffic import (
    CreateCall,
    EnableStatistics,
    GetCall,
    GetCallAlarm,
    GetConference,
    GetStatistic,
    GetStatus,
    ListCallAlarms,
    ListCalls,
    ListConferences,
    ListConferencesAsObject,
    PageConferences,
    StartRecording,
    StopRecording,
    StoreStatistic,
    UpdateCall,
    UpdateConference,
    UpdateConferenceAndNotify,
)
from console.records.traffic import Call, Conference
from console.service.caller import Caller
from console.service.domain import quality, recordings
from console.service.domain.calls import CALLS, LIVE, recording_of
from console.service.domain.conferences import CONFERENCES
from console.service.domain.people import need_user
from console.service.domain.quality import ALARMS
from console.service.visibility import ADDRESSEES
from tests.contract.case import Bad, CaseSetup, case

UNKNOWN = "none"


def _call(setup: CaseSetup, key: str | None = None) -> Call:
    """Return an active call without pat, or the call with this key."""
    with setup.platform.read() as tx:
        if key is not None:
            return CALLS.need(tx, key)
        talking = CALLS.records(tx, CALLS.c.state == "connected")
        return next(each for each in talking if "pat" not in each.users)


def _conference(setup: CaseSetup, key: str | None = None) -> Conference:
    with setup.platform.read() as tx:
        if key is not None:
            return CONFERENCES.need(tx, key)
        strange = [
            each
            for each in CONFERENCES.records(tx)
            if not CONFERENCES.may_see(tx, Caller(need_user(tx, "pat")), each.id)
        ]
        return strange[0]


def _eva(setup: CaseSetup) -> Caller:
    with setup.platform.read() as tx:
        return Caller(need_user(tx, "eva"))


def _recorded(setup: CaseSetup) -> str:
    call = _call(setup)
    recordings.start(setup.platform, _eva(setup), call.id, "a.wav", None)
    return call.id


_COUNTERS = {
    "id": "7", "packetsReceived": 99, "packetsLost": 1, "packetsSent": 70, "bytesSent": 900, "bytesReceived": 990,
    "CodecName": "opus",
}  # fmt: skip


def _measured(setup: CaseSetup) -> str:
    call = _call(setup)
    payload = {"callid": call.id, "ssrc": [_COUNTERS]}
    quality.store_statistic(setup.platform, _eva(setup), "call-brief", payload, 12)
    return call.id


def _alarm(setup: CaseSetup) -> str:
    with setup.platform.read() as tx:
        return ALARMS.records(tx)[0].id


@case(
    ListCalls,
    asks=lambda _: ListCalls(limit=5, sort_by="date"),
    bad=(Bad({"limit": "0"}), Bad({"after": "yesterday"}), Bad({"sortBy": "colour"}), Bad({"queueposition": "one"})),
)
def list_calls(setup: CaseSetup, answer: Any) -> None:
    dates = [each.date for each in answer]
    assert dates == sorted(dates, reverse=True)
    assert len(dates) == 5
    assert all(not each.faults for each in answer)
    assert all(each == _call(setup, each.id) for each in answer)


@case(
    CreateCall,
    by="pat",
    asks=lambda _: CreateCall.model_validate(
        {
            "calle": "svc-user:ana",
            "context": {"skill": "billing"},
            "attempts": [{"address": "x"}],
            "anonymousSessionId": "visit-1",
        }
    ),
    bad=(
        Bad({"calle": 3}),
        Bad({"context": "billing"}),
        Bad({"attempts": "one"}),
        Bad({"caller": "svc-user:bob"}, 403),
    ),
)
def create_call(setup: CaseSetup, answer: Any) -> None:
    assert (answer.caller, answer.callee, answer.state) == ("svc-user:pat", "svc-user:ana", "ringing")
    assert answer.attempts == ({"address": "x"},)
    assert set(answer.users) == {"pat", "ana"}
    assert _call(setup, answer.id) == answer


@case(
    GetCall,
    asks=lambda setup: GetCall(id=_call(setup).id),
    not_for=("pat", "guest"),
    bad=(Bad({"id": UNKNOWN}, 404),),
)
def get_call(setup: CaseSetup, answer: Any) -> None:
    assert answer == _call(setup)


@case(
    UpdateCall,
    asks=lambda setup: UpdateCall(id=_call(setup).id, state="rejected", caller="+34911111111"),
    not_for=("pat", "guest"),
    bad=(Bad({"id": UNKNOWN}, 404), Bad({"state": 5}), Bad({"queueposition": "last"}), Bad({"context": []})),
)
def update_call(setup: CaseSetup, answer: Any) -> None:
    assert (answer.state, answer.caller, answer.to) == ("rejected", "+34911111111", setup.clock.now_ms())
    assert _call(setup, answer.id) == answer


def _faulty_filters() -> tuple[Bad, ...]:
    return (
        Bad({"limit": "0"}),
        Bad({"limit": "many"}),
        Bad({"sortBy": "createdAt"}),
        Bad({"sortBy": "colour.asc"}),
        Bad({"createdAt": "then"}),
    )


@case(
    ListConferences,
    asks=lambda _: ListConferences(sort_by="createdAt.asc", limit="3"),
    bad=_faulty_filters(),
)
def list_conferences(setup: CaseSetup, answer: Any) -> None:
    created = [each.created_at for each in answer]
    assert created == sorted(created)
    assert len(created) == 3
    assert all(each == _conference(setup, each.id) for each in answer)


@case(
    ListConferencesAsObject,
    asks=lambda _: ListConferencesAsObject(state="active"),
    bad=_faulty_filters(),
)
def list_conferences_as_object(setup: CaseSetup, answer: Any) -> None:
    with setup.platform.read() as tx:
        active = {each.id for each in CONFERENCES.records(tx, CONFERENCES.c.state == "active")}
    assert {each.id for each in answer} == active
    assert active


@case(
    PageConferences,
    asks=lambda _: PageConferences.model_validate({"sort": "-createdAt", "page[size]": 3}),
    bad=(Bad({"page[size]": "0"}), Bad({"page[after]": "x"}), Bad({"sort": "state"})),
)
def page_conferences(setup: CaseSetup, answer: Any) -> None:
    with setup.platform.read() as tx:
        assert answer.meta.page.total == CONFERENCES.count(tx)
    assert len(answer.data) == 3
    assert answer.meta.page.next
    assert answer.meta.page.previous is None


@case(
    GetConference,
    asks=lambda setup: GetConference(id=_conference(setup).id),
    not_for=("pat", "guest"),
    bad=(Bad({"id": UNKNOWN}, 404),),
)
def get_conference(setup: CaseSetup, answer: Any) -> None:
    assert answer == _conference(setup)


@case(
    UpdateConference,
    asks=lambda setup: UpdateConference(
        conference_log=Conference.model_validate({"id": _conference(setup).id, "state": "finished", "mood": "good"})
    ),
    not_for=("pat", "guest"),
    bad=(
        Bad({"conferenceLog": None}),
        Bad({"conferenceLog": {}}),
        Bad({"conferenceLog": {"id": "x", "createdAt": "then"}}),
        Bad({"conferenceLog": {"id": "x", "participants": [{"address": 4}]}}),
    ),
)
def update_conference(setup: CaseSetup, answer: Any) -> None:
    stored = _conference(setup, answer.id)
    assert stored == answer
    assert (stored.state, (stored.model_extra or {})["mood"]) == ("finished", "good")
    assert stored.finished_at is not None


@case(
    UpdateConferenceAndNotify,
    asks=lambda setup: UpdateConferenceAndNotify(
        conference_log=Conference(id=_conference(setup).id, room_id="big"), svc_uris=("svc-user:pat",)
    ),
    not_for=("pat", "guest"),
    bad=(
        Bad({"conferenceLog": None}),
        Bad({"svcUris": ["pat"]}),
        Bad({"svcUris": "svc-user:pat"}),
        Bad({"svcUris": ["svc-user:nobody"]}, 404),
    ),
)
def update_and_notify(setup: CaseSetup, answer: Any) -> None:
    assert _conference(setup, answer.id).room_id == "big"
    with setup.platform.read() as tx:
        assert not CONFERENCES.may_see(tx, Caller(need_user(tx, "pat")), answer.id)
        notices = [each for each in setup.platform.database.events_after(tx, 0, 100_000) if each.kind == "notice"]
    assert [(each.key, each.after) for each in notices] == [(answer.id, {ADDRESSEES: ["svc-user:pat"]})]


@case(
    StartRecording,
    asks=lambda setup: StartRecording(id=_call(setup).id, filename="a.wav", source="mixer"),
    not_for=("pat", "guest"),
    bad=(Bad({"id": UNKNOWN}, 404), Bad({"filename": ""}), Bad({"filename": None}), Bad({"source": 1})),
)
def start_recording(setup: CaseSetup, answer: Any) -> None:
    assert (answer.code, answer.message) == (200, "recording started")
    recording = recording_of(_call(setup))
    assert (recording["active"], recording["filename"], recording["source"]) == (True, "a.wav", "mixer")


@case(
    StopRecording,
    asks=lambda setup: StopRecording(id=_recorded(setup)),
    not_for=("pat", "guest"),
    bad=(Bad({"id": UNKNOWN}, 404), Bad({"source": 1})),
)
def stop_recording(setup: CaseSetup, answer: Any) -> None:
    assert answer.code == 200
    assert recording_of(_call(setup))["active"] is False


@case(
    StoreStatistic,
    asks=lambda setup: StoreStatistic(
        message="call-brief", payload={"callid": _call(setup).id, "ssrc": [{"id": "1", "packetsLost": 2}]}, ts=9
    ),
    not_for=("pat", "guest"),
    bad=(
        Bad({"message": 3}),
        Bad({"payload": "x"}),
        Bad({"payload": {"ssrc": [{"packetsLost": "two"}]}}),
        Bad({"payload": {"callid": UNKNOWN}}, 404),
        Bad({"ts": "now"}),
    ),
)
def store_statistic(setup: CaseSetup, answer: Any) -> None:
    assert answer.code == 200
    with setup.platform.read() as tx:
        found = quality.statistic_of(tx, _call(setup).id)
    assert (found.type, found.user, found.ts) == ("call-brief", "eva", 9)
    assert found.payload is not None
    assert found.payload.ssrc[0].packets_lost == 2


@case(
    EnableStatistics,
    asks=lambda setup: EnableStatistics.model_validate(
        {"enable": True, "callid": _call(setup).id, "user": "svc-user:ana"}
    ),
    not_for=("pat", "guest"),
    bad=(
        Bad({"callid": UNKNOWN}, 404),
        Bad({"enable": "perhaps"}),
        Bad({"enable": None, "callid": None}),
        Bad({"callid": 3}),
    ),
)
def enable_statistics(setup: CaseSetup, answer: Any) -> None:
    assert (answer.call_id, answer.enable) == (_call(setup).id, True)
    assert (_call(setup).data or {})["statistics"]["enabled"] is True


@case(
    GetStatistic,
    asks=lambda setup: GetStatistic(id=_measured(setup)),
    not_for=("pat", "guest"),
    bad=(Bad({"id": UNKNOWN}, 404),),
)
def get_statistic(setup: CaseSetup, answer: Any) -> None:
    assert (answer.ts, answer.service, answer.domain) == (12, "call", "desk.example")
    assert [each.packets_received for each in answer.payload.ssrc] == [99]


@case(GetStatus, by="pat", asks=lambda _: GetStatus(), not_for=("guest",))
def get_status(setup: CaseSetup, answer: Any) -> None:
    with setup.platform.read() as tx:
        assert len(answer.active_calls) == CALLS.count(tx, CALLS.c.state.in_(LIVE))
        assert answer.calls.all == CALLS.count(tx)
    assert answer.uptime == 0
    assert answer.memory_usage.rss > 10_000_000


@case(ListCallAlarms, asks=lambda _: ListCallAlarms(), not_for=("ana", "pat", "guest"))
def list_alarms(setup: CaseSetup, answer: Any) -> None:
    with setup.platform.read() as tx:
        assert len(answer) == ALARMS.count(tx)
    assert answer[0].payload.value.ssrc[1].packets_received > 0
    assert answer[0].payload.alarm.id == "packet-loss"


@case(
    GetCallAlarm,
    asks=lambda setup: GetCallAlarm(id=_alarm(setup)),
    not_for=("ana", "pat", "guest"),
    bad=(Bad({"id": UNKNOWN}, 404),),
)
def get_alarm(setup: CaseSetup, answer: Any) -> None:
    assert answer.id == _alarm(setup)
    assert _call(setup, answer.payload.call_id).id == answer.payload.call_id
