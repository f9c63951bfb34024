"""A scenario while it is generated: the initial content of the database."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from console.base.frozen import Frozen
from console.records.contacts import Contact, StaticContact, UserContact
from console.records.meetings import Meeting, MissedCall
from console.records.people import Group, Session, User
from console.records.phonebooks import Phonebook
from console.records.recordings import Recording
from console.records.support import Agent, Alert, AlertTemplate, Presence, Skill, SupportChat
from console.records.traffic import Call, CallAlarm, CallStatistic, Conference
from console.service.scenarios.spec import WorldSpec

ADMIN = "eva"
SEEDED_AGENTS = ("ana", "bob", "carla")
PLAIN = "pat"
LOGINS = (ADMIN, *SEEDED_AGENTS, PLAIN)
"""The accounts of every scenario; their user ids are their user names."""
PASSWORD = "demo"
"""The password of all seeded users. For demonstrations and tests only."""


class SeededTemplate(Frozen):
    """A template with the ids of its receivers."""

    record: AlertTemplate
    receivers: tuple[str, ...]


class SeededAlert(Frozen):
    """An alert with data that its record does not contain: receivers, and times of its template."""

    record: Alert
    receivers: tuple[str, ...]
    retries: int
    every_ms: int
    expires_ms: int | None


@dataclass
class Draft:
    """A partly generated scenario. `now_ms` is its start time."""

    spec: WorldSpec
    now_ms: int
    users: dict[str, User] = field(default_factory=dict[str, User])
    groups: dict[str, Group] = field(default_factory=dict[str, Group])
    sessions: dict[str, Session] = field(default_factory=dict[str, Session])
    """Sessions of online users, by user id."""
    skills: dict[str, Skill] = field(default_factory=dict[str, Skill])
    agents: dict[str, Agent] = field(default_factory=dict[str, Agent])
    presences: dict[str, Presence] = field(default_factory=dict[str, Presence])
    followed: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Addresses that a user follows, by user id."""
    templates: dict[str, SeededTemplate] = field(default_factory=dict[str, SeededTemplate])
    calls: dict[str, Call] = field(default_factory=dict[str, Call])
    conferences: dict[str, Conference] = field(default_factory=dict[str, Conference])
    chats: dict[str, SupportChat] = field(default_factory=dict[str, SupportChat])
    alerts: dict[str, SeededAlert] = field(default_factory=dict[str, SeededAlert])
    alarms: dict[str, CallAlarm] = field(default_factory=dict[str, CallAlarm])
    statistics: dict[str, CallStatistic] = field(default_factory=dict[str, CallStatistic])
    """Statistics by call id."""
    meetings: dict[str, Meeting] = field(default_factory=dict[str, Meeting])
    missed_calls: dict[str, MissedCall] = field(default_factory=dict[str, MissedCall])
    recordings: dict[str, Recording] = field(default_factory=dict[str, Recording])
    recorded_as: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    """Additional columns of recordings, by id."""
    contacts: dict[str, Contact] = field(default_factory=dict[str, Contact])
    user_contacts: dict[str, UserContact] = field(default_factory=dict[str, UserContact])
    static_contacts: dict[str, StaticContact] = field(default_factory=dict[str, StaticContact])
    phonebooks: dict[str, Phonebook] = field(default_factory=dict[str, Phonebook])

    def dice(self, subject: str) -> Random:
        """Return the random number generator of one subject, so that a change of one subject does not affect others."""
        return Random(f"{self.spec.seed}:{subject}")

    def sessions_of(self, *user_ids: str) -> tuple[str, ...]:
        """Return the ids of these users' sessions."""
        return tuple(self.sessions[value].id for value in user_ids if value in self.sessions)

    def appear(self, user_id: str, activity: str) -> None:
        """Set the activity of a user, and of the agent with the same id, if any."""
        address = f"svc-user:{user_id}"
        self.presences[address] = self.presences[address].model_copy(update={"activity": activity})
        if user_id in self.agents:
            self.agents[user_id] = self.agents[user_id].model_copy(update={"activity": activity})

    def ago(self, seconds: float) -> int:
        """Return the time this many seconds before the start, in ms since the epoch."""
        return self.now_ms - round(seconds * 1000)
