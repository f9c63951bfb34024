"""The state of the service in one line: uptime, traffic and memory (contract 2.20)."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, cast

from console.base.signs import drawn
from console.base.text import clean
from console.kinds.status import MEMORY
from console.views.cell import Cell, Line, Tone
from console.views.lines import gap
from console.views.render_context import RenderContext
from console.views.thresholds import level
from console.views.wording import age, clock, count, size, span_words

if TYPE_CHECKING:
    from console.records.connection import Connection
    from console.records.traffic import StatusSummary

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
    counts = {
        "active users": status.users_now,
        "calls since the start": calls.since_reboot,
        "in 30 min": calls.last30,
        "in 60 min": calls.last60,
    }
    parts += [
        Cell(clean(f"{name} {count(many, render)}"), Tone.QUIET) for name, many in counts.items() if many is not None
    ]
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
    started = connection and connection.started_at
    since = "" if started is None else f" since {clock(started, render)}"
    # A service that is young when the console opens is no news: nothing was lost here.
    if connection is not None and connection.restarted_at is not None and status.uptime <= _RESTARTED_SECONDS:
        sign = drawn("▲", render.symbols)
        return [Cell(clean(f"{sign} restarted {age(status.uptime * 1000, render)} ago"), Tone.WARN)]
    return [Cell(clean(f"up {age(status.uptime * 1000, render)}{since}"), Tone.QUIET)]


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
