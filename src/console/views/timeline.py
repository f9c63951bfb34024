"""Timeline of consecutive events on a common scale."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from console.base.frozen import Frozen
from console.base.signs import drawn
from console.base.text import SafeText, clean, fit
from console.views import wording
from console.views.cell import Cell, Line, Tone
from console.views.lines import gap
from console.views.render_context import RenderContext
from console.views.states import States

STRIP = 20
"""Width of the timeline in cells: with a name next to it or below, it fits the detail at 120 columns."""
_WHO = ("address", "callee", "calle", "target", "destination", "user", "agent", "to", "id")
_START = ("date", "start", "startedAt", "createdAt", "from", "timestamp", "ts")
_END = ("to", "end", "endedAt", "finishedAt")
_STATE = ("state", "result", "status")
_REASON = ("reason", "endReason", "error", "cause")
NAME_WIDTH = 20
_INDENT = gap()


class Scale(Frozen):
    """A time span over `STRIP` cells; both ends in ms since the epoch."""

    start: float
    end: float

    def strip(self, start: float | None, end: float | None, render: RenderContext) -> SafeText:
        """Draw one bar; empty without a start, open without an end."""
        rest, full, more = drawn("·═►", render.symbols)
        if start is None:
            return clean(" " * STRIP)
        first = self._cell(start)
        last = max(first, self._cell(self.end if end is None else end))
        body = full * (last - first) + (full if end is not None else more)
        return clean((rest * first + body).ljust(STRIP, rest)[:STRIP])

    def heading(self, indent: int, render: RenderContext) -> Line:
        """Return the heading with the span of the scale, for strips that start after `indent` cells."""
        long = wording.span_words(self.end - self.start)
        since = clean(f"from {wording.clock(self.start, render)}")
        scale = Cell(clean("0:00" + long.rjust(STRIP - 4)), Tone.QUIET)
        if indent > len(since):
            return (Cell(fit(since, indent), Tone.QUIET), scale)
        return (gap(" " * indent), scale, gap(), Cell(since, Tone.QUIET))

    def _cell(self, at: float) -> int:
        span = max(1.0, self.end - self.start)
        return min(STRIP - 1, max(0, int((at - self.start) / span * STRIP)))


def scale(moments: Iterable[float | None], open_end: bool, render: RenderContext) -> Scale | None:
    """Return the scale of all times, up to now if something is in progress; None without times."""
    known = [moment for moment in moments if moment is not None]
    if not known:
        return None
    end = max(max(known), render.now_ms) if open_end else max(known)
    return Scale(min(known), max(end, min(known) + 1))


def attempt_lines(
    attempts: Iterable[Mapping[str, Any]],
    began: float | None,
    ended: float | None,
    states: States,
    render: RenderContext,
    *,
    in_progress: bool,
) -> tuple[Line, ...]:
    """Return lines for the attempts to reach somebody: address, time since the start of the call, result and duration.

    `states` belong to attempts. The contract defines attempts only as objects, so common field names are tried.
    """
    steps = [_Step.of(attempt) for attempt in attempts]
    times = [began, ended, *(step.start for step in steps), *(step.end for step in steps)]
    span = scale(times, open_end=in_progress, render=render)
    lines: list[Line] = [span.heading(2, render)] if span else []
    for step in steps:
        who = fit(clean(wording.name(step.who, render) or "unknown"), NAME_WIDTH)
        offset = "" if began is None or step.start is None else f"+{wording.span_words(step.start - began)}"
        line = [Cell(who), gap(" "), Cell(clean(offset.rjust(6)), Tone.QUIET), gap(" ")]
        line.append(states.cell(step.state, render))
        if step.reason and step.reason != step.state:
            line += [gap(), Cell(clean(step.reason, 60), Tone.QUIET)]
        lines.append(tuple(line))
        if span and step.start is not None:
            tone = states.look(step.state).tone
            lines.append((_INDENT, Cell(span.strip(step.start, step.end, render), tone)))
    return tuple(lines)


class _Step(Frozen):
    who: str | None
    start: float | None
    end: float | None
    state: str | None
    reason: str | None

    @classmethod
    def of(cls, attempt: Mapping[str, Any]) -> _Step:
        who = next((v for name in _WHO if isinstance(v := attempt.get(name), str) and v), None)
        start = next((t for name in _START if (t := _moment(attempt, name)) is not None), None)
        end = next((t for name in _END if (t := _moment(attempt, name)) is not None), None)
        return cls(who, start, end, _word(attempt, _STATE), reason_in(attempt))


def reason_in(attempt: Mapping[str, Any]) -> str | None:
    """Return the reason in an attempt or in the data of a call, at most 80 characters. Not cleaned."""
    return _word(attempt, _REASON)


def _moment(attempt: Mapping[str, Any], name: str) -> float | None:
    value = attempt.get(name)
    # Digits in such a field are a telephone number.
    is_address = name in {"from", "to"} and isinstance(value, str) and value.isdigit()
    return None if is_address else wording.at(value)


def _word(attempt: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    found = next((v for name in names if isinstance(v := attempt.get(name), str | int) and v not in ("", None)), None)
    return None if found is None else str(found)[:80]
