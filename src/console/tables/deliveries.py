"""How deliveries read: mails, SMS and pushes of the embedded service, and what became of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from console.records.deliveries import Delivery
from console.tables import columns, states, words
from console.tables.cell import Cell, Line, Section, Tone
from console.tables.lines import faults_section, gap, led, pair, raw_section, say
from console.tables.sight import Sight
from console.tables.table import Table
from console.text import SafeText, clean

_LONGEST = 160


def totals(deliveries: Iterable[Delivery], _sight: Sight) -> Line:
    """Return how many deliveries there are, what was given up or not sent first."""
    counts = Counter(each.state or "" for each in deliveries)
    line = [Cell(clean(words.plural(counts.total(), "delivery")), Tone.STRONG)]
    for state in ("dead", "unsent", "pending", "sent"):
        if counts[state]:
            line += [gap(), Cell(clean(f"{counts[state]} {state}"), states.look("deliveries", state).tone)]
    return tuple(line)


def name(delivery: Delivery, _sight: Sight) -> SafeText:
    """Return what a delivery is called in a sentence."""
    return clean(f"{delivery.kind or 'delivery'} to {delivery.recipient or 'nobody'}", 80)


def detail(delivery: Delivery, sight: Sight) -> tuple[Section, ...]:
    """Return everything about a delivery; codes stay masked."""
    summary = (
        led("State", [states.cell("deliveries", delivery.state, sight)]),
        pair("Kind", delivery.kind, sight, Tone.STRONG),
        pair("By", delivery.mechanism, sight),
        pair("To", delivery.recipient, sight),
        pair("About", delivery.subject, sight),
        pair("Stored", words.moment(words.at(delivery.created_at), sight), sight),
        pair("Attempts", words.count(words.number(delivery.attempts), sight), sight),
        pair("Last error", delivery.last_error, sight, Tone.WARN),
        pair("Next attempt", words.moment(words.at(delivery.next_attempt_at), sight), sight),
        pair("Finished", words.moment(words.at(delivery.finished_at), sight), sight),
        pair("Id", delivery.id, sight),
    )
    text = [delivery.title or "", *(delivery.text or "").split("\n")]
    lines = tuple(say(each[:_LONGEST]) for each in text[:50])
    return (
        *faults_section(delivery),
        Section("summary", "Delivery", summary),
        Section("text", "Text", lines),
        raw_section(delivery),
    )


DELIVERIES: Table[Delivery] = Table(
    kind="deliveries",
    title="Deliveries",
    one="delivery",
    order="age",
    columns=columns.marked(
        (
            columns.state("deliveries", lambda each: each.state, width=10),
            columns.text("kind", "Kind", 18, lambda each, _sight: each.kind),
            columns.text("recipient", "Recipient", 24, lambda each, _sight: each.recipient, grows=True),
            columns.age("age", "Age", lambda each, _sight: each.created_at),
            columns.number("attempts", "Tries", 6, lambda each, _sight: words.number(each.attempts), priority=1),
            columns.text("error", "Last error", 24, lambda each, _sight: each.last_error, priority=1, grows=True),
            columns.time("next", "Next try", 12, lambda each: each.next_attempt_at, priority=2),
            columns.text("mechanism", "By", 6, lambda each, _sight: each.mechanism, priority=3, closed=True),
            columns.text("title", "Title", 24, lambda each, _sight: each.title, priority=4),
            columns.text("text", "Text", 24, lambda each, _sight: each.text, priority=9),
            columns.text("subject", "About", 12, lambda each, _sight: each.subject, priority=9),
            columns.time("finished", "Finished", 12, lambda each: each.finished_at, priority=9),
            columns.identity(lambda each: each.id),
        )
    ),
    name=name,
    detail=detail,
    totals=totals,
)
