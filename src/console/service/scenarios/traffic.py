"""Generate calls: queued, connected and ended ones, the missed and the recorded ones; and meetings."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from console.records.meetings import DialIn, Meeting, MeetingParticipant, MissedCall, RecordingConfig
from console.records.support import AgentConference
from console.records.traffic import Call, Conference
from console.service.domain.meetings import DIAL_IN_NUMBER
from console.service.domain.people import reference
from console.service.domain.recorded import columns_of, of_call
from console.service.domain.relations import user_id_of
from console.service.scenarios import names
from console.service.scenarios.draft import ADMIN, LOGINS, Draft

END_STATES = ("ended", "noanswer", "cancelled", "busy", "rejected")
END_WEIGHTS = (64, 12, 11, 6, 7)
REASONS = {
    "ended": ("caller hung up", "callee hung up"),
    "noanswer": ("nobody answered",),
    "cancelled": ("caller gave up",),
    "busy": ("callee is busy",),
    "rejected": ("callee declined", "do not disturb"),
    "servererror": ("trunk MAD-2 timed out", "media server unreachable", "gateway answered 503", "no route"),
}
"""Reasons in `data.reason`, by end state."""
_LOOKS_BACK = 90 * 60
_HOUR_MS = 3_600_000
_QUARTER_MS = 900_000


@dataclass
class _Crew:
    """Users and agents available for generated calls."""

    users: list[str]
    addresses: list[str]
    ready: list[tuple[str, str]]
    """Available agents, each with a skill; calls take them from the end."""
    spared: int
    """Number of them to leave free."""

    @classmethod
    def of(cls, draft: Draft, rng: Random) -> _Crew:
        known = [(agent, skill.skill) for skill in draft.skills.values() for agent in skill.agents]
        rng.shuffle(known)
        free = {agent: skill for agent, skill in known if draft.agents[agent].activity == "available"}
        return cls(list(draft.users), list(draft.presences), list(free.items()), max(3, len(free) // 4))


def draw_calls(draft: Draft) -> None:
    """Generate the calls, and their effects on the people in them."""
    plan = draft.spec.calls
    rng = draft.dice("calls")
    crew = _Crew.of(draft, rng)
    ringing = (plan.live - plan.queued) // 8
    for _ in range(plan.queued):
        _queued(draft, rng)
    for number in range(plan.live - plan.queued - ringing):
        if number % 5 >= 3 or not _with_agent(draft, rng, crew):
            _direct(draft, rng, crew)
    for _ in range(ringing):
        _ringing(draft, rng, crew)
    for _ in range(plan.listed - len(draft.calls)):
        _ended(draft, rng, crew)
    _number_queues(draft)


def _id(draft: Draft) -> str:
    return f"c{100_000 + len(draft.calls)}"


def _add(draft: Draft, call: Call) -> None:
    draft.calls[call.id] = call.model_copy(update={"from_": call.date})


def _queue(draft: Draft, rng: Random) -> tuple[str, str]:
    """Return a random queue, with a probability by its number of agents, and its telephone number."""
    weights = [skill.agents + 1 for skill in draft.spec.skills]
    plan = rng.choices(draft.spec.skills, weights)[0]
    return plan.skill, plan.number or "+34900100100"


def _context(rng: Random, skill: str) -> dict[str, Any]:
    return {"skill": skill, "subject": rng.choice(names.SUBJECTS)}


def _queued(draft: Draft, rng: Random) -> None:
    if not draft.spec.skills:
        return
    skill, number = _queue(draft, rng)
    began = draft.ago(rng.uniform(2, draft.spec.calls.patience_seconds))
    _add(
        draft,
        Call(
            id=_id(draft),
            caller=names.outside_number(rng),
            callee=number,
            target=skill,
            date=began,
            state="queued",
            context=_context(rng, skill),
        ),
    )


def _with_agent(draft: Draft, rng: Random, crew: _Crew) -> bool:
    """Generate a call from a queue to an agent; return False if no agent is free."""
    while crew.ready and draft.agents[crew.ready[-1][0]].activity != "available":
        crew.ready.pop()
    if len(crew.ready) <= crew.spared:
        return False
    agent_id, skill = crew.ready.pop()
    number = next((skill_plan.number for skill_plan in draft.spec.skills if skill_plan.skill == skill), None)
    waited = rng.uniform(4, draft.spec.calls.patience_seconds)
    answered = draft.ago(rng.uniform(3, draft.spec.calls.talk_seconds * 1.6))
    began = answered - round(waited * 1000)
    caller = names.outside_number(rng)
    address = f"svc-user:{agent_id}"
    attempts: list[dict[str, Any]] = []
    rang = answered - rng.randint(2, 9) * 1000
    missed = rng.choice(draft.skills[skill].agents)
    if missed != agent_id and rng.random() < 0.25:
        attempts.append(
            {
                "address": f"svc-user:{missed}",
                "from": max(began, rang - 20_000),
                "to": rang,
                "state": "noanswer",
                "reason": "nobody answered",
            }
        )
    attempts.append({"address": address, "from": rang, "state": "connected", "answeredAt": answered})
    call = Call(
        id=_id(draft),
        caller=caller,
        callee=address,
        target=skill,
        users=(agent_id,),
        sessions=draft.sessions_of(agent_id),
        date=began,
        state="connected",
        context=_context(rng, skill),
        attempts=tuple(attempts),
        data={"number": number} if number else None,
    )
    _add(draft, call)
    agent = draft.agents[agent_id]
    work = AgentConference(conference_id=call.id, timestamp=answered, users=(caller,))
    channels = agent.channels.model_copy(update={"voice": (work,)})
    draft.agents[agent_id] = agent.model_copy(update={"channels": channels})
    draft.appear(agent_id, "oncall")
    return True


def _partner(draft: Draft, rng: Random, crew: _Crew) -> str | None:
    """Return a random user who is online, free and not an agent."""
    for _ in range(40):
        presence = draft.presences[rng.choice(crew.addresses)]
        if presence.activity in {"available", "busy"} and presence.id not in draft.agents:
            return presence.id
    return None


def _direct(draft: Draft, rng: Random, crew: _Crew) -> None:
    """Generate a call between users, or between a user and the outside."""
    user = _partner(draft, rng, crew)
    if user is None:
        return
    draft.appear(user, "oncall")
    other = _partner(draft, rng, crew) if rng.random() < 0.45 else None
    if other is not None:
        draft.appear(other, "oncall")
    outside = names.outside_number(rng) if other is None else f"svc-user:{other}"
    inbound = other is None and rng.random() < 0.5
    caller, callee = (outside, f"svc-user:{user}") if inbound else (f"svc-user:{user}", outside)
    answered = draft.ago(rng.uniform(2, draft.spec.calls.talk_seconds * 2))
    began = answered - rng.randint(3, 14) * 1000
    users = (user,) if other is None else (user, other)
    _add(
        draft,
        Call(
            id=_id(draft),
            caller=caller,
            callee=callee,
            users=users,
            sessions=draft.sessions_of(*users),
            date=began,
            state="connected",
            attempts=({"address": callee, "from": began, "state": "connected", "answeredAt": answered},),
        ),
    )


def _ringing(draft: Draft, rng: Random, crew: _Crew) -> None:
    user = _partner(draft, rng, crew)
    if user is None:
        return
    callee = f"svc-user:{user}"
    began = draft.ago(rng.uniform(0, 12))
    caller = names.outside_number(rng)
    _add(
        draft,
        Call(
            id=_id(draft),
            caller=caller,
            callee=callee,
            users=(user,),
            sessions=draft.sessions_of(user),
            date=began,
            state="ringing",
            attempts=({"address": callee, "from": began, "state": "ringing"},),
        ),
    )


def _ended(draft: Draft, rng: Random, crew: _Crew) -> None:
    plan = draft.spec.calls
    failed = rng.random() < plan.failing
    state = "servererror" if failed else rng.choices(END_STATES, END_WEIGHTS)[0]
    reason = rng.choice(REASONS[state])
    ended = draft.ago(rng.uniform(5, _LOOKS_BACK))
    rang = rng.randint(2, 25)
    talked = rng.expovariate(1 / plan.talk_seconds) if state == "ended" else 0.0
    through_queue = bool(draft.spec.skills) and rng.random() < plan.through_queues
    user = rng.choice(crew.users)
    skill, number = _queue(draft, rng) if through_queue else ("", "")
    if through_queue and draft.skills[skill].agents:
        user = rng.choice(draft.skills[skill].agents)
    waited = rng.expovariate(1 / 40) if through_queue else 0.0
    answered = ended - round(talked * 1000)
    rings_from = answered - rang * 1000
    began = rings_from - round(waited * 1000)
    outside = names.outside_number(rng)
    address = f"svc-user:{user}"
    outbound = not through_queue and rng.random() < 0.4
    tried = outside if outbound else address
    reached = not (through_queue and state in {"cancelled", "servererror"})
    attempt: dict[str, Any] = {"address": tried, "from": rings_from, "to": ended, "state": state, "reason": reason}
    if state == "ended":
        attempt["answeredAt"] = answered
    _add(
        draft,
        Call(
            id=_id(draft),
            caller=address if outbound else outside,
            callee=tried if reached else number,
            target=skill or None,
            users=(user,) if reached else (),
            sessions=draft.sessions_of(user) if reached else (),
            date=began,
            to=ended,
            state=state,
            context=_context(rng, skill) if skill else None,
            attempts=(attempt,) if reached else (),
            data={"reason": reason},
        ),
    )


def _number_queues(draft: Draft) -> None:
    places: dict[str, int] = {}
    waiting = [call for call in draft.calls.values() if call.state == "queued"]
    for call in sorted(waiting, key=lambda each: (each.date or 0, each.id)):
        places[call.target or ""] = places.get(call.target or "", 0) + 1
        draft.calls[call.id] = call.model_copy(update={"queue_position": places[call.target or ""]})


def draw_meetings(draft: Draft) -> None:
    """Generate meetings, missed calls and recordings."""
    _meetings(draft)
    _missed_calls(draft)
    _recordings(draft)


def _meetings(draft: Draft) -> None:
    """Generate meetings: first meetings of conferences, then future ones."""
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
    _add_meeting(draft, rng, index, people[0], people[1:], since, since + _HOUR_MS, str(conference.room_id))


def _planned(draft: Draft, rng: Random, index: int) -> None:
    creator = ADMIN if index % 3 == 0 else rng.choice(LOGINS)
    others = [user for user in draft.users if user != creator]
    guests = rng.sample(others, min(len(others), rng.randint(2, 7)))
    ahead = draft.now_ms + rng.randint(1, 4 * 96) * _QUARTER_MS
    since = ahead - ahead % _QUARTER_MS
    _add_meeting(
        draft, rng, index, creator, guests, since, since + rng.choice((2, 4, 6)) * _QUARTER_MS, f"room-m{index + 1}"
    )


def _add_meeting(
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
