"""Calls, conferences, recording, statistics, alarms and the status summary (contract 4.5)."""

from __future__ import annotations

from console.api.operations import traffic as ops
from console.records.traffic import Call, Conference
from console.service.auth.caller import Caller
from console.service.domain import quality, recordings
from console.service.domain.calls import CALLS, LIVE, recording_of
from console.service.domain.conferences import CONFERENCES
from console.service.domain.people import need_user
from console.service.domain.quality import ALARMS
from console.service.events.visibility import ADDRESSEES
from tests.contract.case import CaseSetup, Steps, case

UNKNOWN = "none"


def _call(setup: CaseSetup, key: str | None = None) -> Call:
    """Return an active call without pat, or the call with this key."""
    if key is not None:
        return setup.need(CALLS, key)
    talking = setup.records(CALLS, CALLS.c.state == "connected")
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


def _recorded(setup: CaseSetup) -> str:
    call = _call(setup)
    recordings.start(setup.platform, setup.caller("eva"), call.id, "a.wav", None)
    return call.id


_COUNTERS = {
    "id": "7", "packetsReceived": 99, "packetsLost": 1, "packetsSent": 70, "bytesSent": 900, "bytesReceived": 990,
    "CodecName": "opus",
}  # fmt: skip


def _measured(setup: CaseSetup) -> str:
    call = _call(setup)
    payload = {"callid": call.id, "ssrc": [_COUNTERS]}
    quality.store_statistic(setup.platform, setup.caller("eva"), "call-brief", payload, 12)
    return call.id


def _alarm(setup: CaseSetup) -> str:
    return setup.records(ALARMS)[0].id


@case(ops.ListCalls, bad={400: {"after": ["yesterday"], "sortBy": ["colour"]}})
def list_calls(setup: CaseSetup) -> Steps:
    answer = yield ops.ListCalls(limit=5, sort_by="date")
    dates = [each.date for each in answer]
    assert dates == sorted(dates, reverse=True)
    assert len(dates) == 5
    assert all(not each.faults for each in answer)
    assert all(each == _call(setup, each.id) for each in answer)


@case(ops.CreateCall, by="pat", bad={403: {"caller": ["svc-user:bob"]}})
def create_call(setup: CaseSetup) -> Steps:
    answer = yield ops.CreateCall.model_validate(
        {
            "calle": "svc-user:ana",
            "context": {"skill": "billing"},
            "attempts": [{"address": "x"}],
            "anonymousSessionId": "visit-1",
        }
    )
    assert (answer.caller, answer.callee, answer.state) == ("svc-user:pat", "svc-user:ana", "ringing")
    assert answer.date == answer.from_ == setup.clock.now_ms()
    assert answer.attempts == ({"address": "x"},)
    assert set(answer.users) == {"pat", "ana"}
    assert _call(setup, answer.id) == answer


@case(ops.GetCall, not_for=("pat", "guest"))
def get_call(setup: CaseSetup) -> Steps:
    answer = yield ops.GetCall(id=_call(setup).id)
    assert answer == _call(setup)


@case(ops.UpdateCall, not_for=("pat", "guest"), bad={400: {"context": [[]]}})
def update_call(setup: CaseSetup) -> Steps:
    answer = yield ops.UpdateCall(id=_call(setup).id, state="rejected", caller="+34911111111")
    assert (answer.state, answer.caller, answer.to) == ("rejected", "+34911111111", setup.clock.now_ms())
    assert _call(setup, answer.id) == answer


BAD_FILTERS = {400: {"limit": ["0", "many"], "sortBy": ["createdAt", "colour.asc"], "createdAt": ["then"]}}


@case(ops.ListConferences, bad=BAD_FILTERS)
def list_conferences(setup: CaseSetup) -> Steps:
    answer = yield ops.ListConferences(sort_by="createdAt.asc", limit="3")
    created = [each.created_at for each in answer]
    assert created == sorted(created)
    assert len(created) == 3
    assert all(each == _conference(setup, each.id) for each in answer)


@case(ops.ListConferencesAsObject, bad=BAD_FILTERS)
def list_conferences_as_object(setup: CaseSetup) -> Steps:
    answer = yield ops.ListConferencesAsObject(state="active")
    active = {each.id for each in setup.records(CONFERENCES, CONFERENCES.c.state == "active")}
    assert {each.id for each in answer} == active
    assert active


@case(ops.PageConferences)
def page_conferences(setup: CaseSetup) -> Steps:
    answer = yield ops.PageConferences.model_validate({"sort": "-createdAt", "page[size]": 3})
    assert answer.meta.page.total == setup.count(CONFERENCES)
    assert len(answer.data) == 3
    assert answer.meta.page.next
    assert answer.meta.page.previous is None


@case(ops.GetConference, not_for=("pat", "guest"))
def get_conference(setup: CaseSetup) -> Steps:
    answer = yield ops.GetConference(id=_conference(setup).id)
    assert answer == _conference(setup)


