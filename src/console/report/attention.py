"""Alerts and episodes: what needed attention, who took care of it, and after how long."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import median
from typing import cast

from console.base.frozen import Frozen
from console.kinds.alerts.facts import is_active, time_to_accept
from console.kinds.episodes.facts import over
from console.kinds.episodes.states import SEVERITIES
from console.recording.changes import Change
from console.records.episodes import Episode
from console.records.record import Record
from console.records.support import Alert
from console.views import words
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
    """Empty if nobody did."""
    accepted_ms: int | None
    """Time until it was accepted."""


class AlertsFigures(Frozen):
    """The alerts that were sent, or waited at the beginning. Times in ms."""

    sent: int
    accepted: int
    median_ms: int | None
    by: tuple[tuple[str, int, int | None], ...]
    """Who accepted how many, and after how long in the middle; most first."""
    slowest: tuple[AlertFigures, ...]
    """The accepted ones that took longest, the slowest first."""
    never: tuple[AlertFigures, ...]
    """Those that nobody accepted, the oldest first."""
    never_many: int


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
    """The last state of each record of a kind, and when each episode was first seen."""

    def __init__(self, rows: Mapping[str, Record]) -> None:
        self.records = dict(rows)
        self.seen: dict[str, tuple[float, str]] = {}
        for key, each in rows.items():
            self._see(key, each)

    def change(self, change: Change) -> None:
        """Follow a change; a record that the list does not have any more is kept as it was."""
        if change.after is not None:
            self.records[change.key] = change.after
            self._see(change.key, change.after)

    def _see(self, key: str, record: Record) -> None:
        if isinstance(record, Episode) and key not in self.seen:
            began, at = words.at(record.began_at), words.at(record.seen_at)
            if at is not None and at >= (began or 0):
                self.seen[key] = at, record.seen_by or ""


def alerts(latest: Latest, first: int, last: int, render: RenderContext) -> AlertsFigures:
    """Return the figures of the alerts."""
    found: list[AlertFigures] = []
    for alert in cast("Iterable[Alert]", latest.records.values()):
        sent, resolved = words.at(alert.created_at), words.at(alert.resolved_at)
        if sent is None or sent > last or (sent < first and not is_active(alert) and (resolved or 0) < first):
            continue
        taken = time_to_accept(alert) if alert.accepted_by else None
        found.append(
            AlertFigures(
                alert.alert_id,
                alert.title or alert.alert_id,
                round(sent),
                alert.state or ("active" if is_active(alert) else "accepted" if alert.accepted_by else ""),
                words.name(alert.accepted_by, render) or "",
                None if taken is None else round(taken),
            )
        )
    accepted = [each for each in found if each.accepted_by]
    never = sorted((each for each in found if not each.accepted_by), key=lambda each: each.sent_ms)
    people: dict[str, list[AlertFigures]] = {}
    for each in accepted:
        people.setdefault(each.accepted_by, []).append(each)
    by = sorted(((who, len(many), _median(each.accepted_ms for each in many)) for who, many in people.items()))
    return AlertsFigures(
        len(found),
        len(accepted),
        _median(each.accepted_ms for each in accepted),
        tuple(sorted(by, key=lambda each: -each[1])),
        tuple(sorted(accepted, key=lambda each: -(each.accepted_ms or 0))[:MOST]),
        tuple(never[:MOST]),
        len(never),
    )


def episodes(latest: Latest, first: int, last: int) -> tuple[RuleFigures, ...]:
    """Return the figures of the rules, those with the worst severity first."""
    rules: dict[str, list[tuple[float, Episode]]] = {}
    for episode in cast("Iterable[Episode]", latest.records.values()):
        began, ended = words.at(episode.began_at), words.at(episode.ended_at)
        if began is None or began > last or (over(episode) and (ended or 0) < first):
            continue
        lasted = max(0.0, min(last, last if ended is None else ended) - max(first, began))
        rules.setdefault(episode.rule or "", []).append((lasted, episode))
    found = [_rule(name, many, latest, first) for name, many in rules.items()]
    return tuple(sorted(found, key=lambda each: (SEVERITIES.look(each.severity).rank, -each.episodes, each.rule)))


def _rule(name: str, many: list[tuple[float, Episode]], latest: Latest, first: int) -> RuleFigures:
    longest, one = max(many, key=lambda each: each[0])
    seen = {each.id: latest.seen[each.id] for _, each in many if each.id in latest.seen}
    delays = [seen[each.id][0] - (words.at(each.began_at) or 0) for _, each in many if each.id in seen]
    worst = min((each.worst or each.severity or "" for _, each in many), key=lambda each: SEVERITIES.look(each).rank)
    return RuleFigures(
        rule=name,
        title=one.title or name,
        severity=worst,
        episodes=len(many),
        ms=round(sum(lasted for lasted, _ in many)),
        longest_ms=round(longest),
        longest_at=max(first, round(words.at(one.began_at) or 0)),
        longest_words=one.words or "",
        longest_id=one.id,
        seen=len(seen),
        seen_median_ms=_median(delays),
        seen_by=tuple(sorted({who for _, who in seen.values() if who})),
    )


def _median(values: Iterable[float | None]) -> int | None:
    known = [each for each in values if each is not None]
    return round(median(known)) if known else None
