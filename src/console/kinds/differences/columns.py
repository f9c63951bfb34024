"""The table of what differs between two moments: one row per record, with its fields in the detail."""

from __future__ import annotations

from console.base.text import SafeText, clean
from console.kinds.catalogue import LIVE
from console.records.differences import Difference
from console.views import columns
from console.views.cell import Section, Tone
from console.views.lines import faults_section, labelled, pair, several
from console.views.render_context import RenderContext
from console.views.states import StateLook, States
from console.views.table import Link, Table

STATES = States(
    {
        "came": StateLook("●", Tone.GOOD, rank=1),
        "went": StateLook("○", Tone.WARN, rank=2),
        "changed": StateLook("≠", Tone.NOTICE, rank=3),
    }
)


_LONGEST = 400
_MOST_FIELDS = 20


def _name(difference: Difference, _render: RenderContext) -> SafeText:
    return clean(difference.name or difference.subject or "", 100)


def _fields(difference: Difference) -> SafeText:
    """Return what changed besides the state: `Agent – → Ana Belmonte, End – → 10:42:10`."""
    fields = (
        f"{field.label} {field.before} → {field.after}"
        for field in difference.fields[:_MOST_FIELDS]
        if (field.before, field.after) != (difference.before, difference.after)
    )
    return clean(", ".join(fields), _LONGEST)


def _detail(difference: Difference, render: RenderContext) -> tuple[Section, ...]:
    lines = (
        pair("Record", difference.name, render, Tone.STRONG),
        pair("List", difference.list_title, render),
        labelled("Change", [STATES.cell(difference.change, render)]),
        pair("Id", difference.subject, render),
    )
    fields = several(
        difference.fields,
        lambda changed_field: pair(
            clean(changed_field.label or ""), f"{changed_field.before} → {changed_field.after}", render, Tone.STRONG
        ),
        what="field",
    )
    sections = (*faults_section(difference), Section("difference", "Difference", lines))
    return (*sections, Section("fields", "Fields", fields)) if fields else sections


def _links(difference: Difference, _render: RenderContext) -> tuple[Link, ...]:
    if difference.list not in LIVE or not difference.subject:
        return ()
    return (Link(difference.name or difference.subject, difference.list, difference.subject),)


TABLE: Table[Difference] = Table(
    kind="differences",
    title="Differences",
    one="difference",
    order="id",
    columns=columns.marked(
        (
            columns.state(STATES, lambda diff: diff.change, id="change", title="Change", width=10),
            columns.text("list", "List", 11, lambda diff, _render: diff.list_title, priority=2, closed=True),
            columns.text("record", "Record", 24, lambda diff, _render: diff.name, grows=True, aliases=("name",)),
            columns.prose("before", "Before", 11, lambda diff: diff.before),
            columns.prose("after", "After", 11, lambda diff: diff.after),
            columns.prose("fields", "Other fields", 12, _fields, priority=1, grows=True),
            columns.text("key", "Record id", 16, lambda diff, _render: diff.subject, priority=9),
            columns.identity(lambda diff: diff.id, title="Number"),
        )
    ),
    name=_name,
    detail=_detail,
    links=_links,
    copies=lambda diff: diff.subject or diff.id,
)
