"""Load a scenario into an empty platform."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

from console.records.contacts import Contact, StaticContact, UserContact
from console.records.meetings import Meeting, MissedCall
from console.records.people import Group, User
from console.records.phonebooks import Phonebook
from console.records.record import Record
from console.records.recordings import Recording
from console.records.structured import STRICT
from console.records.support import Agent, Alert, AlertTemplate, Presence, Skill, SupportChat
from console.records.traffic import Call, CallAlarm, Conference
from console.service.domain import alerts, people
from console.service.domain.agents import AGENTS, SKILLS
from console.service.domain.calls import CALLS, note_dates
from console.service.domain.chats import CHATS
from console.service.domain.conferences import CONFERENCES
from console.service.domain.groups import GROUPS
from console.service.domain.meetings import MEETINGS, set_password_hash
from console.service.domain.missed_calls import MISSED_CALLS
from console.service.domain.notifications import NOTIFICATIONS
from console.service.domain.people import USERS
from console.service.domain.presence import PRESENCE
from console.service.domain.quality import add_statistic, put_alarm
from console.service.domain.recorded import RECORDINGS
from console.service.domain.sessions import SESSIONS
from console.service.domain.status import STATUS, summary
from console.service.domain.templates import TEMPLATES
from console.service.platform import Platform
from console.service.scenarios.administration import store_administration, store_domains, store_reach
from console.service.scenarios.draft import LOGINS, PASSWORD, Draft, SeededAlert, SeededTemplate
from console.service.scenarios.people import draw_contacts, draw_people, store_contacts
from console.service.scenarios.spec import WorldSpec, fault, load_spec
from console.service.scenarios.support import draw_support
from console.service.scenarios.traffic import draw_calls, draw_meetings
from console.service.store.transaction import Transaction

R = TypeVar("R", bound=Record)


def draw(spec: WorldSpec, now_ms: int) -> Draft:
    """Generate a scenario for a start time; the same file and time give the same data. Raise ConfigFault."""
    draft = Draft(spec, now_ms)
    draw_people(draft)
    draw_calls(draft)
    draw_support(draft)
    draw_meetings(draft)
    draw_contacts(draft)
    _take_records(draft)
    return draft


def fill(platform: Platform, world: str | Path) -> WorldSpec:
    """Load a scenario, given by name or file, into a platform, and return the file's content.

    A platform with users is not changed, so that a database survives a restart. Raise ConfigFault.
    """
    spec = load_spec(world)
    with platform.read() as tx:
        if USERS.count(tx):
            return spec
    draft = draw(spec, platform.now_ms())
    with platform.write() as tx:
        if USERS.count(tx):
            # Another node has loaded it meanwhile.
            return spec
        _store_people(platform, tx, draft)
        _store_traffic(tx, draft)
        _store_desk(tx, draft)
        _store_meetings(platform, tx, draft)
        store_contacts(tx, draft)
        store_reach(platform, tx, draft)
        store_administration(platform, tx, draft)
        STATUS.put(tx, summary(platform, tx))
    return spec


def _store_people(platform: Platform, tx: Transaction, draft: Draft) -> None:
    """Store people, what they are in, and the password of those who can log in. Raise ConfigFault."""
    store_domains(platform, draft)
    USERS.load(tx, draft.users.values())
    password = platform.passwords.hash(PASSWORD)
    for login in LOGINS:
        people.set_password(platform, login, password)
    followers: dict[str, list[str]] = {}
    for user, addresses in draft.followed.items():
        for address in addresses:
            followers.setdefault(address, []).append(user)
    presences = draft.presences.values()
    PRESENCE.load_each(tx, ((each, {"followers": followers.get(each.address, [])}) for each in presences))
    SESSIONS.load(tx, draft.sessions.values())
    GROUPS.load(tx, draft.groups.values())
    AGENTS.load(tx, draft.agents.values())
    SKILLS.load(tx, draft.skills.values())


def _store_traffic(tx: Transaction, draft: Draft) -> None:
    """Store calls, conferences and their quality."""
    CALLS.load(tx, draft.calls.values())
    note_dates(tx, [int(each.date or 0) for each in draft.calls.values()])
    CONFERENCES.load(tx, draft.conferences.values())
    for call, statistic in draft.statistics.items():
        add_statistic(tx, call, statistic)
    for alarm in draft.alarms.values():
        put_alarm(tx, alarm)


def _store_desk(tx: Transaction, draft: Draft) -> None:
    """Store chats, alerts with their notifications, and templates."""
    began = {item.chat_id: item.timestamp for agent in draft.agents.values() for item in agent.channels.chat}
    chats, templates = draft.chats.values(), draft.templates.values()
    CHATS.load_each(tx, ((chat, {"began": int(began.get(chat.chat_id) or draft.now_ms)}) for chat in chats))
    TEMPLATES.load_each(tx, ((template.record, {"receivers": list(template.receivers)}) for template in templates))
    for seeded in draft.alerts.values():
        plan = {"retries": seeded.retries, "every": seeded.every_ms, "expires": seeded.expires_ms}
        alerts.ALERTS.load(tx, [seeded.record], receivers=list(seeded.receivers), **plan)
        if seeded.record.state == "active":
            notice = alerts.notice(seeded.record).model_copy(update={"id": seeded.record.alert_id})
            NOTIFICATIONS.load(tx, [notice], users=list(seeded.receivers))


def _store_meetings(platform: Platform, tx: Transaction, draft: Draft) -> None:
    """Store meetings, missed calls and recordings."""
    MEETINGS.load(tx, draft.meetings.values())
    protected = [meeting.id for meeting in draft.meetings.values() if meeting.is_password_protected]
    password = platform.passwords.hash(PASSWORD) if protected else ""
    for key in protected:
        set_password_hash(tx, key, password)
    MISSED_CALLS.load_each(
        tx, ((missed, {"number": number}) for number, missed in enumerate(draft.missed_calls.values(), 1))
    )
    stored: dict[str, Any] = {"filename": None, "backend": None, "caller": None, "callee": None}
    recordings = draft.recordings.items()
    RECORDINGS.load_each(
        tx, ((recording, {**stored, **draft.recorded_as.get(key, {})}) for key, recording in recordings)
    )


def _take_records(draft: Draft) -> None:
    """Add the records that the file contains; `receivers` belongs to alerts and templates."""
    records = draft.spec.records
    draft.users |= _read(User, records.users)
    draft.groups |= _read(Group, records.groups)
    draft.skills |= _read(Skill, records.skills)
    draft.calls |= _read(Call, tuple({"date": draft.now_ms, "from": draft.now_ms, **call} for call in records.calls))
    draft.conferences |= _read(
        Conference, tuple({"createdAt": draft.now_ms, **conference} for conference in records.conferences)
    )
    draft.presences |= _read(Presence, records.presences)
    draft.agents |= _read(Agent, records.agents)
    draft.chats |= _read(SupportChat, records.chats)
    draft.alarms |= _read(CallAlarm, tuple({"timestamp": draft.now_ms, **alarm} for alarm in records.alarms))
    draft.meetings |= _read(Meeting, records.meetings)
    draft.missed_calls |= _read(MissedCall, records.missed_calls)
    draft.recordings |= _read(Recording, records.recordings)
    draft.contacts |= _read(Contact, records.contacts)
    draft.user_contacts |= _read(UserContact, records.user_contacts)
    draft.static_contacts |= _read(StaticContact, records.static_contacts)
    draft.phonebooks |= _read(Phonebook, records.phonebooks)
    for template in records.templates:
        record, receivers = _with_receivers(AlertTemplate, template)
        draft.templates[record.template_id] = SeededTemplate(record, receivers)
    for each in records.alerts:
        alert, receivers = _with_receivers(Alert, {"createdAt": draft.now_ms, "state": "active", **each})
        plan = alerts.RetryPlan(3, 60_000, 600_000)
        stands = alerts.as_of(alert, plan, draft.now_ms)
        draft.alerts[alert.alert_id] = SeededAlert(stands, receivers, plan.retries, plan.every, plan.expires)


def _read(kind: type[R], given: tuple[dict[str, Any], ...]) -> dict[str, R]:
    records = [_one(kind, each) for each in given]
    return {record.key: record for record in records}


def _with_receivers(kind: type[R], given: dict[str, Any]) -> tuple[R, tuple[str, ...]]:
    own = {name: value for name, value in given.items() if name != "receivers"}
    return _one(kind, own), tuple(str(item) for item in given.get("receivers", ()))


def _one(kind: type[R], given: dict[str, Any]) -> R:
    try:
        record = kind.model_validate(given, context=STRICT)
    except ValueError as error:
        raise fault(f"a {kind.__name__} cannot be read: {error}", "records") from error
    if not record.key:
        raise fault(f"a {kind.__name__} has no {kind.key_field}", "records")
    return record
