"""Alerts and episodes: what needed attention, who took care of it, and after how long."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import median
from typing import cast

from console.base.frozen import Frozen
from console.kinds.alerts.facts import is_active, time_to_accept
from console.kinds.episodes.facts import over
from console.kinds.episodes.states import SEVERITIES
from console.recording.changes import RecordedChange
from console.records.episodes import Episode
from console.records.record import Record
from console.records.support import Alert
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
    """Empty if nobody did."""
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
        for key, row in rows.items():
            self._see(key, row)

    def change(self, change: RecordedChange) -> None:
        """Follow a change; a record that the list does not have any more is kept as it was."""
        if change.after is not None:
            self.records[change.key] = change.after
            self._see(change.key, change.after)

    def _see(self, key: str, record: Record) -> None:
        if isinstance(record, Episode) and key not in self.seen:
            began, at = wording.at(record.began_at), wording.at(record.seen_at)
            if at is not None and at >= (began or 0):
                self.seen[key] = at, record.seen_by or ""


def alerts(latest: Latest, first: int, last: int, render: RenderContext) -> AlertsFigures:
    """Return the figures of the alerts."""
    alert_figureses: list[AlertFigures] = []
    for alert in cast("Iterable[Alert]", latest.records.values()):
        sent, resolved = wording.at(alert.created_at), wording.at(alert.resolved_at)
        if sent is None or sent > last or (sent < first and not is_active(alert) and (resolved or 0) < first):
            continue
        taken = time_to_accept(alert) if alert.accepted_by else None
        alert_figureses.append(
            AlertFigures(
                alert.alert_id,
                alert.title or alert.alert_id,
                round(sent),
                alert.state or ("active" if is_active(alert) else "accepted" if alert.accepted_by else ""),
                wording.name(alert.accepted_by, render) or "",
                None if taken is None else round(taken),
            )
        )
    accepted = [alert_figures for alert_figures in alert_figureses if alert_figures.accepted_by]
    never = sorted(
        (alert_figures for alert_figures in alert_figureses if not alert_figures.accepted_by),
        key=lambda alert_figures: alert_figures.sent_ms,
    )
    people: dict[str, list[AlertFigures]] = {}
    for alert_figures in accepted:
        people.setdefault(alert_figures.accepted_by, []).append(alert_figures)
    by = sorted(
        ((who, len(many), _median(alert_figures.accepted_ms for alert_figures in many)) for who, many in people.items())
    )
    return AlertsFigures(
        len(alert_figureses),
        len(accepted),
        _median(alert_figures.accepted_ms for alert_figures in accepted),
        tuple(sorted(by, key=lambda each: -each[1])),
        tuple(sorted(accepted, key=lambda alert_figures: -(alert_figures.accepted_ms or 0))[:MOST]),
        tuple(never[:MOST]),
        len(never),
    )


def episodes(latest: Latest, first: int, last: int) -> tuple[RuleFigures, ...]:
    """Return the figures of the rules, those with the worst severity first."""
    rules: dict[str, list[tuple[float, Episode]]] = {}
    for episode in cast("Iterable[Episode]", latest.records.values()):
        began, ended = wording.at(episode.began_at), wording.at(episode.ended_at)
        if began is None or began > last or (over(episode) and (ended or 0) < first):
            continue
        lasted = max(0.0, min(last, last if ended is None else ended) - max(first, began))
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
    longest, one = max(many, key=lambda each: each[0])
    seen = {episode.id: latest.seen[episode.id] for _, episode in many if episode.id in latest.seen}
    delays = [seen[episode.id][0] - (wording.at(episode.began_at) or 0) for _, episode in many if episode.id in seen]
    worst = min(
        (episode.worst or episode.severity or "" for _, episode in many), key=lambda each: SEVERITIES.look(each).rank
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
