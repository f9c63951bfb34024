"""The table of rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from console.base.text import SafeText, clean
from console.kinds.episodes.states import SEVERITIES
from console.records.rules import RuleRow
from console.views import columns, wording
from console.views.cell import Cell, Line, Section, Tone
from console.views.lines import faults_section, gap, labelled, pair
from console.views.render_context import RenderContext
from console.views.states import StateLook, States
from console.views.table import Table

STATES = States(
    {
        "invalid": StateLook("×", Tone.BAD, rank=0),
        "on": StateLook("●", Tone.GOOD, rank=1),
        "off": StateLook("○", Tone.QUIET, rank=2),
    }
)


def _name(rule: RuleRow, _render: RenderContext) -> SafeText:
    return clean(rule.name, 80)


def _totals(rules: Iterable[RuleRow], render: RenderContext) -> Line:
    counts = Counter(rule.state or "off" for rule in rules)
    line = [Cell(clean(wording.plural(counts.total(), "rule")), Tone.STRONG)]
    for state, many in sorted(counts.items(), key=lambda item: STATES.look(item[0]).rank):
        line += [gap(), STATES.counted(state, many, render)]
    return tuple(line)


def _detail(rule: RuleRow, render: RenderContext) -> tuple[Section, ...]:
    lines = (
        labelled("State", [STATES.cell(rule.state, render)]),
        *((pair("Fault", rule.fault, render, Tone.BAD),) if rule.fault else ()),
        labelled("Severity", [SEVERITIES.cell(rule.severity, render)]),
        pair("Title", rule.title, render, Tone.STRONG),
        pair("List", rule.list, render),
        *((pair("Record", rule.record, render),) if rule.record else ()),
        pair("Filter", rule.filter or "all rows", render),
        pair("Condition", rule.condition, render),
        pair("Critical", rule.critical, render),
        pair("Each", rule.each or "the whole list", render),
        pair("Words", rule.words, render),
        pair("Now", wording.count(rule.episodes, render), render),
        pair("Muted", wording.count(rule.muted, render), render),
        pair("From", rule.origin, render),
    )
    return (*faults_section(rule), Section("rule", "Rule", lines))


TABLE: Table[RuleRow] = Table(
    kind="rules",
    title="Rules",
    one="rule",
    order="name",
    columns=columns.marked(
        (
            columns.state(STATES, lambda rule: rule.state, width=9),
            columns.text("name", "Name", 18, lambda rule, _render: rule.name, grows=True),
            columns.state(
                SEVERITIES, lambda rule: rule.severity, id="severity", title="Severity", width=10, priority=1
            ),
            columns.text("list", "List", 13, lambda rule, _render: rule.list, priority=1),
            columns.text("condition", "Condition", 20, lambda rule, _render: rule.condition, grows=True),
            columns.text("filter", "Filter", 20, lambda rule, _render: rule.filter, priority=2, grows=True),
            columns.text("each", "Each", 10, lambda rule, _render: rule.each, priority=3),
            columns.number("episodes", "Now", 4, lambda rule, _render: rule.episodes, aliases=("now",)),
            columns.number("muted", "Muted", 5, lambda rule, _render: rule.muted, priority=1),
            columns.text("origin", "From", 10, lambda rule, _render: rule.origin, priority=4),
            columns.text("fault", "Fault", 20, lambda rule, _render: rule.fault, priority=9),
        )
    ),
    name=_name,
    detail=_detail,
    totals=_totals,
)
