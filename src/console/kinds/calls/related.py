"""Calls of people, and the calls beside an opened one: others of its caller, and those that wait in its queue."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from console.base.text import clean, fit
from console.kinds.calls import WAIT
from console.kinds.calls.facts import begun, ended_at, longest_first, over, queue_of, reason, waiting
from console.kinds.calls.states import STATES
from console.records.raw import WireStruct, decoder
from console.records.state_words import WAITING
from console.records.traffic import Call
from console.views import columns, wording
from console.views.cell import Cell, Line, Section, Tone
from console.views.index import Index
from console.views.lines import gap, related_lines
from console.views.render_context import RenderContext

_WITHHELD = frozenset({"", "anonymous", "private", "restricted", "unavailable", "unknown", "withheld"})
"""Texts in place of a withheld number (RFC 3323, 4.1.1.3): their calls may be of different people."""


class _PeopleRow(WireStruct, frozen=True):
    """The part of a call's row that tells who takes part."""

    caller: str | None = None
    calle: str | None = None
    callee: str | None = None
    users: tuple[str, ...] = ()


_people_row = decoder(_PeopleRow)


def _people(call: Call) -> tuple[str | None, ...]:
    """Return the addresses and ids of everybody in a call."""
    row = call.partly(_people_row)
    if row is None:
        return (call.caller, call.callee, *call.users)
    return (row.caller, row.calle, row.callee, *row.users)


_OF_PERSON: Index[Call] = Index("calls", _people)


def calls_of(addresses: Iterable[str], render: RenderContext) -> list[Call]:
    """Return the known calls of people with these addresses, the latest first."""
    wanted = set(addresses)
    ids = {identifier for address in wanted if (identifier := wording.user_id(address, render))}
    calls = [
        call
        for call in _OF_PERSON.any_of(render, *wanted, *ids)
        if not (wanted.isdisjoint((call.caller, call.callee, *call.users)) and ids.isdisjoint(call.users))
    ]
    return sorted(calls, key=lambda call: (-(begun(call) or 0), call.id))


def calls_of_user(user_id: str, render: RenderContext) -> list[Call]:
    """Return the known calls of a user, the latest first."""
    return calls_of([wording.user_address(user_id, render)], render)


def calls_of_caller(caller: str, render: RenderContext) -> list[Call]:
    """Return the known calls from an address, the latest first."""
    return [call for call in calls_of([caller], render) if call.caller == caller]


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
