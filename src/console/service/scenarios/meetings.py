"""Generate meetings, missed calls of the seeded accounts, and recordings."""

from __future__ import annotations

from random import Random
from typing import Any

from console.records.meetings import DialIn, Meeting, MeetingParticipant, MissedCall, RecordingConfig
from console.records.traffic import Conference
from console.service.domain.meetings import DIAL_IN_NUMBER, MEETINGS, set_password_hash
from console.service.domain.missed_calls import MISSED_CALLS
from console.service.domain.people import reference
from console.service.domain.recorded import RECORDINGS, columns_of, of_call
from console.service.domain.relations import user_id_of
from console.service.platform import Platform
from console.service.scenarios import names
from console.service.scenarios.draft import ADMIN, LOGINS, PASSWORD, Draft
from console.service.store.transaction import Transaction

_HOUR_MS = 3_600_000
_QUARTER_MS = 900_000


def draw_meetings(draft: Draft) -> None:
    """Generate meetings, missed calls and recordings."""
    _meetings(draft)
    _missed_calls(draft)
    _recordings(draft)


def store_meetings(platform: Platform, tx: Transaction, draft: Draft) -> None:
    """Store meetings, missed calls and recordings."""
    MEETINGS.load(tx, draft.meetings.values())
    protected = [meeting.id for meeting in draft.meetings.values() if meeting.is_password_protected]
    password = platform.passwords.hash(PASSWORD) if protected else ""
    for key in protected:
        set_password_hash(tx, key, password)
    for number, missed in enumerate(draft.missed_calls.values(), 1):
        MISSED_CALLS.load(tx, [missed], number=number)
    stored: dict[str, Any] = {"filename": None, "backend": None, "caller": None, "callee": None}
    for key, recording in draft.recordings.items():
        RECORDINGS.load(tx, [recording], **{**stored, **draft.recorded_as.get(key, {})})


def _meetings(draft: Draft) -> None:
    """Generate meetings: first those of conferences, then future ones."""
    rng = draft.dice("meetings")
    held = list(draft.conferences.values())[: draft.spec.meetings.listed // 2]
    for index in range(draft.spec.meetings.listed):
        if index < len(held):
            _held(draft, rng, index, held[index])
        else:
            _planned(draft, rng, index)


def _held(draft: Draft, rng: Random, index: int, conference: Conference) -> None:
    """Generate the meeting of a conference."""
    inside = [user_id_of(participant.address) for participant in conference.participants]
    asked = [user_id_of(invite.to) for invite in conference.invites]
    people = [fromkey for fromkey in dict.fromkeys((*inside, *asked)) if fromkey in draft.users]
    if not people:
        return
    began = int(conference.created_at or draft.now_ms)
    since = began - began % _QUARTER_MS
    _add(draft, rng, index, people[0], people[1:], since, since + _HOUR_MS, str(conference.room_id))


def _planned(draft: Draft, rng: Random, index: int) -> None:
    creator = ADMIN if index % 3 == 0 else rng.choice(LOGINS)
    others = [user for user in draft.users if user != creator]
    guests = rng.sample(others, min(len(others), rng.randint(2, 7)))
    ahead = draft.now_ms + rng.randint(1, 4 * 96) * _QUARTER_MS
    since = ahead - ahead % _QUARTER_MS
    _add(draft, rng, index, creator, guests, since, since + rng.choice((2, 4, 6)) * _QUARTER_MS, f"room-m{index + 1}")


def _add(
    draft: Draft, rng: Random, index: int, creator: str, guests: list[str], since: int, until: int, room: str
) -> None:
    participants = [
        MeetingParticipant(
            user_id=guest,
            email=draft.users[guest].email,
            locale=draft.users[guest].locale,
            current_timezone=draft.users[guest].current_timezone,
        )
        for guest in guests
    ]
    if rng.random() < 0.3:
        first, last = names.full_name(rng)
        mail = f"{names.username(first, last)}@{rng.choice(names.COMPANY_DOMAINS)}"
        participants.append(MeetingParticipant(email=mail, phone=names.mobile(rng), send_sms=True, locale="es-ES"))
    key = f"meeting-{index + 1}"
    draft.meetings[key] = Meeting(
        id=key,
        room_id=room,
        name=f"{rng.choice(names.MEETINGS)} {rng.choice(names.PLACES)}",
        user=reference(draft.users[creator]),
        users=tuple(reference(draft.users[guest]).wire() for guest in guests),
        language=rng.choice(("es", "es", "es", "pt", "en")),
        participants=tuple(participants),
        valid_since=since,
        valid_until=until,
        phone=DIAL_IN_NUMBER,
        ddi=DialIn(extension=f"{200_000 + index}", pin=f"{rng.randrange(10**4):04d}"),
        is_password_protected=rng.random() < 0.25,
        valid_time_before_start=10 * 60_000,
        valid_time_after_finish=15 * 60_000,
        record=RecordingConfig(type="none"),
    )


def _missed_calls(draft: Draft) -> None:
    """Generate the missed calls of each account in order of time; the older half is read."""
    rng = draft.dice("missed calls")
    count = draft.spec.missed_calls.listed
    for login in LOGINS:
        moments = sorted(draft.ago(rng.uniform(60, 2 * 86_400)) for _ in range(count))
        for number, moment in enumerate(moments):
            others = [user for user in draft.users if user != login]
            outside = rng.random() < 0.5
            source = names.outside_number(rng) if outside else f"svc-user:{rng.choice(others)}"
            key = f"missed-{login}-{number + 1}"
            log = {"id": f"log-{key}", "roomId": f"room-{key}", "state": "finished", "createdAt": moment}
            draft.missed_calls[key] = MissedCall.model_validate(
                {
                    "id": key,
                    "userId": login,
                    "from": source,
                    "meta": {"inviteId": f"invite-{key}", "conferenceLog": {**log, "finishedAt": moment + 25_000}},
                    "createdAt": moment,
                    "read": number < count // 2,
                }
            )


def _recordings(draft: Draft) -> None:
    """Generate recordings of some answered calls, from their answer to their end."""
    rng = draft.dice("recordings")
    talked = [call for call in draft.calls.values() if call.state == "ended" and call.users and call.attempts]
    for call in rng.sample(talked, min(len(talked), draft.spec.recordings.listed)):
        recording = {
            "active": False,
            "filename": f"{call.target or 'call'}-{call.id}.wav",
            "startedAt": int(call.attempts[-1].get("answeredAt") or call.date or 0),
            "startedBy": call.users[0],
            "stoppedAt": int(call.to or draft.now_ms),
        }
        draft.calls[call.id] = call.model_copy(update={"data": {**(call.data or {}), "recording": recording}})
        key = f"rec-{call.id}"
        draft.recordings[key] = of_call(key, call, recording, draft.spec.domain)
        draft.recorded_as[key] = columns_of(call, recording)
