"""Tiles of the home screen from the service status summary (contract 2.20)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, cast

from console.frozen import Frozen
from console.kinds.calls import WAIT
from console.kinds.calls.facts import Wait, waits_exact
from console.kinds.scope import Scope, of_them, scope
from console.kinds.status import MEMORY
from console.signs import drawn
from console.views.cell import Tone
from console.views.render_context import RenderContext
from console.views.thresholds import level
from console.views.words import age, clock, count, dash, known_count, of_number, size, span_words

if TYPE_CHECKING:
    from console.records.traffic import StatusSummary

_HOUR_SECONDS = 3600
_STEADY = 0.01
"""Share of the memory per hour from which it is said to grow."""
TILES = ("calls", "users", "recent", "wait", "uptime", "memory")
"""In order; the last ones are dropped if there is too little space."""


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


def numbers(
    waits: Sequence[Wait],
    started: float | None,
    render: RenderContext,
    *,
    memory_slope: float | None = None,
) -> Mapping[str, Figure]:
    """Return the numbers of the home screen, by the names in `TILES`.

    `started` is when the service started; `memory_slope` is the increase of its memory in bytes per second, if known.
    """
    status = cast("StatusSummary | None", render.lookup("status").get("status"))
    calls, memory = (status.calls, status.memory_usage) if status else (None, None)
    since = calls.since_reboot if calls else None
    uptime = status.uptime if status else None
    heap = ""
    if memory and memory.heap_total and memory.heap_used is not None:
        heap = f"heap {memory.heap_used / memory.heap_total:.0%}"
    return {
        "calls": Figure(
            "Active calls",
            count(status.calls_now if status else None, render),
            "" if scope("calls", render) is Scope.ALL else "whole service",
            short="Calls now",
            series="active_calls",
        ),
        "users": Figure(
            "Active users",
            count(status.users_now if status else None, render),
            short="Users now",
            series="active_users",
        ),
        "recent": Figure(
            "Calls in 15 min",
            count(calls.last15 if calls else None, render),
            "" if calls is None else f"30: {count(calls.last30, render)}  60: {count(calls.last60, render)}",
            short="Last 15 min",
            series="calls_last15",
        ),
        "wait": _wait(waits, render),
        "uptime": Figure(
            "Uptime",
            age(None if uptime is None else uptime * 1000, render),
            "" if since is None else f"{count(since, render)} {of_number(since, 'call')} since",
            more="" if started is None else clock(started, render),
        ),
        "memory": Figure(
            "Memory rss",
            size(memory.rss if memory else None, render),
            ", ".join(filter(None, (heap, _growth(memory.rss if memory else None, memory_slope, render)))),
            short="Memory",
            series="memory_rss",
            tone=level(MEMORY, render).tone(memory.rss if memory else None, calm=Tone.STRONG),
        ),
    }


def _growth(rss: float | None, slope: float | None, render: RenderContext) -> str:
    """Return by how much the memory grows, and when it reaches its configured limit; empty for steady memory."""
    if rss is None or slope is None or abs(slope) * _HOUR_SECONDS < _STEADY * rss:
        return ""
    limit = level(MEMORY, render).bad
    if slope > 0 and rss < limit < inf:
        return f"limit in {span_words(1000 * (limit - rss) / slope)}"
    return f"{'+' if slope > 0 else '-'}{size(abs(slope) * _HOUR_SECONDS, render)}/h"


def _wait(waits: Sequence[Wait], render: RenderContext) -> Figure:
    """Return the longest wait among the visible calls."""
    which, exact = scope("calls", render), waits_exact(render)
    longest = waits[0].ms(render.now_ms) if waits else None
    if waits:
        value = age(longest, render) if exact else f"{drawn('≥', render.symbols)} {age(longest, render)}"
        many = known_count(len(waits), render, exact=exact)
        note = f"{many}{of_them('calls', render)} wait, {waits[0].target or 'no target'}"
    elif exact:
        value = "none"
        note = {Scope.ALL: "nobody waits", Scope.OWN: "of your calls"}.get(which, "of those you see")
    else:
        value, note = dash(render), "not known"
    title, short = ("Your longest wait", "Your wait") if which is Scope.OWN else ("Longest wait", "Wait")
    return Figure(title, value, note, short=short, tone=level(WAIT, render).tone(longest, calm=Tone.STRONG))
