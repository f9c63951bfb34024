"""The table of deliveries: mails, SMS and pushes of the embedded service."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from console.base.text import SafeText, clean
from console.kinds.deliveries.states import STATES
from console.records.deliveries import Delivery
from console.views import columns, wording
from console.views.cell import Cell, Line, Section, Tone
from console.views.lines import faults_section, gap, labelled, pair, raw_section, text_line
from console.views.render_context import RenderContext
from console.views.table import Table

_LONGEST = 160


def totals(deliveries: Iterable[Delivery], _render: RenderContext) -> Line:
    """Return the number of deliveries by state, given-up and unsent ones first."""
    counts = Counter(delivery.state or "" for delivery in deliveries)
    line = [Cell(clean(wording.plural(counts.total(), "delivery")), Tone.STRONG)]
    for state in ("dead", "unsent", "pending", "sent"):
        if counts[state]:
            line += [gap(), Cell(clean(f"{counts[state]} {state}"), STATES.look(state).tone)]
    return tuple(line)


def name(delivery: Delivery, _render: RenderContext) -> SafeText:
    """Return the name of a delivery in a sentence."""
    return clean(f"{delivery.kind or 'delivery'} to {delivery.recipient or 'nobody'}", 80)


def detail(delivery: Delivery, render: RenderContext) -> tuple[Section, ...]:
    """Return the detail of a delivery; codes stay masked."""
    summary = (
        labelled("State", [STATES.cell(delivery.state, render)]),
        pair("Kind", delivery.kind, render, Tone.STRONG),
        pair("By", delivery.mechanism, render),
        pair("To", delivery.recipient, render),
        pair("About", delivery.subject, render),
        pair("Stored", wording.moment(wording.at(delivery.created_at), render), render),
        pair("Attempts", wording.count(wording.number(delivery.attempts), render), render),
        pair("Last error", delivery.last_error, render, Tone.WARN),
        pair("Next attempt", wording.moment(wording.at(delivery.next_attempt_at), render), render),
        pair("Finished", wording.moment(wording.at(delivery.finished_at), render), render),
        pair("Id", delivery.id, render),
    )
    text = [delivery.title or "", *(delivery.text or "").split("\n")]
    lines = tuple(text_line(value[:_LONGEST]) for value in text[:50])
    return (
        *faults_section(delivery),
        Section("summary", "Delivery", summary),
        Section("text", "Text", lines),
        raw_section(delivery, render),
    )


TABLE: Table[Delivery] = Table(
    kind="deliveries",
    title="Deliveries",
    one="delivery",
    order="age",
    columns=columns.marked(
        (
            columns.state(STATES, lambda delivery: delivery.state, width=10),
            columns.text("kind", "Kind", 18, lambda delivery, _render: delivery.kind, priority=1),
            columns.text("recipient", "Recipient", 24, lambda delivery, _render: delivery.recipient, grows=True),
            columns.age("age", "Age", lambda delivery, _render: delivery.created_at),
            columns.number(
                "attempts", "Attempts", 8, lambda delivery, _render: wording.number(delivery.attempts), priority=1
            ),
            columns.text(
                "error",
                "Last error",
                24,
                lambda delivery, _render: delivery.last_error,
                priority=1,
                shows="lastError",
                grows=True,
            ),
            columns.time(
                "next", "Next attempt", 12, lambda delivery: delivery.next_attempt_at, priority=2, shows="nextAttemptAt"
            ),
            columns.text("mechanism", "By", 6, lambda delivery, _render: delivery.mechanism, priority=3, closed=True),
            columns.text("title", "Title", 24, lambda delivery, _render: delivery.title, priority=4),
            columns.text("text", "Text", 24, lambda delivery, _render: delivery.text, priority=9),
            columns.text("subject", "About", 12, lambda delivery, _render: delivery.subject, priority=9),
            columns.time(
                "finished", "Finished", 12, lambda delivery: delivery.finished_at, priority=9, shows="finishedAt"
            ),
            columns.identity(lambda delivery: delivery.id),
        )
    ),
    name=name,
    detail=detail,
    totals=totals,
)
