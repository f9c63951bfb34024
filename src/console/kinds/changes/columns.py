"""The table of own changes: time, description, answer, and all data sent and received."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from console.base.frozen import replace
from console.base.secrets import without_secrets
from console.base.text import SafeText, clean
from console.records.own_changes import OwnChange
from console.views import columns, wording
from console.views.cell import Cell, Line, Section, Tone
from console.views.lines import faults_section, pair, raw, text_line
from console.views.render_context import RenderContext
from console.views.states import StateLook, States
from console.views.table import Column, Link, Table

STATES = States(
    {
        "held": StateLook("○", Tone.NOTICE, rank=0),
        "pending": StateLook("…", Tone.NOTICE, rank=1),
        "unknown": StateLook("?", Tone.WARN, over=True, rank=2),
        "refused": StateLook("×", Tone.BAD, over=True, rank=3),
        "notsent": StateLook("○", Tone.QUIET, over=True, rank=4),
        "done": StateLook("√", Tone.GOOD, over=True, rank=5),
        "takenback": StateLook("←", Tone.QUIET, over=True, rank=6),
    }
)


_ORDER = ("held", "pending", "unknown", "refused", "not sent", "done", "taken back")


def _name(change: OwnChange, _render: RenderContext) -> SafeText:
    return clean(change.words or change.operation or change.id, 100)


def _detail(change: OwnChange, render: RenderContext) -> tuple[Section, ...]:
    state = STATES.cell(change.state, render)
    lines: list[Line] = [
        pair("Change", change.words, render, Tone.STRONG),
        (*pair("State", "", render)[:1], state),
        pair("Answer", change.answer, render),
        pair("Made", wording.moment(wording.at(change.decided_at), render), render),
        pair("Known", wording.moment(wording.at(change.at), render), render),
        pair("Operation", change.operation, render),
        pair("Record", change.subject, render),
    ]
    if change.earlier:
        lines.append(text_line("It was made in an earlier session of the console.", Tone.WARN))
    sections = [*faults_section(change), Section("change", "Change", tuple(lines))]
    if change.inputs is not None:
        sections.append(Section("sent", "Sent", _masked(change.inputs)))
    if change.answered is not None:
        sections.append(Section("answered", "Answered", _masked(change.answered)))
    return tuple(sections)


def _masked(value: object) -> tuple[Line, ...]:
    """Return the lines of a JSON value with all secrets masked completely."""
    return raw(without_secrets(value), revealed=True)


def _totals(changes: Iterable[OwnChange], render: RenderContext) -> Line:
    counter = Counter(change.state or "" for change in changes)
    total = sum(counter.values())
    cells: list[Cell] = [Cell(clean(wording.plural(total, "own change")), Tone.STRONG)]
    for state in _ORDER:
        if counter[state] and counter[state] != total:
            tone = STATES.look(state).tone
            cells.append(Cell(clean(f"  {counter[state]} {state}"), tone))
    cells.append(Cell(clean(f"  times in {render.zone.key}"), Tone.QUIET))
    return tuple(cells)


def _links(change: OwnChange, render: RenderContext) -> tuple[Link, ...]:
    key = change.made or change.subject
    if not change.kind or not key or render.find(change.kind, key) is None:
        return ()
    return (Link(change.words or key, change.kind, key),)


def _place(change: OwnChange, _render: RenderContext) -> str | None:
    """Return the sort key of a change: by time, then by order of decision."""
    at = wording.at(change.at)
    return None if at is None else f"{at:020.3f} {change.id}"


_AT: Column[OwnChange] = replace(
    columns.time("at", "Time", 12, lambda change: change.at, about="when it ended, or was made"),
    sort=_place,
)

TABLE: Table[OwnChange] = Table(
    kind="changes",
    title="Own changes",
    one="change",
    columns=columns.marked(
        (
            columns.state(STATES, lambda change: change.state, width=12),
            _AT,
            columns.text("change", "Change", 30, lambda change, _render: change.words, grows=True),
            columns.text("answer", "Answer", 16, lambda change, _render: change.answer, grows=True, priority=1),
            columns.text("operation", "Operation", 22, lambda change, _render: change.operation, priority=9),
            columns.text("record", "Record", 16, lambda change, _render: change.subject, priority=9),
            columns.time("decided", "Made", 12, lambda change: change.decided_at, priority=9),
            columns.flag("earlier", "Earlier session", 11, lambda change, _render: change.earlier, priority=9),
            columns.identity(lambda change: change.id),
        )
    ),
    order="-at",
    name=_name,
    detail=_detail,
    totals=_totals,
    links=_links,
    copies=lambda change: change.made or change.subject or change.id,
)
