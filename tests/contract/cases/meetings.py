"""Meetings, the time spent in them, missed calls, and lists of recordings (contract 4.5)."""

from __future__ import annotations

from datetime import datetime

from console.api.annotations import Variant
from console.api.operations import meetings as ops
from console.api.operations.traffic import ListRecordings, PageRecordings
from console.records.meetings import Meeting, MeetingParticipant, MissedCall, MissedCallDetails, RecordingConfig
from console.records.traffic import Call, Conference
from console.service.auth.caller import Caller
from console.service.domain import conferences, meetings, missed_calls, recordings
from console.service.domain.calls import CALLS
from console.service.domain.meetings import MEETINGS
from console.service.domain.missed_calls import MISSED_CALLS
from console.service.domain.people import need_user
from console.service.domain.recorded import RECORDINGS
from tests.contract.case import CaseSetup, Steps, case
from tests.service.delivered import delivered

UNKNOWN = "none"
HOUR = 3_600_000


def _meeting(setup: CaseSetup, key: str) -> Meeting:
    return setup.need(MEETINGS, key)


def _planned(setup: CaseSetup, name: str = "Shift plan", by: str = "ana", guest: str = "bob") -> Meeting:
    """Schedule a meeting with a guest, without notifying anybody."""
    given = {
        "name": name,
        "language": "es",
        "participants": (MeetingParticipant(user_id=guest),),
        "valid_until": setup.clock.now_ms() + HOUR,
    }
    return meetings.create(setup.platform, setup.caller(by), given, "old secret", notify=False)


def _notices(setup: CaseSetup, meeting_id: str) -> set[tuple[str, str, str]]:
    with setup.platform.read() as tx:
        return {(each.kind, each.mechanism, each.recipient) for each in delivered(setup.platform, tx, meeting_id)}


@case(ops.ListMeetings, by="ana")
def list_meetings(setup: CaseSetup) -> Steps:
    _planned(setup)
    _planned(setup, "Other", by="bob", guest="ana")
    _planned(setup, "Elsewhere", by="bob", guest="carla")
    answer = yield ops.ListMeetings(all=True, language="es", valid_until=setup.clock.now_ms() + 2 * HOUR)
    names = {each.name for each in answer}
    assert names >= {"Shift plan", "Other"}
    assert "Elsewhere" not in names
    assert all(not each.faults for each in answer)
    assert all(each == _meeting(setup, each.id) for each in answer)


@case(
    ops.CreateMeeting,
    by="ana",
    bad={
        400: {
            "name": [""],
            "password": [""],
            "participants": [
                [{"userId": "nobody at all"}],
                [{"locale": "es"}],
                [{"email": "bob"}],
                [{"userId": "bob", "sendSMS": True}],
            ],
            "validUntil": [1],
            "validTimeBeforeStart": [-1],
        }
    },
)
def create_meeting(setup: CaseSetup) -> Steps:
    answer = yield ops.CreateMeeting(
        name="Review",
        language="pt",
        participants=(
            MeetingParticipant(user_id="bob", current_timezone="Europe/Lisbon"),
            MeetingParticipant(email="guest@else.example", phone="+34600000001", send_sms=True, locale="pt-PT"),
        ),
        valid_since=setup.clock.now_ms() + HOUR,
        valid_until=setup.clock.now_ms() + 2 * HOUR,
        password="open sesame",
        valid_time_before_start=600_000,
        valid_time_after_finish=300_000,
        record=RecordingConfig(type="all"),
    )
    assert answer == _meeting(setup, answer.id)
    assert answer.user.id == "ana"
    assert [each["id"] for each in answer.users] == ["bob"]
    assert answer.room_id
    assert len(answer.ddi.extension) == 6
    assert (answer.record.type, answer.valid_time_before_start) == ("all", 600_000)
    assert answer.is_password_protected is True
    assert "password" not in answer.wire()
    with setup.platform.read() as tx:
        stored = meetings.password_hash_of(tx, answer.id)
    assert stored is not None
    assert "sesame" not in stored
    assert "sesame" not in str(setup.dump())
    assert _notices(setup, answer.id) == {
        ("meeting created", "user", "svc-user:ana"),
        ("meeting created", "email", "ana@desk.example"),
        ("meeting created", "user", "svc-user:bob"),
        ("meeting created", "email", "bob@desk.example"),
        ("meeting created", "email", "guest@else.example"),
        ("meeting created", "sms", "+34600000001"),
    }


