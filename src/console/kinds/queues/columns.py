"""The table of queues."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import cast

from console.base.signs import drawn
from console.base.text import SafeText, clean, fit
from console.config.schema import SavedView
from console.kinds.calls import WAIT
from console.kinds.calls.facts import begun, longest_first, queue_of, waiting, waits_exact
from console.kinds.queues import IN_TIME
from console.kinds.queues.facts import (
    NO_QUEUE,
    agents_filter,
    all_counted,
    calls_filter,
    in_time,
    in_time_exact,
    longest_exact,
    trend_of,
    until_breach,
    waiting_of,
)
from console.kinds.scope import counted, sees_only_own
from console.kinds.skills.columns import agents_section
from console.records.queues import Queue
from console.records.state_words import WAITING
from console.records.support import Skill
from console.records.traffic import Call
from console.views import columns, wording
from console.views.cell import Cell, Line, Section, Tone
from console.views.hour_chart import hour_chart
from console.views.lines import faults_section, gap, labelled, pair, raw_section, several
from console.views.render_context import RenderContext
from console.views.table import Column, Link, Table
from console.views.thresholds import HOUR
from console.views.trend import EIGHTHS, spark

_SPANS = {"15": "15m", "60": "60m", "today": "today"}
_CALLS_SHOWN = 20


def called_queue(queue: Queue, render: RenderContext) -> str:
    """Return the name of a queue, not cleaned: the name of its group, user or skill."""
    group = render.find("groups", queue.group) if queue.group else None
    return getattr(group, "name", None) or wording.name(queue.queue, render) or NO_QUEUE


def breach_cell(queue: Queue, render: RenderContext) -> Cell:
    """Return by how much the longest wait is late, or `in 0:43` until it is."""
    left, since = until_breach(queue, render), wording.at(queue.longest_at)
    if left is None or since is None:
        return Cell(wording.dash(render), Tone.QUIET)
    tone = columns.severity(WAIT, render.now_ms - since, render)
    if left <= 0:
        return Cell(wording.least_age(-left, render, exact=longest_exact(queue, render)), tone)
    # A wait of unknown duration may breach before.
    if longest_exact(queue, render):
        return Cell(clean(f"in {wording.span_words(left + 999)}"), tone)
    # There is no room for minutes and the sign.
    most = wording.span_words(left + 999) if left < HOUR else f"{math.ceil(left / HOUR)}h"
    return Cell(clean(f"in {drawn('≤', render.symbols)}{most}"), tone)


def waiting_cell(queue: Queue, render: RenderContext) -> Cell:
    """Return the number of waiting calls."""
    if not queue.waiting:
        return Cell(wording.count(waiting_of(queue, render), render), Tone.QUIET)
    return Cell(wording.known_count(queue.waiting, render, exact=waits_exact(render)), Tone.STRONG)


def percent_in_time(queue: Queue, span: str) -> int | None:
    """Return the calls served in time in the span `15`, `60` or `today`, in whole percent; None if none ended."""
    share = in_time(queue, span)
    return None if share is None else wording.whole_percent(share)


def in_time_cell(queue: Queue, span: str, render: RenderContext) -> Cell:
    """Return the percentage of calls served in time; `≈ 82 %` if not all calls are known."""
    percent = percent_in_time(queue, span)
    if percent is None:
        return Cell(wording.dash(render), Tone.QUIET)
    text = wording.known_share(percent, render, exact=in_time_exact(queue, span, render))
    return Cell(text, columns.severity(IN_TIME, percent, render))


def _count_cell(queue: Queue, figure: str, span: str, render: RenderContext) -> Cell:
    """Return the number of calls that left in one way; `≥ 4` if others may have."""
    count = getattr(queue, f"{figure}_{span}")
    if count is None:
        return Cell(wording.dash(render), Tone.QUIET)
    return Cell(wording.known_count(count, render, exact=all_counted(queue, span, render)))


def free_cell(queue: Queue, render: RenderContext) -> Cell:
    """Return the number of free agents; none is a warning while calls wait."""
    lacks = queue.free == 0 and queue.waiting
    return Cell(wording.count(queue.free, render), Tone.WARN if lacks else Tone.PLAIN if queue.free else Tone.QUIET)


def trend_cell(queue: Queue, render: RenderContext) -> Cell:
    """Return the most waiting calls in each five minutes of the last hour."""
    return Cell(clean(spark(trend_of(queue, render), render.symbols, EIGHTHS)) or wording.dash(render), Tone.QUIET)


def _longest_caller(queue: Queue, render: RenderContext) -> str | None:
    return wording.name(queue.caller, render)


def _share_column(span: str, priority: int) -> Column[Queue]:
    return columns.custom(
        f"in-time-{span}",
        f"In time {_SPANS[span]}",
        11 if span != "today" else 13,
        lambda queue, _render: percent_in_time(queue, span),
        lambda queue, render: in_time_cell(queue, span, render),
        kind="number",
        right=True,
        priority=priority,
        about="calls served in time, in percent of those served or abandoned; ≈ if not all calls are known",
    )


def _count_column(figure: str, span: str, priority: int = 9) -> Column[Queue]:
    title = f"{wording.capitalized(figure)} {_SPANS[span]}"
    about = "calls answered" if figure == "served" else "calls that ended while they waited"

    def get(queue: Queue, _render: RenderContext) -> float | None:
        return getattr(queue, f"{figure}_{span}")

    def cell(queue: Queue, render: RenderContext) -> Cell:
        return _count_cell(queue, figure, span, render)

    return columns.custom(
        f"{figure}-{span}", title, len(title), get, cell, kind="number", right=True, priority=priority, about=about
    )


def _agents_column(figure: str, get: Callable[[Queue], int | None], priority: int) -> Column[Queue]:
    return columns.number(
        figure, figure.capitalize(), 5, lambda queue, _render: get(queue), priority=priority, about=f"{figure} agents"
    )


def name(queue: Queue, render: RenderContext) -> SafeText:
    """Return the name of a queue in a sentence."""
    return clean(called_queue(queue, render), 80)


def _totals(queues: Collection[Queue], render: RenderContext) -> Line:
    """Return the number of queues and of waiting calls, the longest wait, and since when the figures count."""
    line = [Cell(clean(counted("queues", len(queues), "queue", render)), Tone.STRONG)]
    many = sum(wording.number(queue.waiting) or 0 for queue in queues)
    waiting = wording.known_count(many, render, exact=waits_exact(render))
    whose = " of yours" if sees_only_own(render) else ""
    line += [gap(), Cell(clean(f"{waiting}{whose} waiting"), Tone.STRONG if many else Tone.QUIET)]
    began = min((at for queue in queues if (at := wording.at(queue.longest_at)) is not None), default=None)
    if began is not None:
        wait = render.now_ms - began
        exact = all(longest_exact(queue, render) for queue in queues)
        longest = wording.least_age(wait, render, exact=exact)
        line += [Cell(clean(", longest ")), Cell(longest, columns.severity(WAIT, wait, render))]
    if queues:
        line += [gap(), *observed(next(iter(queues)), render)]
    return tuple(line)


def observed(queue: Queue, render: RenderContext) -> Line:
    """Return since when calls are counted: `counted since 21:40 (0:42 missing)`."""
    since = wording.at(queue.since_at)
    if since is None:
        return (Cell(clean("nothing counted yet"), Tone.QUIET),)
    unseen = wording.number(queue.unseen_ms)
    without = f" ({wording.span_words(unseen)} missing)" if unseen else ""
    return (Cell(clean(f"counted since {wording.clock(since, render)}{without}"), Tone.QUIET),)


def queue_sections(call: Call, render: RenderContext) -> tuple[Section, ...]:
    """Return what a call waits or waited for: its queue now, and the last hour of it."""
    queue = cast("Queue | None", render.find("queues", queue_of(call) or NO_QUEUE))
    if queue is None:
        return ()
    summary = (labelled("Waiting", [waiting_cell(queue, render)]), *_staff(queue, render))
    return (
        Section("queue", f"Queue {called_queue(queue, render)}", summary),
        *hour_chart(trend_of(queue, render), render),
    )


def _staff(queue: Queue, render: RenderContext) -> Iterator[Line]:
    """Yield the lines of those who could answer."""
    yield labelled("Free", [free_cell(queue, render)])
    yield pair("Busy", queue.busy, render)
    yield pair("Away", queue.away, render)
    if queue.doubtful:
        yield pair("Unknown", queue.doubtful, render)


def _detail(queue: Queue, render: RenderContext) -> tuple[Section, ...]:
    summary = (
        pair("Queue", called_queue(queue, render), render, Tone.STRONG),
        labelled("Waiting", [waiting_cell(queue, render)]),
        labelled("Longest", [TABLE.column("longest").cell(queue, render)]),
        pair("Caller", _longest_caller(queue, render), render),
        labelled("Late", [breach_cell(queue, render)]),
        *_staff(queue, render),
        pair("Skill", queue.skill, render),
        pair("Id", queue.key, render),
    )
    return (
        *faults_section(queue),
        Section("summary", "Queue", summary),
        Section("figures", "Calls", _figures(queue, render)),
        *hour_chart(trend_of(queue, render), render),
        *_calls(queue, render),
        *_agents(queue, render),
        raw_section(queue, render),
    )


def _figures(queue: Queue, render: RenderContext) -> tuple[Line, ...]:
    head = labelled("", [Cell(clean(f"{span:>8}"), Tone.QUIET) for span in _SPANS.values()])

    def row(figure: str) -> Line:
        return cells(wording.capitalized(figure), (_count_cell(queue, figure, span, render) for span in _SPANS))

    def cells(title: str, values: Iterable[Cell]) -> Line:
        return labelled(title, [Cell(fit(value.text, 8, right=True), value.tone) for value in values])

    share = cells("In time", (in_time_cell(queue, span, render) for span in _SPANS))
    unknown = [getattr(queue, f"unknown_{span}") for span in _SPANS]
    not_known = cells("Not known", (Cell(wording.count(count, render)) for count in unknown))
    doubts = (not_known,) if any(unknown) else ()
    return (head, row("served"), row("abandoned"), *doubts, share, observed(queue, render))


def calls_in(queue: Queue, render: RenderContext) -> list[Call]:
    """Return the calls that wait in a queue, the longest wait first."""
    calls = cast("Iterable[Call]", render.in_state("calls", *WAITING))
    return longest_first(call for call in calls if waiting(call) and (queue_of(call) or NO_QUEUE) == queue.queue)


def _calls(queue: Queue, render: RenderContext) -> tuple[Section, ...]:
    if not queue.waiting:
        return ()
    calls = calls_in(queue, render)
    lines = several(calls, lambda call: _call(call, render), _CALLS_SHOWN, "call")
    many = wording.known_count(len(calls), render, exact=waits_exact(render))
    return (Section("waiting", f"Waiting {many}", lines),) if calls else ()


def _call(call: Call, render: RenderContext) -> Line:
    since = begun(call)
    age = render.ms_since(since)
    return (
        Cell(fit(wording.age(age, render), 7, right=True), columns.severity(WAIT, age, render)),
        gap(),
        Cell(clean(wording.name(call.caller, render) or "unknown")),
    )


def _agents(queue: Queue, render: RenderContext) -> tuple[Section, ...]:
    skill = cast("Skill | None", render.find("skills", queue.skill)) if queue.skill else None
    return (agents_section(skill, render),) if skill is not None else ()


def _links(queue: Queue, _render: RenderContext) -> tuple[Link, ...]:
    links = [Link("waiting calls", "calls", "", calls_filter(queue))]
    if queue.longest:
        links.append(Link("longest wait", "calls", queue.longest))
    if queue.skill:
        links.append(Link("agents", "agents", "", agents_filter(queue)))
        links.append(Link("skill", "skills", queue.skill))
    if queue.group:
        links.append(Link("group", "groups", queue.group))
    return tuple(links)


_COUNTED = ("served", "inTime", "abandoned", "unmeasured", "unknown")
_SELF_CHANGING = frozenset(
    (
        *(f"{figure}{span}" for figure in _COUNTED for span in ("15", "60", "Today")),
        *("trend", "longest", "longestAt", "caller", "sinceAt", "unseenMs"),
    )
)
"""Figures that this console counts by itself, and the call that waits longest."""

TABLE: Table[Queue] = Table(
    kind="queues",
    title="Queues",
    one="queue",
    order="-longest",
    columns=columns.marked(
        (
            columns.text("queue", "Queue", 14, called_queue, grows=True, also=lambda queue, _render: (queue.queue,)),
            columns.custom("waiting", "Waiting", 7, waiting_of, waiting_cell, kind="number", right=True),
            columns.age(
                "longest",
                "Longest",
                lambda queue, _render: queue.longest_at,
                WAIT,
                9,
                longest_exact,
                about="the longest wait; at least, if another call may wait longer",
            ),
            columns.custom(
                "breach",
                "Late",
                10,
                until_breach,
                breach_cell,
                kind="age",
                right=True,
                ticks=True,
                sort=lambda queue, _render: wording.at(queue.longest_at),
                about="by how much the longest wait is too long, or when it will be",
            ),
            _share_column("15", 1),
            _share_column("60", 4),
            _share_column("today", 5),
            _count_column("abandoned", "today", 5),
            columns.custom(
                "free",
                "Free",
                5,
                lambda queue, _render: queue.free,
                free_cell,
                kind="number",
                right=True,
                about="free agents",
            ),
            _agents_column("busy", lambda queue: queue.busy, 1),
            _agents_column("away", lambda queue: queue.away, 2),
            columns.text("caller", "Longest caller", 16, _longest_caller, priority=6),
            columns.custom(
                "trend",
                "Last hour",
                12,
                lambda queue, render: max((most for most in trend_of(queue, render) if most is not None), default=None),
                trend_cell,
                kind="number",
                priority=3,
                about="most waiting calls in steps of five minutes; each eighth of a block is a call, up to eight",
            ),
            _count_column("served", "15"),
            _count_column("served", "60"),
            _count_column("served", "today", 7),
            _count_column("abandoned", "15"),
            _count_column("abandoned", "60"),
            columns.number(
                "unknown",
                "Unknown",
                7,
                lambda queue, _render: queue.doubtful,
                priority=9,
                about="agents in doubt",
                shows="doubtful",
            ),
            columns.text("skill", "Skill", 14, lambda queue, _render: queue.skill, priority=9),
            columns.time("since", "Counted since", 13, lambda queue: queue.since_at, priority=8),
            columns.lasting(
                "unseen",
                "Not seen",
                lambda queue, _render: wording.number(queue.unseen_ms),
                width=8,
                priority=9,
                about="how long the calls were not observed today",
            ),
        )
    ),
    name=name,
    detail=_detail,
    totals=_totals,
    links=_links,
    follows=("groups",),
    self_changing=_SELF_CHANGING,
    views={
        "Calls waiting": SavedView("waiting>0", "-longest"),
        "Nobody free": SavedView("free=0", "-waiting"),
    },
)
