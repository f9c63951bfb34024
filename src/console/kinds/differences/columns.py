"""The table of what differs between two moments: one row per field, or per record that came or went."""

from __future__ import annotations

from console.kinds.catalogue import LIVE
from console.kinds.differences.states import STATES
from console.records.differences import Difference
from console.text import SafeText, clean
from console.views import columns
from console.views.cell import Section, Tone
from console.views.lines import faults_section, led, pair
from console.views.render_context import RenderContext
from console.views.table import Link, Table


def _name(difference: Difference, _render: RenderContext) -> SafeText:
    return clean(f"{difference.name or difference.subject or ''}: {difference.label or difference.change or ''}", 100)


def _detail(difference: Difference, render: RenderContext) -> tuple[Section, ...]:
    lines = (
        pair("Record", difference.name, render, Tone.STRONG),
        pair("List", difference.list_title, render),
        led("Change", [STATES.cell(difference.change, render)]),
        pair("Field", difference.label, render),
        pair("Before", difference.before, render),
        pair("After", difference.after, render, Tone.STRONG),
        pair("Field name", difference.field, render),
        pair("Id", difference.subject, render),
    )
    return (*faults_section(difference), Section("difference", "Difference", lines))


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
            columns.state(STATES, lambda each: each.change, id="change", title="Change", width=10),
            columns.text("list", "List", 11, lambda each, _render: each.list_title, priority=1, closed=True),
            columns.text("record", "Record", 14, lambda each, _render: each.name, grows=True, aliases=("name",)),
            columns.text("field", "Field", 17, lambda each, _render: each.label, grows=True),
            columns.prose("before", "Before", 12, lambda each: each.before, grows=True),
            columns.prose("after", "After", 12, lambda each: each.after, grows=True),
            columns.text("field-name", "Field name", 16, lambda each, _render: each.field, priority=9),
            columns.text("key", "Record id", 16, lambda each, _render: each.subject, priority=9),
            columns.identity(lambda each: each.id, title="Number"),
        )
    ),
    name=_name,
    detail=_detail,
    links=_links,
    copies=lambda difference: difference.subject or difference.id,
)
