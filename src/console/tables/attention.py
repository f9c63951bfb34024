"""What is wrong right now, worst first, and how each skill is covered: what the home screen answers unasked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, cast

from console.frozen import Frozen
from console.tables import words
from console.tables.cell import Tone
from console.tables.facts import alerts, calls
from console.tables.facts.skills import Staffing, all_staffing
from console.tables.sight import Sight
from console.tables.staffing import too_few
from console.tables.thresholds import level
from console.text import SafeText, clean

if TYPE_CHECKING:
    from console.records.desk import Skill
    from console.records.traffic import Call, CallAlarm

CONCERNING = ("calls", "alerts", "agents", "skills", "alarms")
"""Kinds that something may be wrong with: before each was listed once, nobody can say that all is well."""
FAILURES_SPAN_MS = 5 * 60_000
FAILURES_FROM = 3
ALARMS_SPAN_MS = 15 * 60_000


class Concern(Frozen):
    """Something a supervisor should look at, and the record or list where it can be dealt with."""

    tone: Tone
    word: str
    what: SafeText
    since_ms: float | None
    note: SafeText
    kind: str
    key: str = ""
    filter: str = ""
    """Filter to show the list with, when it is about several records."""


def covers(sight: Sight) -> list[tuple[Skill, Staffing]]:
    """Return how each skill is staffed, the worst first."""
    return sorted(all_staffing(sight), key=lambda each: (not each[1].understaffed, each[1].free, each[0].skill))


def concerns(sight: Sight) -> list[Concern]:
    """Return everything that needs attention, the worst and oldest first; empty means all is well."""
    found = [*_alerts(sight), *_waits(sight), *_failures(sight), *_understaffed(sight), *_alarms(sight)]
    rank = {Tone.BAD: 0, Tone.WARN: 1}
    return sorted(found, key=lambda each: (rank.get(each.tone, 2), each.since_ms or sight.now_ms, each.key))


def _alerts(sight: Sight) -> Iterator[Concern]:
    for alert in alerts.active(sight):
        yield Concern(
            tone=Tone.BAD,
            word="alert",
            what=clean(alert.title or alert.alert_id, 60),
            since_ms=words.at(alert.created_at),
            note=clean("not accepted"),
            kind="alerts",
            key=alert.alert_id,
        )


def _waits(sight: Sight) -> Iterator[Concern]:
    levels, known = level(calls.WAIT, sight), cast("Mapping[str, Call]", sight.known("calls"))
    for wait in calls.waits(sight)[:3]:
        tone = levels.tone(wait.ms(sight.now_ms))
        if tone is Tone.PLAIN:
            break  # The longest come first.
        call = known[wait.key]
        yield Concern(
            tone=tone,
            word="wait",
            what=clean(f"{call.caller or 'unknown'} → {wait.target or 'unknown'}", 60),
            since_ms=wait.since,
            note=clean("" if call.queue_position is None else f"place {call.queue_position:g}"),
            kind="calls",
            key=wait.key,
        )


def _failures(sight: Sight) -> Iterator[Concern]:
    ends = [at for call in calls.failures(sight) if (at := calls.ended_at(call)) is not None]
    recent = [at for at in ends if sight.now_ms - at <= FAILURES_SPAN_MS]
    if len(recent) >= FAILURES_FROM:
        yield Concern(
            tone=Tone.BAD,
            word="calls",
            what=clean(f"servererror {len(recent)} in 5 min"),
            since_ms=min(recent),
            note=clean("see them"),
            kind="calls",
            filter="failed:yes age<5m",
        )


def _understaffed(sight: Sight) -> Iterator[Concern]:
    for skill, staff in covers(sight):
        if staff.understaffed:
            yield Concern(
                tone=staff.severity,
                word="staffing",
                what=clean(f"{clean(skill.skill, 24)}: {too_few(staff)} can take work"),
                since_ms=None,
                note=clean(f"{staff.free} free"),
                kind="skills",
                key=skill.skill,
            )


def _alarms(sight: Sight) -> Iterator[Concern]:
    known = cast("Iterator[CallAlarm]", iter(sight.known("alarms").values()))
    recent = [at for each in known if (at := words.at(each.timestamp)) and sight.now_ms - at <= ALARMS_SPAN_MS]
    if recent:
        yield Concern(
            tone=Tone.WARN,
            word="quality",
            what=clean(f"{words.plural(len(recent), 'call quality alarm')} in 15 min"),
            since_ms=min(recent),
            note=clean("see them"),
            kind="alarms",
        )
