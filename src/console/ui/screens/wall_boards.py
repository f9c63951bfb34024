"""The boards of the wallboard: what each of them tells, in rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from console.base.frozen import Frozen
from console.kinds.agents.facts import free as free_agents
from console.kinds.alerts import facts as alerts
from console.kinds.calls import WAIT
from console.kinds.calls import facts as calls
from console.kinds.episodes.facts import muted, over
from console.kinds.queues.columns import called_queue, percent_in_time
from console.kinds.queues.facts import in_time_exact, longest_exact, until_breach, waiting_of
from console.kinds.skills.facts import covers
from console.kinds.status.charts import CHARTS, HOUR, sampled, shown_span
from console.live.history import History
from console.ui.widgets.chart import value_words
from console.ui.widgets.wall import Row, WallText, side_by_side
from console.ui.widgets.wall_graphs import Graph
from console.views import wording
from console.views.cell import Tone
from console.views.render_context import RenderContext
from console.views.thresholds import level

if TYPE_CHECKING:
    from console.records.episodes import Episode
    from console.records.queues import Queue
    from console.records.traffic import StatusSummary

_WAITS = {Tone.BAD: "long wait", Tone.WARN: "soon late"}
"""Words for the severity of a wait, so that no colour is needed."""
_ON_TIME = "on time"
_SEVERITIES = {"critical": Tone.BAD, "warning": Tone.WARN}
_PEOPLE = frozenset({"calls", "chats", "notifications", "conferences", "agents", "presence", "sessions", "users"})
"""Lists whose records are named after people."""
_OF_QUEUES = frozenset({"wait", "breach", "abandoned"})
"""Rules of calls that are about a queue."""
_TITLE_SHARE, _CURVE_SHARE = 0.56, 0.2
"""Shares of the width for the title and the curve of the waiting calls."""
_CHARTS = {"waiting": "waiting", "longest": "longest", "rate": "calls/min", "free": "free"}
"""Titles of the charts, in order: the last ones are left out where there is no room."""
_OF_ALERTS = frozenset({"alert-offered"})
"""Rules of notifications that name only the alert."""


class BoardLook(Frozen):
    """How boards are shown."""

    names: bool = False
    """Whether names of people are shown."""
    wide: bool = True
    """Whether there is room for all columns."""
    width: int = 0
    """Width of the board in cells."""
    values: int = 0
    """How many values of a chart have room."""
    history: History | None = None
    """The numbers of the last hour, for charts."""


def _span(since_ms: float | None, render: RenderContext, *, exact: bool = True) -> str:
    return "-" if since_ms is None else wording.age_words(render.now_ms - since_ms, "" if exact else "≥")


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:g}"


def _known(many: int, render: RenderContext, exact: bool) -> str:
    return _plain(wording.known_count(many, render, exact=exact))


def _plain(text: str) -> str:
    """Return the text of a number in as few large characters as it has room for."""
    return text.replace("–", "-").replace(" ", "")


def _calm(exact: bool) -> Tone:
    """Return the tone of a zero: good only if the count is exact."""
    return Tone.GOOD if exact else Tone.STRONG


# -- figures -----------------------------------------------------------------------------------------------------------


def figures(render: RenderContext, look: BoardLook) -> list[Row]:
    """Return the key figures: waits, calls, agents, alerts."""
    waits = calls.waits(render)
    longest = waits[0].since if waits else None
    wait = render.ms_since(longest)
    status = cast("StatusSummary | None", render.lookup("status").get("status"))
    free, all_free = free_agents(render)
    active = alerts.active(render)
    all_waits, all_alerts = calls.waits_exact(render), alerts.active_exact(render)
    severe = level(WAIT, render).tone(wait, calm=Tone.STRONG)
    waiting = _known(len(waits), render, all_waits), severe if waits else _calm(all_waits)
    none_free = waits and not free and all_free
    labelled: list[tuple[str, str, Tone]] = [
        (
            _WAITS.get(severe, "longest"),
            _span(longest, render, exact=calls.longest_exact(waits, render)),
            severe,
        ),
        ("calls", _number(status.calls_now) if status else "-", Tone.STRONG),
        ("none free" if none_free else "free", _known(free, render, all_free), Tone.WARN if none_free else Tone.STRONG),
        ("alerts", _known(len(active), render, all_alerts), Tone.BAD if active else _calm(all_alerts)),
    ]
    return [
        _waiting(*waiting, look),
        *((WallText(label, 0.7, tone), WallText(value, 0.3, tone, True)) for label, value, tone in labelled),
    ]


def _waiting(text: str, tone: Tone, look: BoardLook) -> Row:
    """Return the row of the waiting calls: the last hour, and now."""
    title, value = WallText("waiting", _TITLE_SHARE, tone), WallText(text, 1 - _TITLE_SHARE - _CURVE_SHARE, tone, True)
    if look.history is None:
        return title, value
    chart = next(chart for chart in CHARTS if chart.name == "waiting")
    span = shown_span([chart], look.history, HOUR)
    # A column is a value: braille dots are too thin to be seen from far away.
    curve = sampled(chart, look.history, max(1, int(look.width * _CURVE_SHARE) - 2), span)
    return title, WallText("", _CURVE_SHARE, tone, curve=curve.values), value


# -- queues ------------------------------------------------------------------------------------------------------------


def queues(render: RenderContext, look: BoardLook) -> list[Row]:
    """Return a row for each queue below words for its wait, the next to breach first: waiting, longest, in time.

    Until the share in time of some queue is known, it has no column.
    """
    known = cast("Mapping[str, Queue]", render.lookup("queues")).values()
    times = {queue.queue: until_breach(queue, render) for queue in known}
    ordered = sorted(known, key=lambda queue: (times[queue.queue] is None, times[queue.queue] or 0, queue.queue))
    counted = look.wide and any(percent_in_time(queue, "60") is not None for queue in ordered)
    wide = (0.34, 0.1, 0.12, 0.26, 0.18) if counted else (0.34, 0.1, 0.2, 0.36, 0.0)
    shares = wide if look.wide else (0.52, 0.0, 0.16, 0.32, 0.0)
    most = max((queue.waiting or 0 for queue in ordered), default=0)
    groups: dict[str, list[Row]] = {word: [] for word in (*_WAITS.values(), _ON_TIME)}
    for queue in ordered:
        since = wording.at(queue.longest_at)
        tone = level(WAIT, render).tone(render.ms_since(since))
        percent, exact = percent_in_time(queue, "60"), in_time_exact(queue, "60", render)
        parts = (
            WallText(_queue_name(queue, render, look), shares[0], tone),
            WallText("", shares[1], tone, bar=(queue.waiting or 0) / (most or 1)),
            WallText(_waiting_of(queue, render), shares[2], tone if queue.waiting else Tone.QUIET, True),
            WallText(_span(since, render, exact=longest_exact(queue, render)), shares[3], tone, True),
            WallText(_plain(wording.known_share(percent, render, exact=exact)), shares[4], Tone.PLAIN, True),
        )
        row = [part for part in parts if part.share]
        groups[_WAITS.get(tone, _ON_TIME)].append(tuple(row))
    titles = (WallText("60m", shares[4], Tone.QUIET, True),) if counted else ()
    return _headed(groups, {word: tone for tone, word in _WAITS.items()}, titles)


def _waiting_of(queue: Queue, render: RenderContext) -> str:
    many = waiting_of(queue, render)
    return "-" if many is None else _known(many, render, calls.waits_exact(render))


def _headed(groups: Mapping[str, list[Row]], tones: Mapping[str, Tone], titles: Row) -> list[Row]:
    """Return the rows of groups, each below its words; the titles of columns are beside the first ones."""
    rows: list[Row] = []
    for word, members in groups.items():
        if members:
            beside = () if rows else titles
            room = 1 - sum(title.share for title in beside)
            rows += [(WallText(word, room, tones.get(word, Tone.QUIET), heading=True), *beside), *members]
    return rows


def named_queues(render: RenderContext, look: BoardLook, width: int, scale: int) -> Row:
    """Return queues, the longest wait first, as many as fit whole into a width in cells.

    Their waits are left out where only one would fit.
    """
    known = cast("Mapping[str, Queue]", render.lookup("queues")).values()
    waits = [(wording.at(queue.longest_at) if queue.waiting else None, queue) for queue in known]
    names: list[WallText] = []
    timed: list[WallText] = []
    for since, queue in sorted(waits, key=lambda wait: (wait[0] or math.inf, wait[1].queue)):
        name = _queue_name(queue, render, look)
        calm = Tone.STRONG if since is not None else Tone.QUIET
        tone = level(WAIT, render).tone(render.ms_since(since), calm=calm)
        names.append(WallText(name, 0, tone))
        span = _span(since, render, exact=longest_exact(queue, render))
        timed.append(WallText(name if since is None else f"{name} {span}", 0, tone))
    row, bare = side_by_side(timed, width, scale), side_by_side(names, width, scale)
    return bare if len(row) == 1 < len(bare) else row


def _queue_name(queue: Queue, render: RenderContext, look: BoardLook) -> str:
    """Return the name of a queue; a queue of a person is not named unless asked for."""
    if not look.names and wording.user_id(queue.queue, render) is not None:
        return "direct"
    return called_queue(queue, render)


# -- people ------------------------------------------------------------------------------------------------------------


def skills(render: RenderContext, look: BoardLook) -> list[Row]:
    """Return a row for each skill, the understaffed ones first: free, busy and away agents."""
    shares = (0.4, 0.2, 0.2, 0.2) if look.wide else (0.65, 0.35)
    groups: dict[str, list[Row]] = {"too few": [], "unknown": [], "enough": []}
    tones: dict[str, Tone] = {}
    for skill, staff in covers(render):
        tone = staff.severity if staff.understaffed else Tone.PLAIN
        word = "too few" if staff.understaffed else "enough" if staff.covered else "unknown"
        if staff.understaffed and tones.get(word) is not Tone.BAD:
            tones[word] = tone
        counts = zip(map(staff.number, ("free", "busy", "away")), shares[1:], strict=False)
        row = (
            WallText(skill.skill, shares[0], tone),
            *(
                WallText("-" if count is None else str(count), share, tone if count else Tone.QUIET, True)
                for count, share in counts
            ),
        )
        groups[word].append(row)
    names = zip(("free", "busy", "away"), shares[1:], strict=False)
    return _headed(groups, tones, tuple(WallText(title, share, Tone.QUIET, True) for title, share in names))


# -- attention ---------------------------------------------------------------------------------------------------------


def attention(render: RenderContext, look: BoardLook) -> list[Row]:
    """Return a row for each active episode of a rule, the worst and oldest first."""
    known = cast("Mapping[str, Episode]", render.lookup("episodes")).values()
    active = [episode for episode in known if not over(episode) and not muted(episode)]
    rank, age = {Tone.BAD: 0, Tone.WARN: 1}, 0.26 if look.wide else 0.34
    rows: list[tuple[tuple[int, float], Row]] = []
    for episode in active:
        tone = _SEVERITIES.get(episode.severity or "", Tone.PLAIN)
        since = wording.at(episode.since_at) or wording.at(episode.began_at)
        many = f" x{episode.count}" if (episode.count or 0) > 1 else ""
        text = episode.words if look.names else _without_people(episode, render)
        title = episode.title or ""
        if episode.rule in _OF_ALERTS and text:
            # The name of an alert tells what has happened.
            title, text = "", text.removeprefix("alert ")
        row = (
            WallText(f"{title} {text or ''}".strip() + many, 1 - age, tone),
            WallText(_span(since, render), age, tone, True),
        )
        rows.append(((rank.get(tone, 2), math.inf if since is None else since), row))
    return [row for _, row in sorted(rows, key=lambda ranked: ranked[0])]


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
        known = [point for point in curve.values if point is not None]
        if not known:
            continue
        limits = level(chart.threshold, render) if chart.threshold is not None else None
        tone = limits.tone(curve.now, calm=Tone.STRONG) if limits is not None else Tone.STRONG
        value, most = (value_words(point, chart, render) for point in (curve.now, max(known)))
        title = _WAITS.get(tone, title)
        rows.append(Graph(title, value or "-", f"peak {most}", tone, chart, curve))
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
