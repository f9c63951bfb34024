"""The report of a time: reads a recording once, and computes all figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import itemgetter
from statistics import median
from typing import cast

from console.base.frozen import Frozen
from console.kinds.alerts.facts import is_accepted, is_active, time_to_accept, unaccepted
from console.kinds.episodes.facts import over
from console.kinds.episodes.states import SEVERITIES
from console.kinds.scope import Scope, scope
from console.recording.changes import RecordedChange
from console.recording.journaled_changes import JournaledChange, journaled_changes
from console.recording.recording import ListRecording
from console.records.connection import Connection
from console.records.episodes import Episode
from console.records.record import Record
from console.records.support import Alert
from console.report.calls import SLOTS, CallCounter, CallFigures, QualityFigures, quality
from console.report.support import AgentFigures, ChatCounter, SkillFigures, StaffCounter
from console.report.times import Interval, KnownTimes, Times, in_order, known_times
from console.views import wording
from console.views.render_context import RenderContext

MOST = 50
"""Alerts that are named."""


class AlertFigures(Frozen):
    """An alert of the time."""

    alert: str
    title: str
    sent_ms: int
    state: str
    accepted_by: str
    """Empty if nobody did, or if it is not known who."""
    accepted_ms: int | None
    """Time until it was accepted."""


class AlertsFigures(Frozen):
    """The alerts that were sent, or waited at the beginning. Times in ms."""

    sent: int
    accepted: int
    median_ms: int | None
    by: tuple[tuple[str, int, int | None], ...]
    """People by number of accepted alerts, with the median time; most first."""
    slowest: tuple[AlertFigures, ...]
    """The accepted ones that took longest, the slowest first."""
    never: tuple[AlertFigures, ...]
    """Those that nobody accepted, the oldest first."""
    never_many: int
    unknown: int
    """Alerts that somebody may have accepted: nothing tells."""
    untimed: int
    """Accepted ones of which it is not known after how long."""
    undated: int
    """Further alerts, which do not tell when they were sent."""


class RuleFigures(Frozen):
    """The episodes of a rule. Times in ms."""

    rule: str
    title: str
    severity: str
    """The worst."""
    episodes: int
    ms: int
    """How long they lasted together, within the time of the report."""
    longest_ms: int
    longest_at: int
    """When the longest began, at the earliest the beginning of the report."""
    longest_words: str
    longest_id: str
    seen: int
    """How many a person marked as seen."""
    seen_median_ms: int | None
    """Time until then."""
    seen_by: tuple[str, ...]


class Latest:
    """The last state of each record of a kind, when those that are gone went, and when each episode was first seen."""

    def __init__(self, rows: Mapping[str, Record]) -> None:
        self.records = dict(rows)
        self.gone: dict[str, int] = {}
        self.seen: dict[str, tuple[float, str]] = {}
        for key, row in rows.items():
            self._see(key, row)

    def change(self, change: RecordedChange) -> None:
        """Follow a change; a record that the list does not have any more is kept as it was."""
        if change.after is None:
            self.gone[change.key] = change.at_ms
        else:
            self.gone.pop(change.key, None)
            self.records[change.key] = change.after
            self._see(change.key, change.after)

    def _see(self, key: str, record: Record) -> None:
        if isinstance(record, Episode) and key not in self.seen:
            began, at = wording.at(record.began_at), wording.at(record.seen_at)
            if at is not None and at >= (began or 0):
                self.seen[key] = at, record.seen_by or ""


def alerts(latest: Latest, first: int, last: int, render: RenderContext) -> AlertsFigures:
    """Return the figures of the alerts."""
    accepted: list[AlertFigures] = []
    never: list[AlertFigures] = []
    undated = unknown = 0
    for key, alert in cast("Mapping[str, Alert]", latest.records).items():
        sent, resolved = wording.at(alert.created_at), wording.at(alert.resolved_at)
        if not is_active(alert) and (sent or first - 1) < first and (resolved or 0) < first:
            continue
        if sent is None or sent > last:
            undated += sent is None
            continue
        taken = time_to_accept(alert)
        figures = AlertFigures(
            alert.alert_id,
            alert.title or alert.alert_id,
            round(sent),
            alert.state or ("active" if is_active(alert) else "accepted" if alert.accepted_by else ""),
            wording.name(alert.accepted_by, render) or "",
            None if taken is None else round(taken),
        )
        if is_accepted(alert):
            accepted.append(figures)
        elif unaccepted(alert) and not (is_active(alert) and key in latest.gone):
            never.append(figures)
        else:
            # Its state does not say so, or the list had it no more while it was open.
            unknown += 1
    never.sort(key=lambda alert: alert.sent_ms)
    people: dict[str, list[AlertFigures]] = {}
    for alert in accepted:
        if alert.accepted_by:
            people.setdefault(alert.accepted_by, []).append(alert)
    by = sorted(((who, len(many), _median(alert.accepted_ms for alert in many)) for who, many in people.items()))
    return AlertsFigures(
        len(accepted) + len(never) + unknown,
        len(accepted),
        _median(alert.accepted_ms for alert in accepted),
        tuple(sorted(by, key=lambda accepter: -accepter[1])),
        tuple(sorted(accepted, key=lambda alert: -(alert.accepted_ms or 0))[:MOST]),
        tuple(never[:MOST]),
        len(never),
        unknown,
        sum(alert.accepted_ms is None for alert in accepted),
        undated,
    )


def episodes(latest: Latest, first: int, last: int, known: Times) -> tuple[RuleFigures, ...]:
    """Return the figures of the rules, those with the worst severity first.

    An episode without an end lasted as long as it is known: nothing says that it went on after that.
    """
    rules: dict[str, list[tuple[float, Episode]]] = {}
    for key, episode in cast("Mapping[str, Episode]", latest.records).items():
        began, ended = wording.at(episode.began_at), wording.at(episode.ended_at)
        if began is None or began > last or (over(episode) and (ended or 0) < first):
            continue
        until = known.last(latest.gone.get(key, last), first) if ended is None else ended
        lasted = max(0.0, min(last, until) - max(first, began))
        rules.setdefault(episode.rule or "", []).append((lasted, episode))
    rule_figures = [_rule(name, many, latest, first) for name, many in rules.items()]
    return tuple(
        sorted(
            rule_figures,
            key=lambda rule_figures: (
                SEVERITIES.look(rule_figures.severity).rank,
                -rule_figures.episodes,
                rule_figures.rule,
            ),
        )
    )


def _rule(name: str, many: list[tuple[float, Episode]], latest: Latest, first: int) -> RuleFigures:
    longest, one = max(many, key=itemgetter(0))
    seen = {episode.id: latest.seen[episode.id] for _, episode in many if episode.id in latest.seen}
    delays = [seen[episode.id][0] - (wording.at(episode.began_at) or 0) for _, episode in many if episode.id in seen]
    worst = min(
        (episode.worst or episode.severity or "" for _, episode in many),
        key=lambda severity: SEVERITIES.look(severity).rank,
    )
    return RuleFigures(
        rule=name,
        title=one.title or name,
        severity=worst,
        episodes=len(many),
        ms=round(sum(lasted for lasted, _ in many)),
        longest_ms=round(longest),
        longest_at=max(first, round(wording.at(one.began_at) or 0)),
        longest_words=one.words or "",
        longest_id=one.id,
        seen=len(seen),
        seen_median_ms=_median(delays),
        seen_by=tuple(sorted({who for _, who in seen.values() if who})),
    )


def _median(values: Iterable[float | None]) -> int | None:
    known = [value for value in values if value is not None]
    return round(median(known)) if known else None


Progress = Callable[[float], object]
"""Called with the share of the work that is done, 0 to 1. An exception ends the work."""
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
    """Recorded lists of which the logged-in user sees only a part."""
    alerts: AlertsFigures | None
    rules: tuple[RuleFigures, ...] | None
    calls: CallFigures | None
    skills: tuple[SkillFigures, ...] | None
    skills_in_doubt: tuple[str, ...]
    """Skills of which it was not always known whether enough agents could take work."""
    agents: tuple[AgentFigures, ...] | None
    chats_in_doubt: tuple[str, ...]
    """Names of agents whose chats could not always be read."""
    restarts: tuple[int, ...] | None
    """When the service started again."""
    quality: QualityFigures | None
    own: tuple[JournaledChange, ...]
    series: Mapping[str, tuple[float | None, ...]]
    """The highest sample of each slot of time by name, None where nothing was known."""
    damage: tuple[str, ...]
    """Parts that could not be read."""
    unread: tuple[str, ...] = ()
    """The lists of which a part could not be read."""
    notes_fault: str = ""
    """Why no hand-over notes can be read; empty if they can."""


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
    support = _support(played, render, known, with_skills="skills" in lists) if "agents" in lists else _Support()
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
        partial=tuple(name for name in lists if scope(name, render) is not Scope.ALL),
        alerts=alerts(played.latest("alerts"), first, last, render) if "alerts" in lists else None,
        rules=episodes(played.latest("episodes"), first, last, known.of("episodes")) if "episodes" in lists else None,
        calls=calls,
        skills=support.skills,
        skills_in_doubt=support.skills_in_doubt,
        agents=support.agents,
        chats_in_doubt=support.chats_in_doubt,
        restarts=_restarts(played) if "connection" in lists else None,
        quality=None
        if alarms is None
        else quality(alarms.records.values(), (first, last), talked, render, lambda at: recording.rows("calls", at)),
        own=journaled_changes(recording.commands(first, last)),
        series=_series(recording, known.of("calls"), first, last),
        damage=recording.damage,
        unread=tuple(recording.unread),
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
        latest = Latest(self.recording.rows(kind, self.first))
        for _, change in self.changes(kind):
            latest.change(change)
        return latest


def _calls(played: _Played, render: RenderContext, known: KnownTimes) -> CallFigures:
    first, last, rows = played.first, played.last, played.recording.rows
    counter = CallCounter(render, known.of("calls"), (first, last))
    counter.begin(rows("calls", first), rows("queues", first), rows("skills", first))
    for _, change in played.changes("calls"):
        counter.change(change)
    return counter.end(rows("calls", last))


class _Support(Frozen):
    """The figures of agents and skills, as in Report."""

    agents: tuple[AgentFigures, ...] | None = None
    skills: tuple[SkillFigures, ...] | None = None
    skills_in_doubt: tuple[str, ...] = ()
    chats_in_doubt: tuple[str, ...] = ()


def _support(played: _Played, render: RenderContext, known: KnownTimes, *, with_skills: bool) -> _Support:
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
    skills = staff.end(played.last) if with_skills else None
    return _Support(chats.end(render), skills, tuple(sorted(staff.in_doubt)), chats.names_in_doubt(render))


def _restarts(played: _Played) -> tuple[int, ...]:
    times: dict[int, None] = {}
    for _, change in played.changes("connection"):
        at = wording.at(cast("Connection", change.after).restarted_at) if change.after is not None else None
        if at is not None and played.first <= at <= played.last:
            times[round(at)] = None
    return tuple(sorted(times))


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
    return {name: tuple(slots) for name, slots in highest.items() if any(value is not None for value in slots)}
