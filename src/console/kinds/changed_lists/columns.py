"""The table of lists that differ between two moments: how many records came, went and changed."""

from __future__ import annotations

from console.base.text import SafeText, clean
from console.records.differences import ChangedList
from console.views import columns, wording
from console.views.cell import Section, Tone
from console.views.lines import faults_section, pair
from console.views.render_context import RenderContext
from console.views.table import Table


def _name(changed: ChangedList, _render: RenderContext) -> SafeText:
    return clean(changed.title or changed.list, 60)


def _detail(changed: ChangedList, render: RenderContext) -> tuple[Section, ...]:
    lines = (
        pair("List", changed.title, render, Tone.STRONG),
        pair("Came", wording.count(changed.came, render), render),
        pair("Went", wording.count(changed.went, render), render),
        pair("Changed", wording.count(changed.changed, render), render),
        pair("Fields", changed.fields, render),
    )
    # A dash beside these would say that it is not known.
    doubts = (("Not known", changed.unknown), ("Outdated", changed.outdated))
    lines += tuple(pair(label, why, render, Tone.WARN) for label, why in doubts if why)
    return (*faults_section(changed), Section("list", "List", lines))


def _total(changed: ChangedList, _render: RenderContext) -> int | None:
    return None if changed.unknown else (changed.came or 0) + (changed.went or 0) + (changed.changed or 0)


def _changed_fields(changed: ChangedList, _render: RenderContext) -> str | None:
    return changed.unknown or "; ".join(filter(None, (changed.outdated, changed.fields))) or None


TABLE: Table[ChangedList] = Table(
    kind="changed-lists",
    title="Changed lists",
    one="list",
    order="-total",
    columns=columns.marked(
        (
            columns.text("list", "List", 13, lambda changed_list, _render: changed_list.title, aliases=("kind",)),
            columns.number("came", "Came", 6, lambda changed_list, _render: changed_list.came),
            columns.number("went", "Went", 6, lambda changed_list, _render: changed_list.went),
            columns.number("changed", "Changed", 7, lambda changed_list, _render: changed_list.changed),
            columns.text("fields", "Changed fields", 24, _changed_fields, grows=True),
            columns.number(
                "total",
                "Total",
                6,
                _total,
                priority=9,
            ),
            columns.identity(lambda changed_list: changed_list.list),
        )
    ),
    name=_name,
    detail=_detail,
)
