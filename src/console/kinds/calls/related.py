"""Calls that have to do with an opened call: others of its caller, and those that wait in its queue."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from console.base.text import clean, fit
from console.kinds.calls import WAIT
from console.kinds.calls.facts import begun, calls_of_caller, ended_at, longest_first, over, queue_of, reason, waiting
from console.kinds.calls.states import STATES
from console.records.state_words import WAITING
from console.records.traffic import Call
from console.views import columns, wording
from console.views.cell import Cell, Line, Section, Tone
from console.views.lines import gap, related_lines
from console.views.render_context import RenderContext

_WITHHELD = frozenset({"", "anonymous", "private", "restricted", "unavailable", "unknown", "withheld"})
"""Texts in place of a withheld number (RFC 3323, 4.1.1.3): their calls may be of different people."""


def related_calls(call: Call, render: RenderContext) -> tuple[Section, ...]:
    """Return the sections with other calls of the caller, the latest first, and of an opened call, the waiting ones."""
    known = calls_of_caller(call.caller, render) if call.caller and _is_identified(call.caller) else ()
    of_caller = [other for other in known if other.id != call.id]
    sections: list[Section] = []
    if render.opened and waiting(call):
        # Beside a list, the waiting calls are its first rows.
        queue = queue_of(call)
        in_state = cast("Iterable[Call]", render.in_state("calls", *WAITING))
        queued = longest_first(other for other in in_state if waiting(other) and queue_of(other) == queue)
        if len(queued) > 1:
            lines = related_lines(queued, lambda other: _queued(other, call, render), render, "call")
            sections.append(Section("queued", f"Waiting here {len(queued)}", lines))
    if of_caller:
        lines = related_lines(of_caller, lambda other: _of_caller(other, render), render, "call")
        sections.append(Section("of-caller", f"Other calls of this caller {len(of_caller)}", lines))
    return tuple(sections)


def _is_identified(caller: str) -> bool:
    """Return whether a caller is known: `anonymous@anonymous.invalid` is not."""
    return caller.removeprefix("sip:").partition("@")[0].lower() not in _WITHHELD


def _queued(other: Call, opened: Call, render: RenderContext) -> Line:
    since = begun(other)
    age = render.ms_since(since)
    is_opened = other.id == opened.id
    return (
        Cell(fit(wording.age(age, render), 7, right=True), columns.severity(WAIT, age, render)),
        gap(),
        Cell(clean(wording.name(other.caller, render) or "unknown"), Tone.STRONG if is_opened else Tone.PLAIN),
        *((Cell(clean("  this call"), Tone.QUIET),) if is_opened else ()),
    )


def _of_caller(other: Call, render: RenderContext) -> Line:
    at = ended_at(other)
    state, why = STATES.cell(other.state, render, ended=over(other)), reason(other)
    return (
        Cell(fit(wording.age(render.ms_since(at), render), 7, right=True), Tone.QUIET),
        gap(),
        Cell(fit(state.text, 14), state.tone),
        gap(),
        Cell(clean(wording.name(queue_of(other) or other.callee, render) or "unknown")),
        *((Cell(clean(f"  {why}"), Tone.QUIET),) if why else ()),
    )