@case(
    ops.UpdateConference,
    not_for=("pat", "guest"),
    bad={
        400: {
            "conferenceLog": [None, {}, {"id": "x", "createdAt": "then"}, {"id": "x", "participants": [{"address": 4}]}]
        }
    },
)
def update_conference(setup: CaseSetup) -> Steps:
    answer = yield ops.UpdateConference(
        conference_log=Conference.model_validate({"id": _conference(setup).id, "state": "finished", "mood": "good"})
    )
    stored = _conference(setup, answer.id)
    assert stored == answer
    assert (stored.state, (stored.model_extra or {})["mood"]) == ("finished", "good")
    assert stored.finished_at is not None


@case(
    ops.UpdateConferenceAndNotify,
    not_for=("pat", "guest"),
    bad={400: {"conferenceLog": [None], "svcUris": [["pat"]]}, 404: {"svcUris": [["svc-user:nobody"]]}},
)
def update_and_notify(setup: CaseSetup) -> Steps:
    answer = yield ops.UpdateConferenceAndNotify(
        conference_log=Conference(id=_conference(setup).id, room_id="big"), svc_uris=("svc-user:pat",)
    )
    assert _conference(setup, answer.id).room_id == "big"
    with setup.platform.read() as tx:
        assert not CONFERENCES.may_see(tx, Caller(need_user(tx, "pat")), answer.id)
        notices = [each for each in setup.platform.database.events_after(tx, 0, 100_000) if each.kind == "notice"]
    assert [(each.key, each.after) for each in notices] == [(answer.id, {ADDRESSEES: ["svc-user:pat"]})]


@case(ops.StartRecording, not_for=("pat", "guest"))
def start_recording(setup: CaseSetup) -> Steps:
    answer = yield ops.StartRecording(id=_call(setup).id, filename="a.wav", source="mixer")
    assert (answer.code, answer.message) == (200, "recording started")
    recording = recording_of(_call(setup))
    assert (recording["active"], recording["filename"], recording["source"]) == (True, "a.wav", "mixer")


@case(ops.StopRecording, not_for=("pat", "guest"))
def stop_recording(setup: CaseSetup) -> Steps:
    answer = yield ops.StopRecording(id=_recorded(setup))
    assert answer.code == 200
    assert recording_of(_call(setup))["active"] is False


@case(
    ops.StoreStatistic,
    not_for=("pat", "guest"),
    bad={400: {"payload": [{"ssrc": [{"packetsLost": "two"}]}]}, 404: {"payload": [{"callid": UNKNOWN}]}},
)
def store_statistic(setup: CaseSetup) -> Steps:
    answer = yield ops.StoreStatistic(
        message="call-brief", payload={"callid": _call(setup).id, "ssrc": [{"id": "1", "packetsLost": 2}]}, ts=9
    )
    assert answer.code == 200
    with setup.platform.read() as tx:
        found = quality.statistic_of(tx, _call(setup).id)
    assert (found.type, found.user, found.ts) == ("call-brief", "eva", 9)
    assert found.payload is not None
    assert found.payload.ssrc[0].packets_lost == 2


@case(
    ops.EnableStatistics,
    not_for=("pat", "guest"),
    bad={400: {("enable", "callid"): [(None, None)]}, 404: {"callid": [UNKNOWN]}},
)
def enable_statistics(setup: CaseSetup) -> Steps:
    answer = yield ops.EnableStatistics.model_validate(
        {"enable": True, "callid": _call(setup).id, "user": "svc-user:ana"}
    )
    assert (answer.call_id, answer.enable) == (_call(setup).id, True)
    assert (_call(setup).data or {})["statistics"]["enabled"] is True


@case(ops.GetStatistic, not_for=("pat", "guest"))
def get_statistic(setup: CaseSetup) -> Steps:
    answer = yield ops.GetStatistic(id=_measured(setup))
    assert (answer.ts, answer.service, answer.domain) == (12, "call", "desk.example")
    assert [each.packets_received for each in answer.payload.ssrc] == [99]


@case(ops.GetStatus, by="pat")
def get_status(setup: CaseSetup) -> Steps:
    answer = yield ops.GetStatus()
    assert len(answer.active_calls) == setup.count(CALLS, CALLS.c.state.in_(LIVE))
    assert answer.calls.all == setup.count(CALLS)
    assert answer.uptime == 0
    assert answer.memory_usage.rss > 10_000_000


@case(ops.ListCallAlarms)
def list_alarms(setup: CaseSetup) -> Steps:
    answer = yield ops.ListCallAlarms()
    assert len(answer) == setup.count(ALARMS)
    assert answer[0].payload.value.ssrc[1].packets_received > 0
    assert answer[0].payload.alarm.id == "packet-loss"


@case(ops.GetCallAlarm)
def get_alarm(setup: CaseSetup) -> Steps:
    answer = yield ops.GetCallAlarm(id=_alarm(setup))
    assert answer.id == _alarm(setup)
    assert _call(setup, answer.payload.call_id).id == answer.payload.call_id
