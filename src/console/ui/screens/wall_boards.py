"""The boards of the wallboard: what each of them tells, in rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from console.base.frozen import Frozen
from console.kinds.agents.facts import free as free_agents
from console.kinds.alerts import facts as alerts
from console.kinds.calls import WAIT
from console.kinds.calls import facts as calls
from console.kinds.episodes.facts import muted, over
from console.kinds.queues.columns import called_queue, in_time
from console.kinds.queues.facts import until_breach, waiting_of
from console.kinds.skills.facts import covers
from console.kinds.status.charts import CHARTS, HOUR, sampled, shown_span
from console.live.history import History
from console.ui.widgets.chart import value_words
from console.ui.widgets.wall import Row, WallText
from console.ui.widgets.wall_graphs import Graph
from console.views import wording
from console.views.big_text import width_of_big
from console.views.cell import Tone
from console.views.render_context import RenderContext
from console.views.thresholds import level

if TYPE_CHECKING:
    from console.records.episodes import Episode
    from console.records.queues import Queue
    from console.records.traffic import StatusSummary

_SIGNS = {Tone.BAD: "!! ", Tone.WARN: "! "}
"""Signs of a severity, so that no colour is needed."""
_SEVERITIES = {"critical": Tone.BAD, "warning": Tone.WARN}
_PEOPLE = frozenset({"calls", "chats", "notifications", "conferences", "agents", "presence", "sessions", "users"})
"""Lists whose records are named after people."""
_OF_QUEUES = frozenset({"wait", "breach", "abandoned"})
"""Rules of calls that are about a queue."""
_BAR_SHARE = 0.12
"""Share of the width for the bar of a queue."""
_APART = 6
"""Cells after each queue in the foot."""
_CHARTS = {"rate": "calls/min", "waiting": "waiting", "free": "free", "longest": "longest"}
"""Titles of the charts, in order: the last one is left out where there is no room."""
_OF_ALERTS = frozenset({"alert-offered"})
"""Rules of notifications that name only the alert."""


class BoardLook(Frozen):
    """How boards are shown."""

    names: bool = False
    """Whether names of people are shown."""
    wide: bool = True
    """Whether there is room for all columns."""
    values: int = 0
    """How many values of a curve have room."""
    history: History | None = None
    """The numbers of the last hour, for charts."""


def _signed(text: str, tone: Tone) -> str:
    return _SIGNS.get(tone, "") + text


def _span(since_ms: float | None, render: RenderContext) -> str:
    return "-" if since_ms is None else wording.span_words(max(0, render.now_ms - since_ms))


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:g}"


def _known(many: int, render: RenderContext, exact: bool) -> str:
    return str(wording.known_count(many, render, exact=exact)).replace("–", "-").replace(" ", "")


def _calm(exact: bool) -> Tone:
    """Return the tone of none: what is not known is not good."""
    return Tone.GOOD if exact else Tone.STRONG


# -- figures -----------------------------------------------------------------------------------------------------------


def figures(render: RenderContext, look: BoardLook) -> list[Row]:
    """Return the key figures: waits, calls, agents, alerts."""
    waits = calls.waits(render)
    longest = waits[0].since if waits else None
    wait = None if longest is None else render.now_ms - longest
    status = cast("StatusSummary | None", render.lookup("status").get("status"))
    free, all_free = free_agents(render)
    active = alerts.active(render)
    all_waits, all_alerts = calls.waits_exact(render), alerts.active_exact(render)
    severe = level(WAIT, render).tone(wait, calm=Tone.STRONG)
    found: list[tuple[str, str, Tone]] = [
        ("waiting", _known(len(waits), render, all_waits), severe if waits else _calm(all_waits)),
        ("longest", f"{'' if all_waits or longest is None else '≥'}{_span(longest, render)}", severe),
        ("calls", _number(status.calls_now) if status else "-", Tone.STRONG),
        ("free", _known(free, render, all_free), Tone.WARN if waits and not free and all_free else Tone.STRONG),
        ("alerts", _known(len(active), render, all_alerts), Tone.BAD if active else _calm(all_alerts)),
    ]
    return [
        (WallText(_signed(label, tone), 0.7, tone), WallText(value, 0.3, tone, True)) for label, value, tone in found
    ]


# -- queues ------------------------------------------------------------------------------------------------------------


def queues(render: RenderContext, look: BoardLook) -> list[Row]:
    """Return a row for each queue, the next to breach first: waiting, longest wait, served in time, free agents."""
    known = cast("Mapping[str, Queue]", render.lookup("queues")).values()
    ordered = sorted(known, key=lambda each: (until_breach(each, render) or 1e12, each.queue))
    shares = (0.32, 0.14, 0.19, 0.12, 0.11) if look.wide else (0.5, 0.18, 0.32)
    most = max((queue.waiting or 0 for queue in ordered), default=0)
    rows: list[Row] = []
    if look.wide:
        titles = zip(("queue", "wait", "longest", "60m", "free"), shares, strict=True)
        name, *others = (WallText(title, share, Tone.QUIET, title != "queue") for title, share in titles)
        rows.append((name, WallText("", _BAR_SHARE, Tone.QUIET), *others))
    for queue in ordered:
        since = wording.at(queue.longest_at)
        tone = level(WAIT, render).tone(None if since is None else render.now_ms - since)
        shared = in_time(queue, "60")
        parts = (
            (_signed(_queue_name(queue, render, look), tone), tone),
            (_number(waiting_of(queue, render)), tone if queue.waiting else Tone.QUIET),
            (_span(since, render), tone),
            ("-" if shared is None else f"{shared:.0f}%", Tone.PLAIN),
            (_number(queue.free), Tone.WARN if queue.free == 0 and queue.waiting else Tone.PLAIN),
        )
        first, *others = (
            WallText(text, share, each, right=place > 0)
            for place, ((text, each), share) in enumerate(zip(parts, shares, strict=False))
        )
        bar = [WallText("", _BAR_SHARE, tone, bar=(queue.waiting or 0) / (most or 1))] if look.wide else []
        rows.append((first, *bar, *others))
    return rows if ordered else []


def waiting_queues(render: RenderContext, look: BoardLook, width: int) -> Row:
    """Return the queues in which calls wait, the longest wait first, as many as fit whole into a width in cells."""
    known = cast("Mapping[str, Queue]", render.lookup("queues")).values()
    waits = [(since, queue) for queue in known if queue.waiting and (since := wording.at(queue.longest_at)) is not None]
    parts: list[WallText] = []
    left = width
    for since, queue in sorted(waits, key=lambda wait: wait[0]):
        tone = level(WAIT, render).tone(render.now_ms - since, calm=Tone.STRONG)
        text = _signed(f"{_queue_name(queue, render, look)} {_span(since, render)}", tone)
        room = width_of_big(text) + _APART
        left -= room
        if left < 0:
            break
        parts.append(WallText(text, (room + 0.5) / width, tone))
    return tuple(parts)


def _queue_name(queue: Queue, render: RenderContext, look: BoardLook) -> str:
    """Return the name of a queue; a queue of a person is not named unless asked for."""
    if not look.names and wording.user_id(queue.queue, render) is not None:
        return "direct"
    return called_queue(queue, render)


# -- people ------------------------------------------------------------------------------------------------------------


def skills(render: RenderContext, look: BoardLook) -> list[Row]:
    """Return a row for each skill, the most understaffed first: free, busy and away agents."""
    shares = (0.52, 0.16, 0.16, 0.16) if look.wide else (0.65, 0.35)
    titles = zip(("skill", "free", "busy", "away"), shares, strict=False)
    rows: list[Row] = [tuple(WallText(title, share, Tone.QUIET, title != "skill") for title, share in titles)]
    for skill, staff in covers(render):
        tone = staff.severity if staff.understaffed else Tone.PLAIN
        counts = zip(map(staff.number, ("free", "busy", "away")), shares[1:], strict=False)
        rows.append(
            (
                WallText(_signed(skill.skill, tone), shares[0], tone),
                *(
                    WallText("-" if count is None else str(count), share, tone if count else Tone.QUIET, True)
                    for count, share in counts
                ),
            )
        )
    return rows if len(rows) > 1 else []


# -- attention ---------------------------------------------------------------------------------------------------------


def attention(render: RenderContext, look: BoardLook) -> list[Row]:
    """Return a row for each active episode of a rule, the worst and oldest first."""
    known = cast("Mapping[str, Episode]", render.lookup("episodes")).values()
    active = [episode for episode in known if not over(episode) and not muted(episode)]
    rank = {Tone.BAD: 0, Tone.WARN: 1}
    rows: list[tuple[tuple[int, float], Row]] = []
    for episode in active:
        tone = _SEVERITIES.get(episode.severity or "", Tone.PLAIN)
        since = wording.at(episode.since_at) or wording.at(episode.began_at)
        many = f" x{episode.count}" if (episode.count or 0) > 1 else ""
        text = episode.words if look.names else _without_people(episode, render)
        row = (
            WallText(_signed(f"{episode.title or ''} {text or ''}".strip() + many, tone), 0.8, tone),
            WallText(_span(since, render), 0.2, tone, True),
        )
        rows.append(((rank.get(tone, 2), since or 0), row))
    return [row for _, row in sorted(rows, key=lambda each: each[0])]


def _without_people(episode: Episode, render: RenderContext) -> str | None:
    """Return the words of an episode if they name no person."""
    if episode.rule in _OF_QUEUES:
        return episode.about if wording.user_id(episode.about, render) is None else None
    return episode.words if episode.list not in _PEOPLE or episode.rule in _OF_ALERTS else None


# -- charts ------------------------------------------------------------------------------------------------------------


def charts(render: RenderContext, look: BoardLook) -> list[Graph]:
    """Return the charts of the last hour that have values, as Home has them."""
    if look.history is None or not look.values:
        return []
    rows: list[Graph] = []
    named = {chart.name: chart for chart in CHARTS}
    span = shown_span((named[name] for name in _CHARTS), look.history, HOUR)
    for name, title in _CHARTS.items():
        chart = named[name]
        curve = sampled(chart, look.history, look.values, span)
        known = [each for each in curve.values if each is not None]
        if not known:
            continue
        limits = level(chart.threshold, render) if chart.threshold is not None else None
        tone = limits.tone(curve.now, calm=Tone.STRONG) if limits is not None else Tone.STRONG
        value, most = (value_words(each, chart, render) for each in (curve.now, max(known)))
        rows.append(Graph(_signed(title, tone), value or "-", f"peak {most}", tone, chart, curve))
    return rows


Board = Callable[[RenderContext, BoardLook], Sequence[Row] | Sequence[Graph]]
BOARDS: Mapping[str, tuple[Board, frozenset[str]]] = {
    "figures": (figures, frozenset({"calls", "agents", "alerts", "status"})),
    "queues": (queues, frozenset({"queues"})),
    "skills": (skills, frozenset({"skills", "agents"})),
    "attention": (attention, frozenset({"episodes"})),
    "charts": (charts, frozenset({"calls", "agents", "status"})),
}
"""The boards by name, and the lists that they show. A board without rows is left out of the rotation."""
