"""The report of a time: reads a recording once, and computes all figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

from console.base.frozen import Frozen
from console.kinds.scope import Scope, scope
from console.recording.changes import RecordedChange
from console.recording.own import OwnFigures, own_changes
from console.recording.recording import ListRecording
from console.records.connection import Connection
from console.report.attention import AlertsFigures, Latest, RuleFigures, alerts, episodes
from console.report.calls import SLOTS, CallCounter, CallFigures, QualityFigures, quality
from console.report.support import AgentFigures, ChatCounter, SkillFigures, StaffCounter
from console.report.times import Interval, KnownTimes, Times, in_order, known_times
from console.views import wording
from console.views.render_context import RenderContext

Progress = Callable[[float], object]
"""Is told the share of the work that is done, 0 to 1. What it raises ends the work."""
_EACH = 2_000
"""Changes between two calls of it."""
SERIES = ("calls_waiting", "longest_wait")
_SHARES: Mapping[str, tuple[float, float]] = {"calls": (0.0, 0.7), "agents": (0.7, 0.9)}
"""The part of the work that a list usually takes."""


class ReportFault(Exception):
    """There is nothing to report. The message says why."""


class Report(Frozen):
    """All figures of the time between two moments. Figures of lists that were not recorded are None."""

    first_ms: int
    last_ms: int
    zone: str
    profile: str
    service: str
    known: KnownTimes
    lists: tuple[str, ...]
    """The lists that were recorded."""
    partial: tuple[str, ...]
    """Those of which the logged-in user sees only a part."""
    alerts: AlertsFigures | None
    rules: tuple[RuleFigures, ...] | None
    calls: CallFigures | None
    skills: tuple[SkillFigures, ...] | None
    agents: tuple[AgentFigures, ...] | None
    restarts: tuple[int, ...] | None
    """When the service started again."""
    quality: QualityFigures | None
    own: tuple[OwnFigures, ...]
    series: Mapping[str, tuple[float | None, ...]]
    """The highest sample of each slot of time by name, None where nothing was known."""
    damage: tuple[str, ...]
    """Parts that could not be read."""


def report(
    recording: ListRecording, first: int, last: int, render: RenderContext, progress: Progress = lambda _: None
) -> Report:
    """Compute a report. `render` is the context of the last moment, for names and thresholds.

    Takes seconds for a night: call it in a thread of its own. Raise ReportFault.
    """
    known = known_times(recording, first, last)
    if not known.recorded.parts:
        raise ReportFault("nothing was recorded in that time")
    lists = recording.kinds
    played = _Played(recording, (first, last), known.recorded, progress)
    calls = _calls(played, render, known) if "calls" in lists else None
    agents = skills = None
    if "agents" in lists:
        agents, skills = _support(played, render, known, with_skills="skills" in lists)
    alarms = played.latest("alarms") if "alarms" in lists else None
    talked = calls.talked if calls is not None else 0
    progress(1.0)
    return Report(
        first_ms=first,
        last_ms=last,
        zone=str(render.zone.key or "local time"),
        profile=recording.meta.get("profile", ""),
        service=recording.meta.get("service", ""),
        known=known,
        lists=lists,
        partial=tuple(each for each in lists if scope(each, render) is not Scope.ALL),
        alerts=alerts(played.latest("alerts"), first, last, render) if "alerts" in lists else None,
        rules=episodes(played.latest("episodes"), first, last) if "episodes" in lists else None,
        calls=calls,
        skills=skills,
        agents=agents,
        restarts=_restarts(played) if "connection" in lists else None,
        quality=None
        if alarms is None
        else quality(alarms.records.values(), (first, last), talked, render, lambda at: recording.rows("calls", at)),
        own=own_changes(recording.commands(first, last)),
        series=_series(recording, known.of("calls"), first, last),
        damage=recording.damage,
    )


class _Played:
    """The changes of lists between two moments, with progress."""

    def __init__(self, recording: ListRecording, window: Interval, recorded: Times, progress: Progress) -> None:
        self.recording = recording
        self.first, self.last = window
        self._recorded, self._progress = recorded, progress

    def changes(self, kind: str) -> Iterator[tuple[str, RecordedChange]]:
        """Yield the changes of a kind."""
        start, end = _SHARES.get(kind, (0.95, 0.95))
        for number, change in enumerate(self.recording.changes(kind, self.first, self.last)):
            if number % _EACH == 0:
                # Where nothing was recorded, there is nothing to read.
                passed = sum(until - since for since, until in self._recorded.within(self.first, change.at_ms))
                self._progress(start + (end - start) * min(1.0, passed / max(1, self._recorded.ms)))
            yield kind, change

    def latest(self, kind: str) -> Latest:
        """Return the last state of each record of a kind."""
        found = Latest(self.recording.rows(kind, self.first))
        for _, change in self.changes(kind):
            found.change(change)
        return found


def _calls(played: _Played, render: RenderContext, known: KnownTimes) -> CallFigures:
    first, last, rows = played.first, played.last, played.recording.rows
    counter = CallCounter(render, known.of("calls"), (first, last))
    counter.begin(rows("calls", first), rows("queues", first), rows("skills", first))
    for _, change in played.changes("calls"):
        counter.change(change)
    return counter.end(rows("calls", last))


def _support(
    played: _Played, render: RenderContext, known: KnownTimes, *, with_skills: bool
) -> tuple[tuple[AgentFigures, ...], tuple[SkillFigures, ...] | None]:
    first, rows = played.first, played.recording.rows
    chats, staff = ChatCounter(), StaffCounter(render, known.of("agents", "skills"))
    chats.begin(rows("agents", first))
    staff.begin(rows("agents", first), rows("skills", first), first)
    for kind, change in in_order(played.changes("agents"), played.changes("skills")):
        if kind == "skills":
            staff.skill(change)
        else:
            chats.change(change)
            staff.agent(change)
    return chats.end(render), staff.end(played.last) if with_skills else None


def _restarts(played: _Played) -> tuple[int, ...]:
    found: dict[int, None] = {}
    for _, change in played.changes("connection"):
        at = wording.at(cast("Connection", change.after).restarted_at) if change.after is not None else None
        if at is not None and played.first <= at <= played.last:
            found[round(at)] = None
    return tuple(sorted(found))


def _series(recording: ListRecording, known: Times, first: int, last: int) -> dict[str, tuple[float | None, ...]]:
    length = max(1, last - first)
    highest: dict[str, list[float | None]] = {name: [None] * SLOTS for name in SERIES}
    for at_ms, values in recording.samples(first, last):
        if not known.holds(at_ms):
            continue
        slot = min(SLOTS - 1, (at_ms - first) * SLOTS // length)
        for name, slots in highest.items():
            value, before = wording.number(values.get(name)), slots[slot]
            if value is not None:
                slots[slot] = value if before is None else max(before, value)
    return {name: tuple(slots) for name, slots in highest.items() if _any(slots)}


def _any(values: Sequence[float | None]) -> bool:
    return any(value is not None for value in values)