@case(ops.GetMeeting, by="bob", not_for=("pat", "guest"))
def get_meeting(setup: CaseSetup) -> Steps:
    answer = yield ops.GetMeeting(id=_planned(setup).id)
    assert answer == _meeting(setup, answer.id)
    assert answer.is_password_protected is True


@case(ops.GetMeetingByRoom, by="bob", not_for=("pat", "guest"))
def get_meeting_by_room(setup: CaseSetup) -> Steps:
    answer = yield ops.GetMeetingByRoom(room_id=_planned(setup).room_id or "")
    assert answer == _meeting(setup, answer.id)
    assert answer.name == "Shift plan"


@case(
    ops.UpdateMeeting,
    by="ana",
    not_for=("bob", "pat"),
    bad={400: {"name": [""], "participants": [[{"userId": "nobody at all"}]], "validUntil": [1]}},
)
def update_meeting(setup: CaseSetup) -> Steps:
    answer = yield ops.UpdateMeeting.from_person(
        {
            "id": _planned(setup).id,
            "name": "Shift plan, moved",
            "language": "en",
            "participants": (MeetingParticipant(user_id="carla"),),
            "password": None,
            "send_invites": True,
        }
    )
    assert answer == _meeting(setup, answer.id)
    assert (answer.name, answer.language) == ("Shift plan, moved", "en")
    assert [each["id"] for each in answer.users] == ["carla"]
    assert answer.is_password_protected is False
    assert answer.valid_until == setup.clock.now_ms() + HOUR
    with setup.platform.read() as tx:
        assert meetings.password_hash_of(tx, answer.id) is None
        assert not MEETINGS.may_see(tx, Caller(need_user(tx, "bob")), answer.id)
    assert _notices(setup, answer.id) == {
        ("meeting invitation", "user", "svc-user:carla"),
        ("meeting invitation", "email", "carla@desk.example"),
    }


@case(ops.DeleteMeeting, by="ana", not_for=("bob", "pat"))
def delete_meeting(setup: CaseSetup) -> Steps:
    key = _planned(setup).id
    answer = yield ops.DeleteMeeting(id=key)
    assert answer.message == "OK"
    with setup.platform.read() as tx:
        assert MEETINGS.row(tx, key) is None
        assert meetings.password_hash_of(tx, key) is None
    assert {to for _, _, to in _notices(setup, key)} == {
        "svc-user:ana",
        "ana@desk.example",
        "svc-user:bob",
        "bob@desk.example",
    }


@case(ops.GetTimeInMeetings, by="pat")
def time_in_meetings(setup: CaseSetup) -> Steps:
    # Put pat into two simultaneous conferences, one that is still active, and one that ended long ago.
    now = setup.clock.now_ms()
    for name, began, came, left in (
        ("one", 1005 * HOUR, 1005 * HOUR, 1003.5 * HOUR),
        ("same time", 1004 * HOUR, 1004 * HOUR, 1003 * HOUR),
        ("still", 1002 * HOUR, HOUR / 6, None),
        ("long before", 2000 * HOUR, 2000 * HOUR, 1999 * HOUR),
    ):
        stay = {"address": "svc-user:pat", "createdAt": now - int(came)}
        if left is not None:
            stay["finishedAt"] = now - int(left)
        log = {"id": name, "createdAt": now - int(began), "state": "active", "participants": [stay]}
        conferences.store(setup.platform, setup.caller("pat"), Conference.model_validate(log))
    answer = yield ops.GetTimeInMeetings.model_validate({"from": now - 1010 * HOUR, "to": now - 1000 * HOUR})
    assert answer.expended_time == 2 * HOUR + HOUR // 6


