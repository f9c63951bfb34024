"""The state of the service: tiles of the home screen, as far as their numbers are known, and a line (contract 2.20)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, cast

from console.base.frozen import Frozen
from console.base.signs import drawn
from console.base.text import clean
from console.kinds.agents.facts import availabilities, free
from console.kinds.calls import WAIT
from console.kinds.calls.facts import (
    FAILED_MINUTES,
    Wait,
    failures_exact,
    longest_exact,
    reason,
    recent_failures,
    waits_exact,
)
from console.kinds.presence.facts import Availability
from console.kinds.queues import IN_TIME
from console.kinds.queues.facts import MINUTES, Outcomes, outcomes
from console.kinds.scope import Scope, of_them, scope
from console.kinds.status import MEMORY
from console.records.extent import Extent
from console.views.cell import Cell, Line, Tone
from console.views.lines import gap
from console.views.render_context import RenderContext
from console.views.thresholds import level
from console.views.wording import (
    age,
    age_words,
    clock,
    count,
    dash,
    known_count,
    known_share,
    of_number,
    share,
    size,
    span_words,
)

if TYPE_CHECKING:
    from console.records.connection import Connection
    from console.records.traffic import StatusSummary


TILES = ("calls", "wait", "in-time", "abandoned", "failed", "free")
_MINUTE_MS = 60_000


class Figure(Frozen):
    """A number with its texts; not cleaned."""

    title: str
    value: str
    note: str = ""
    short: str = ""
    """A shorter title."""
    series: str = ""
    """The name of its time series."""
    more: str = ""
    """Text instead of a time series."""
    tone: Tone = Tone.STRONG
    second: str = ""
    """A second value beside the first."""
    second_tone: Tone = Tone.STRONG


def numbers(
    waits: Sequence[Wait], render: RenderContext, covers: Counter[Availability] | None = None
) -> Mapping[str, Figure]:
    """Return the numbers of the home screen, by the names in `TILES`."""
    left, all_known = outcomes(render), waits_exact(render)
    return {
        "calls": _calls(render),
        "wait": _wait(waits, render),
        "in-time": _in_time(left, all_known, render),
        "abandoned": _abandoned(left, all_known, render),
        "failed": _failed(render),
        "free": _free(waits, render, availabilities(render) if covers is None else covers),
    }


def _calls(render: RenderContext) -> Figure:
    status = cast("StatusSummary | None", render.lookup("status").get("status"))
    recent = status.calls.last15 if status else None
    whose = "" if scope("calls", render) is Scope.ALL else "whole service"
    return Figure(
        "Active calls",
        count(status.calls_now if status else None, render),
        whose or ("" if recent is None else f"{count(recent, render)} in 15 min"),
        short="Calls now",
        series="active_calls",
    )


def _wait(waits: Sequence[Wait], render: RenderContext) -> Figure:
    """Return the number of waiting calls among the visible ones, and the longest wait."""
    which, exact = scope("calls", render), waits_exact(render)
    longest = waits[0].ms(render.now_ms) if waits else None
    if not waits and not exact:
        note = "not known"
    elif which is Scope.ALL:
        note = (waits[0].target or "no target") if waits else "nobody waits"
    else:
        note = "of your calls" if which is Scope.OWN else "of those you see"
    at_least = "" if longest is None or longest_exact(waits, render) else drawn("≥", render.symbols)
    return Figure(
        "Your waiting" if which is Scope.OWN else "Waiting, longest",
        known_count(len(waits), render, exact=exact),
        note,
        short="Waiting",
        series="calls_waiting",
        second="" if not waits else dash(render) if longest is None else age_words(longest, at_least),
        second_tone=level(WAIT, render).tone(longest, calm=Tone.STRONG),
    )


def _in_time(left: Outcomes | None, all_known: bool, render: RenderContext) -> Figure:
    goal = level(IN_TIME, render)
    exact = all_known and left is not None and left.exact
    in_time = left.percent if left is not None else None
    counted = ""
    if left is not None and left.ended:
        counted = f"{known_count(left.in_time, render, exact=exact)} of {known_count(left.ended, render, exact=exact)}"
    return Figure(
        f"In time, {MINUTES} min",
        known_share(in_time, render, exact=exact),
        f"goal {goal.warn:g} %" if in_time is not None else _why_unknown(left, exact, render),
        short="In time",
        more=_span(left, render) or counted,
        tone=Tone.STRONG if in_time is None else goal.tone(in_time, calm=Tone.STRONG),
    )


def _abandoned(left: Outcomes | None, all_known: bool, render: RenderContext) -> Figure:
    exact = all_known and left is not None and not left.unknown
    today_exact = all_known and left is not None and not left.unknown_today
    note = _why_unknown(left, exact, render)
    if left is not None and left.ended:
        note = f"of {known_count(left.ended, render, exact=exact)}{of_them('calls', render)}"
    return Figure(
        f"Abandoned, {MINUTES} min",
        dash(render) if left is None else known_count(left.abandoned, render, exact=exact),
        note,
        short="Abandoned",
        more=_span(left, render)
        or ("" if left is None else f"{known_count(left.abandoned_today, render, exact=today_exact)} today"),
    )


def _why_unknown(left: Outcomes | None, exact: bool, render: RenderContext) -> str:
    """Return why there is no share of the calls that left their queue."""
    if left is not None:
        return "no call ended" if exact else "not known"
    return "not known" if render.extent("calls") is Extent.UNKNOWN else "not counted yet"


def _span(left: Outcomes | None, render: RenderContext) -> str:
    """Return since when calls are counted if that is less than the span of the tile."""
    if left is None or render.now_ms - left.since_ms >= MINUTES * _MINUTE_MS:
        return ""
    return f"since {clock(left.since_ms, render)}"


def _failed(render: RenderContext) -> Figure:
    """Return the number of calls that failed lately because of the service, with the commonest reason."""
    calls = recent_failures(render)
    reasons = Counter(reason(call) or "no reason told" for call in calls)
    note = more = ""
    if reasons:
        ((note, times),) = reasons.most_common(1)
        more = share(times, len(calls)) if len(reasons) > 1 else ""
    exact = failures_exact(render)
    return Figure(
        f"Failed, {FAILED_MINUTES} min",
        known_count(len(calls), render, exact=exact),
        note,
        short="Failed",
        more=more,
        tone=Tone.BAD if calls else Tone.STRONG,
    )


def _free(waits: Sequence[Wait], render: RenderContext, there: Counter[Availability]) -> Figure:
    many, exact = free(render, there)
    off = there[Availability.OFFLINE]
    others = [Availability.OFFLINE] if off and off == there.total() else [Availability.BUSY, Availability.AWAY]
    note = ", ".join(f"{known_count(there[cover], render, exact=exact)} {cover}" for cover in others)
    return Figure(
        "Free agents",
        known_count(many, render, exact=exact),
        note if there else "" if exact else "not known",
        short="Free",
        series="agents_free",
        tone=Tone.WARN if waits and not many and exact else Tone.STRONG,
    )


_HOUR_SECONDS = 3600
_STEADY = 0.01
"""Share of the memory per hour from which it is said to grow."""
_RESTARTED_SECONDS = 600
"""Uptime up to which a restart is recent, as in the rule `service-restarted`."""


def service_line(connection: Connection | None, render: RenderContext, *, memory_slope: float | None = None) -> Line:
    """Return the state of the service, what is wrong with it first; nothing while it is not known.

    `connection` knows when the service started, and whether it did so while this console ran; `memory_slope` is the
    increase of its memory in bytes per second, if known.
    """
    status = cast("StatusSummary | None", render.lookup("status").get("status"))
    if status is None:
        return ()
    parts = [*_uptime(status, connection, render), _memory(status, memory_slope, render)]
    parts.sort(key=lambda part: not is_alarming((part,)))
    calls = status.calls
    # The last minutes may begin before the service did: every number has its span.
    spans = {"in 30 min": calls.last30, "in 60 min": calls.last60}
    recent = ", ".join(f"{count(many, render)} {span}" for span, many in spans.items() if many is not None)
    counts = {
        of_number(status.users_now or 0, "active user"): status.users_now,
        f"{of_number(calls.since_reboot or 0, 'call')} since the start": calls.since_reboot,
    }
    told = [f"{count(many, render)} {name}" for name, many in counts.items() if many is not None]
    told[1 if status.users_now is not None else 0 : 0] = [f"calls: {recent}"] if recent else []
    parts += [Cell(clean(part), Tone.QUIET) for part in told]
    # Last, as the first that a narrow line leaves out: the uptime says nearly the same.
    if connection is not None and connection.started_at is not None:
        parts.append(Cell(clean(f"started {clock(connection.started_at, render)}"), Tone.QUIET))
    line = [Cell(clean("Service"), Tone.QUIET)]
    for part in parts:
        line += [gap(), part]
    return tuple(line)


def is_alarming(line: Line) -> bool:
    """Return whether something is wrong: the service restarted lately, or its memory is above a threshold."""
    return any(cell.tone in {Tone.WARN, Tone.BAD} for cell in line)


def _uptime(status: StatusSummary, connection: Connection | None, render: RenderContext) -> list[Cell]:
    if status.uptime is None:
        return []
    # A service that is young when the console opens is not worth a message: nothing was lost here.
    if connection is not None and connection.restarted_at is not None and status.uptime <= _RESTARTED_SECONDS:
        sign = drawn("▲", render.symbols)
        return [Cell(clean(f"{sign} restarted {age(status.uptime * 1000, render)} ago"), Tone.WARN)]
    return [Cell(clean(f"up {age(status.uptime * 1000, render)}"), Tone.QUIET)]


def _memory(status: StatusSummary, slope: float | None, render: RenderContext) -> Cell:
    memory = status.memory_usage
    heap = ""
    if memory.heap_total and memory.heap_used is not None:
        heap = f"heap {memory.heap_used / memory.heap_total:.0%}"
    tone = level(MEMORY, render).tone(memory.rss, calm=Tone.QUIET)
    sign = "" if tone is Tone.QUIET else f"{drawn('▲', render.symbols)} "
    join = ", ".join(filter(None, (f"memory {size(memory.rss, render)}", heap, _growth(memory.rss, slope, render))))
    return Cell(clean(f"{sign}{join}", 80), tone)


def _growth(rss: float | None, slope: float | None, render: RenderContext) -> str:
    """Return by how much the memory grows, and when it reaches its configured limit; empty for steady memory."""
    if rss is None or slope is None or abs(slope) * _HOUR_SECONDS < _STEADY * rss:
        return ""
    limit = level(MEMORY, render).bad
    if slope > 0 and rss < limit < inf:
        return f"limit in {span_words(1000 * (limit - rss) / slope)}"
    return f"{'+' if slope > 0 else '-'}{size(abs(slope) * _HOUR_SECONDS, render)}/h"
