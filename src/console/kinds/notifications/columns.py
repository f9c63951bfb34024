"""The table of pending notifications: alerts and chats offered to the caller."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from console.base.text import SafeText, clean
from console.kinds.notifications.facts import ALERT, CHAT, what
from console.kinds.notifications.states import STATES
from console.kinds.scope import counted
from console.records.notifications import Notification
from console.views import columns, wording
from console.views.cell import Cell, Line, Section, Tone
from console.views.lines import faults_section, gap, labelled, pair, raw_section
from console.views.render_context import RenderContext
from console.views.table import Link, Table


def name(offer: Notification, render: RenderContext) -> SafeText:
    """Return the name of an offer in a sentence."""
    if offer.kind == CHAT and offer.from_user:
        return clean(f"{what(offer)} with {wording.person(offer.from_user, render)}", 80)
    return what(offer)


def totals(offers: Iterable[Notification], render: RenderContext) -> Line:
    """Return the number of offers by kind."""
    counts = Counter(offer.kind or "other" for offer in offers)
    line = [Cell(clean(counted("notifications", counts.total(), "offer", render)), Tone.STRONG)]
    for kind, many in sorted(counts.items()):
        text = f"{many} {kind}" if kind == "other" else wording.plural(many, kind)
        line += [gap(), Cell(clean(text, 40), STATES.look(kind).tone)]
    return tuple(line)


def detail(offer: Notification, render: RenderContext) -> tuple[Section, ...]:
    """Return the detail of an offer."""
    summary = (
        labelled("Kind", [STATES.cell(offer.kind, render)]),
        pair("What", what(offer), render, Tone.STRONG),
        pair("From", wording.person(offer.from_user, render) if offer.from_user else None, render),
        pair("Since", wording.moment(wording.at(offer.created_at), render), render),
        pair("Alert or chat", offer.subject, render),
        pair("Id", offer.id, render),
    )
    return (*faults_section(offer), Section("summary", "Offer", summary), raw_section(offer, render))


def links(offer: Notification, _render: RenderContext) -> tuple[Link, ...]:
    """Return links to the alert, and to its sender or the customer of the chat."""
    all_links: list[Link] = []
    if offer.kind == ALERT and offer.subject:
        all_links.append(Link("alert", "alerts", offer.subject))
    if offer.from_user:
        all_links.append(Link("from", "users", offer.from_user))
    return tuple(all_links)


TABLE: Table[Notification] = Table(
    kind="notifications",
    title="Offers",
    one="offer",
    order="age",
    columns=columns.marked(
        (
            columns.state(STATES, lambda notification: notification.kind, id="kind", title="Kind", width=9),
            columns.text("what", "What", 26, lambda notification, _render: what(notification), grows=True),
            columns.text(
                "from",
                "From",
                20,
                lambda notification, render: (
                    wording.person(notification.from_user, render) if notification.from_user else None
                ),
                grows=True,
            ),
            columns.age("age", "Waits", lambda notification, _render: notification.created_at),
            columns.text(
                "subject", "Alert or chat", 14, lambda notification, _render: notification.subject, priority=2
            ),
            columns.identity(lambda notification: notification.id),
        )
    ),
    name=name,
    detail=detail,
    totals=totals,
    links=links,
    follows=("users",),
)