def _missed(setup: CaseSetup) -> tuple[MissedCall, ...]:
    return setup.records(MISSED_CALLS, MISSED_CALLS.c.user == "bob", order=(MISSED_CALLS.c.number,))


@case(
    ops.RegisterMissedCall,
    by="bob",
    not_for=("ana", "guest"),
    bad={400: {"from": ["bob"], "meta": [{"conferenceLog": {"createdAt": "then"}}]}, 403: {"userId": [UNKNOWN]}},
)
def register_missed_call(setup: CaseSetup) -> Steps:
    answer = yield ops.RegisterMissedCall.model_validate(
        {"userId": "bob", "from": "+34911000111", "meta": {"inviteId": "i1", "conferenceLog": {"id": "c1"}}}
    )
    last = _missed(setup)[-1]
    assert (last.id, last.from_, last.read) == ((answer.model_extra or {})["id"], "+34911000111", False)
    assert last.meta is not None
    assert last.meta.invite_id == "i1"
    assert last.meta.conference_log is not None
    assert last.meta.conference_log.id == "c1"


@case(
    ops.MarkMissedCallsRead,
    by="bob",
    not_for=("ana", "guest"),
    bad={403: {"userId": [UNKNOWN]}, 404: {"last": [UNKNOWN]}},
)
def mark_read(setup: CaseSetup) -> Steps:
    made = [
        missed_calls.register(setup.platform, "bob", source, MissedCallDetails(invite_id=source))
        for source in ("svc-user:ana", "svc-user:carla", "+34911000111")
    ]
    yield ops.MarkMissedCallsRead(user_id="bob", last=made[1].id)
    read = {each.id: each.read for each in _missed(setup)}
    assert [read[each.id] for each in made] == [True, True, False]
    assert [each for each, done in read.items() if not done] == [made[2].id]


def _record(setup: CaseSetup) -> Call:
    """Record a call for ten seconds."""
    call = next(each for each in setup.records(CALLS, CALLS.c.state == "connected") if "pat" not in each.users)
    eva = setup.caller("eva")
    recordings.start(setup.platform, eva, call.id, "talk.wav", "mixer")
    setup.clock.advance(10)
    recordings.stop(setup.platform, eva, call.id)
    return call


@case(
    PageRecordings, bad={400: {"date[since]": ["yesterday"], "date[until]": ["2026-13-01"]}}, variants=(Variant.LATER,)
)
def page_recordings(setup: CaseSetup) -> Steps:
    call = _record(setup)
    answer = yield PageRecordings.model_validate(
        {"source[id]": call.id, "source[type]": "call", "domain": "desk.example", "sort": "-date.start"}
    )
    now = setup.clock.now_ms()
    assert answer.meta.page.total == 1
    recording = answer.data[0]
    assert recording == setup.need(RECORDINGS, recording.id)
    assert {each.user_id for each in recording.participants} == set(call.users)
    (file,) = recording.files
    assert (file.size, len(file.hash), file.mime_type) == (44 + 80_000, 64, "audio/wav")
    assert file.date == recording.date
    assert _ms(recording.date.end) - _ms(recording.date.start) == 10_000
    assert _ms(recording.date.end) == now


def _ms(text: str) -> int:
    return round(datetime.fromisoformat(text).timestamp() * 1000)


@case(ListRecordings, variants=(Variant.EARLIER,))
def list_recordings(setup: CaseSetup) -> Steps:
    call = _record(setup)
    answer = yield ListRecordings()
    last = answer[0]
    assert (last.call_id, last.caller, last.callee) == (call.id, call.caller, call.callee)
    assert (last.source, last.ts) == ("mixer", setup.clock.now_ms() - 10_000)
    assert (last.audio_file, last.video_file) == (("talk.wav",), ())
    assert [each.ts for each in answer] == sorted((each.ts for each in answer), reverse=True)
