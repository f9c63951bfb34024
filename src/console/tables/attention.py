"""What is wrong right now, worst first, and how each skill is covered: what the home screen answers unasked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Protocol, cast

from console.frozen import Frozen
from console.tables.cell import Tone
from console.tables.changes import C, Difference
from console.tables.sight import Sight
from console.tables.tally import Tallied
from console.text import SafeText, clean

if TYPE_CHECKING:
    from console.records.desk import Agent, Alert, Skill
    from console.records.record import Record
    from console.records.traffic import Call, CallAlarm

CONCERNING = ("calls", "alerts", "agents", "skills", "alarms")
"""Kinds that something may be wrong with: before each was listed once, nobody can say that all is well."""
WAIT_WARN_MS = 60_000
WAIT_BAD_MS = 120_000
FAILURES_SPAN_MS = 5 * 60_000
FAILURES_FROM = 3
ALARMS_SPAN_MS = 15 * 60_000
THIN_FROM = 1
"""A skill with this many reachable agents or fewer is thin."""


class Concern(Frozen):
    """Something a supervisor should look at, and the record or list where it can be dealt with."""

    tone: Tone
    word: str
    what: SafeText
    since_ms: int | None
    note: SafeText
    kind: str
    key: str = ""
    filter: str = ""
    """Filter to show the list with, when it is about several records."""


class Cover(Frozen):
    """How many agents of a skill can take work."""

    skill: SafeText
    key: str
    free: int
    busy: int
    away: int
    oldest_chat_ms: int | None
    """When its oldest support chat began, ms since the epoch."""

    @property
    def thin(self) -> bool:
        """Whether one more leaving would leave nobody, or nobody is there already."""
        return self.free + self.busy <= THIN_FROM


def waiting(sight: Sight) -> list[Call]:
    """Return the queued calls, the one that waits longest first."""
    calls = cast("Collection[Call]", sight.in_state("calls", "queued"))
    queued = [call for call in calls if call.date is not None]
    return sorted(queued, key=lambda call: (call.date or 0, call.id))


class Changes(Difference[C], Protocol[C]):
    """What `LongestWait` needs of what changed among the calls."""

    @property
    def version(self) -> int:
        """Up to which version it goes."""
        ...


class LongestWait:
    """How long the call has waited that waits longest, kept by what changes: thousands may wait, of which a few come
    or go between two beats."""

    def __init__(self, changes: Callable[[int], Changes[Record]]) -> None:
        """Begin with nothing; `changes` says what changed among the calls after a version."""
        self._changes = changes
        self._version = 0
        self._calls: object = None
        self._waits: dict[str, float] = {}
        self._tallied = Tallied()

    def ms(self, sight: Sight) -> int | None:
        """Return the wait in milliseconds, None while nobody waits."""
        calls = sight.known("calls")
        if calls is not self._calls:
            self._calls = calls
            self._follow(sight)
        since = self._tallied.earliest
        return None if since is None else max(0, sight.now_ms - int(since))

    def _follow(self, sight: Sight) -> None:
        changes = self._changes(self._version)
        self._version = changes.version
        if changes.whole:
            self._waits, self._tallied = {}, Tallied()
            for call in cast("Collection[Call]", sight.in_state("calls", "queued")):
                self._note(call.id, call.date or None)
            return
        for key in changes.removes:
            self._note(key, None)
        for key, call in cast("Mapping[str, Call]", changes.upserts).items():
            self._note(key, call.date if call.state == "queued" and call.date else None)

    def _note(self, key: str, since: float | None) -> None:
        before = self._waits.pop(key, None)
        if before is not None:
            self._tallied.add(("", before), -1)
        if since is not None:
            self._waits[key] = since
            self._tallied.add(("", since))


def covers(sight: Sight) -> list[Cover]:
    """Return how each skill is covered, the thinnest first."""
    agents = sight.known("agents")
    found: list[Cover] = []
    for skill in cast("Iterator[Skill]", iter(sight.known("skills").values())):
        members = [cast("Agent", agents[each]) for each in skill.agents if each in agents]
        online = [agent for agent in members if agent.online]
        busy = sum(engaged(agent) for agent in online)
        away = sum(agent.activity == "away" and not engaged(agent) for agent in online)
        started = [int(chat.timestamp) for agent in members for chat in agent.channels.chat if chat.timestamp]
        found.append(
            Cover(
                skill=clean(skill.skill, 24),
                key=skill.skill,
                free=len(online) - busy - away,
                busy=busy,
                away=away + len(members) - len(online),
                oldest_chat_ms=min(started, default=None),
            )
        )
    return sorted(found, key=lambda cover: (not cover.thin, cover.free, cover.skill))


def load(agent: Agent) -> int:
    """Return how many things an agent works on, over all channels."""
    return len(agent.channels.chat) + len(agent.channels.voice) + len(agent.channels.c2c)


def engaged(agent: Agent) -> bool:
    """Say whether an agent has something to work on, or says so."""
    return bool(load(agent)) or agent.activity in {"busy", "oncall", "dnd"}


def concerns(sight: Sight) -> list[Concern]:
    """Return everything that needs attention, the worst and oldest first; empty means all is well."""
    found = [*_alerts(sight), *_waits(sight), *_failures(sight), *_thin(sight), *_alarms(sight)]
    rank = {Tone.BAD: 0, Tone.WARN: 1}
    return sorted(found, key=lambda each: (rank.get(each.tone, 2), each.since_ms or sight.now_ms, each.key))


def _alerts(sight: Sight) -> Iterator[Concern]:
    for alert in cast("Collection[Alert]", sight.in_state("alerts", "active")):
        yield Concern(
            tone=Tone.BAD,
            word="alert",
            what=clean(alert.title or alert.alert_id, 60),
            since_ms=_ms(alert.created_at),
            note=clean("not accepted"),
            kind="alerts",
            key=alert.alert_id,
        )


def _waits(sight: Sight) -> Iterator[Concern]:
    for call in waiting(sight)[:3]:
        waited = sight.now_ms - int(call.date or 0)
        if waited < WAIT_WARN_MS:
            continue
        place = "" if call.queue_position is None else f"place {call.queue_position:g}"
        yield Concern(
            tone=Tone.BAD if waited >= WAIT_BAD_MS else Tone.WARN,
            word="wait",
            what=clean(f"{call.caller or 'unknown'} → {call.target or call.callee or 'unknown'}", 60),
            since_ms=_ms(call.date),
            note=clean(place),
            kind="calls",
            key=call.id,
        )


def _failures(sight: Sight) -> Iterator[Concern]:
    recent = [
        call
        for call in cast("Collection[Call]", sight.in_state("calls", "servererror"))
        if sight.now_ms - int(call.to or call.date or 0) <= FAILURES_SPAN_MS
    ]
    if len(recent) >= FAILURES_FROM:
        yield Concern(
            tone=Tone.BAD,
            word="calls",
            what=clean(f"servererror {len(recent)} in 5 min"),
            since_ms=min(int(call.to or call.date or 0) for call in recent),
            note=clean("see them"),
            kind="calls",
            filter="state:servererror age<5m",
        )


def _thin(sight: Sight) -> Iterator[Concern]:
    for cover in covers(sight):
        if cover.thin:
            reachable = cover.free + cover.busy
            yield Concern(
                tone=Tone.WARN if reachable else Tone.BAD,
                word="thin",
                what=clean(f"{cover.skill}: {reachable or 'nobody'} reachable"),
                since_ms=None,
                note=clean(f"{cover.free} free"),
                kind="skills",
                key=cover.key,
            )


def _alarms(sight: Sight) -> Iterator[Concern]:
    recent = [
        alarm
        for alarm in cast("Iterator[CallAlarm]", iter(sight.known("alarms").values()))
        if sight.now_ms - int(alarm.timestamp or 0) <= ALARMS_SPAN_MS
    ]
    if recent:
        yield Concern(
            tone=Tone.WARN,
            word="quality",
            what=clean(f"{len(recent)} call quality alarm{'s' if len(recent) > 1 else ''} in 15 min"),
            since_ms=min(int(alarm.timestamp or 0) for alarm in recent),
            note=clean("see them"),
            kind="alarms",
        )


def _ms(value: float | None) -> int | None:
    return None if value is None else int(value)
