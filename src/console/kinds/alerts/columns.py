"""The table of alerts (contract 2.17): title, sender, age, next retry."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable

from console.base.frozen import Frozen
from console.base.signs import drawn
from console.base.text import SafeText, clean, clean_lines, fit
from console.kinds.alerts import AGE, LEFT
from console.kinds.alerts.facts import (
    is_active,
    is_offered,
    may_be_active,
    retry_moments,
    template_of,
    time_to_accept,
    titled,
)
from console.kinds.alerts.states import STATES
from console.kinds.scope import counted_of
from console.records.extent import Extent
from console.records.support import Alert
from console.views import columns, wording
from console.views.cell import Cell, Line, Section, Tone
from console.views.lines import faults_section, gap, labelled, pair, raw_section, related_lines, text_line
from console.views.render_context import RenderContext
from console.views.table import Link, Table

_STEPS = 12
"""Most retries on a timeline, beside the past ones, which have one line."""


class Clocks(Frozen):
    """Future events of an active alert; times in ms since the epoch."""

    next_retry_at: float | None
    retries_left: int | None
    expires_at: float | None
    exact: bool
    """Whether the service sent them; otherwise they are derived from a template with the same title."""


def clocks(alert: Alert, render: RenderContext) -> Clocks | None:
    """Return the future events of an active alert, or None if unknown."""
    if not is_active(alert):
        return None
    extra = alert.model_extra or {}
    left, retry = wording.number(extra.get("retriesLeft")), wording.at(extra.get("nextRetryAt"))
    expires = wording.at(extra.get("expiresAt"))
    if retry is not None or expires is not None or left is not None:
        return Clocks(retry, None if left is None else int(left), expires, exact=True)
    template, created = template_of(alert, render), wording.at(alert.created_at)
    if template is None or created is None:
        return None
    moments = retry_moments(template)
    if moments is None:
        return None
    ahead = [created + moment for moment in moments if created + moment > render.now_ms]
    give_up = wording.number(template.time_to_expire)
    last = moments[-1] if moments else 0
    end = None if give_up is None else created + last + give_up
    return Clocks(ahead[0] if ahead else None, len(ahead), end, exact=False)


def _since(alert: Alert, _render: RenderContext) -> float | None:
    resolved = None if is_active(alert) else wording.at(alert.resolved_at)
    return resolved if resolved is not None or STATES.look(alert.state).over else wording.at(alert.created_at)


def _expires(alert: Alert, render: RenderContext) -> float | None:
    alert_clocks = clocks(alert, render)
    return alert_clocks.expires_at if alert_clocks else None


def _retry(alert: Alert, render: RenderContext) -> float | None:
    alert_clocks = clocks(alert, render)
    return alert_clocks.next_retry_at if alert_clocks else None


def totals(alerts: Iterable[Alert], render: RenderContext) -> Line:
    """Return the number of alerts by state, active ones first, with the age of the oldest."""
    counts: Counter[str] = Counter()
    first: float | None = None
    dated = True
    exact = render.extent("alerts") is Extent.WHOLE
    for alert in alerts:
        exact = exact and not may_be_active(alert)
        counts["active" if is_active(alert) else alert.state or "unknown"] += 1
        created = wording.at(alert.created_at)
        if is_active(alert):
            dated = dated and created is not None
            first = min((at for at in (first, created) if at is not None), default=None)
    opened = clean(counted_of("alerts", counts["active"], "open alert", render, exact=exact))
    line: list[Cell] = [Cell(opened, Tone.BAD if counts["active"] else Tone.GOOD if exact else Tone.PLAIN)]
    if first is not None:
        age = render.now_ms - first
        oldest = wording.least_age(age, render, exact=exact and dated)
        line += [Cell(clean(", oldest ")), Cell(oldest, columns.severity(AGE, age, render))]
    for state, many in sorted(counts.items(), key=lambda item: STATES.look(item[0]).rank):
        if state != "active":
            line += [gap(), STATES.counted(state, many, render)]
    return tuple(line)


def name(alert: Alert, _render: RenderContext) -> SafeText:
    """Return the name of an alert in a sentence: its title."""
    return clean(alert.title or alert.alert_id, 80)


def detail(alert: Alert, render: RenderContext) -> tuple[Section, ...]:
    """Return the detail of an alert: message, past and future events, raw record."""
    sections = [*faults_section(alert)]
    if alert.payload:
        text = tuple((Cell(line),) for line in clean_lines(alert.payload, 200, 20_000))
        sections.append(Section("payload", "Message", text))
    taken = time_to_accept(alert)
    summary = (
        labelled("State", [STATES.cell(alert.state, render)]),
        pair("From", wording.name(alert.from_, render), render, Tone.STRONG),
        pair("Sent", wording.moment(wording.at(alert.created_at), render), render),
        pair("Accepted by", wording.name(alert.accepted_by, render), render, Tone.STRONG),
        pair("Resolved", wording.moment(wording.at(alert.resolved_at), render), render),
        pair("Accepted in", wording.age(taken, render), render),
        pair("Id", alert.alert_id, render),
    )
    sections.append(Section("summary", "Alert", summary))
    retries = retry_lines(alert, render)
    if retries:
        sections.append(Section("ladder", "Retries and expiry", retries))
    return (*sections, raw_section(alert, render))


def related(alert: Alert, render: RenderContext) -> tuple[Section, ...]:
    """Return the section with the other alerts of the same title, the latest first: who accepted it, and how soon."""
    others = [other for other in titled(alert.title, render) if other.alert_id != alert.alert_id]
    others.sort(key=lambda other: -(wording.at(other.created_at) or 0))
    if not others:
        return ()
    lines = related_lines(others, lambda other: _other(other, render), render, "alert")
    return (Section("others", f"Other alerts of this title {len(others)}", lines),)


def _other(alert: Alert, render: RenderContext) -> Line:
    created, taken = wording.at(alert.created_at), time_to_accept(alert)
    state, by = STATES.cell(alert.state, render), wording.name(alert.accepted_by, render)
    who = f"by {by}" if by else f"from {wording.name(alert.from_, render) or 'unknown'}"
    return (
        Cell(fit(wording.age(render.ms_since(created), render), 7, right=True), Tone.QUIET),
        gap(),
        Cell(fit(state.text, 12), state.tone),
        gap(),
        Cell(clean(who)),
        *((Cell(clean(f"  after {wording.span_words(taken)}"), Tone.QUIET),) if taken is not None else ()),
    )


def retry_lines(alert: Alert, render: RenderContext) -> tuple[Line, ...]:
    """Draw the timeline of an active alert: sent, retries, expiry, with remaining times."""
    alert_clocks = clocks(alert, render)
    if alert_clocks is None:
        return ()
    created, template = wording.at(alert.created_at), template_of(alert, render)
    lines = [] if created is None else [_step("sent", created, render)]
    moments = retry_moments(template) if template else None
    if created is not None and moments is not None and not _contradict(alert_clocks, created, moments, render):
        past = bisect_right(moments, render.now_ms - created)
        if past > 1:
            lines.append(_step(f"{wording.amount(past)} retries", created + moments[past - 1], render))
        first = past if past > 1 else 0
        shown = enumerate(moments[first : first + _STEPS], first + 1)
        lines += [_step(f"retry {number}", created + at, render) for number, at in shown]
        if len(moments) > first + _STEPS:
            lines.append(text_line(f"and {len(moments) - first - _STEPS} more retries", Tone.QUIET))
    elif alert_clocks.next_retry_at is not None:
        left = "" if alert_clocks.retries_left is None else f", {alert_clocks.retries_left} left"
        lines.append(_step(f"retry{left}", alert_clocks.next_retry_at, render))
    if alert_clocks.expires_at is not None:
        lines.append(_step("expires", alert_clocks.expires_at, render, Tone.WARN))
    elif alert.model_extra.get("expiresAt") is None:
        lines.append(text_line("does not expire", Tone.QUIET))
    if not alert_clocks.exact:
        lines.append(text_line("estimated from the template of the same title", Tone.QUIET))
    return tuple(lines)


def _contradict(clocks: Clocks, created: float, moments: list[float], render: RenderContext) -> bool:
    """Return whether the service's data contradicts the current template."""
    ahead = sum(created + moment > render.now_ms for moment in moments)
    return clocks.exact and clocks.retries_left is not None and abs(clocks.retries_left - ahead) > 1


def _step(what: str, at: float, render: RenderContext, ahead: Tone = Tone.PLAIN) -> Line:
    past = at <= render.now_ms
    marks = drawn("√○", render.symbols)
    tone = Tone.QUIET if past else ahead
    when = wording.ago(render.now_ms - at)
    return (
        Cell(clean(marks[0] if past else marks[1]), tone),
        gap(" "),
        Cell(fit(clean(what), 16), tone),
        Cell(wording.clock(at, render), Tone.QUIET),
        gap(),
        Cell(clean(when), tone),
    )


def links(alert: Alert, render: RenderContext) -> tuple[Link, ...]:
    """Return links to the sender, the person who accepted, and the template."""
    all_links: list[Link] = []
    for title, address in (("sender", alert.from_), ("accepted by", alert.accepted_by)):
        if address:
            all_links.append(Link(title, "users", wording.user_id(address, render) or address))
    template = template_of(alert, render)
    if template is not None:
        all_links.append(Link("template", "templates", template.template_id))
    return tuple(all_links)


def _mine(alert: Alert, render: RenderContext) -> bool:
    return bool(alert.from_) and (wording.user_id(alert.from_, render) or alert.from_) == render.me


TABLE: Table[Alert] = Table(
    kind="alerts",
    title="Alerts",
    one="alert",
    order="-age",
    columns=columns.marked(
        (
            columns.state(STATES, lambda alert: alert.state, width=11),
            columns.text("title", "Title", 26, lambda alert, _render: alert.title, grows=True),
            columns.age(
                "age",
                "Age",
                _since,
                lambda alert: AGE if is_active(alert) else None,
                rank=lambda alert, _render: int(not is_active(alert)),
                about="time since it was sent; once resolved, time since then",
            ),
            columns.address("from", "From", 14, lambda alert: alert.from_, priority=1, aliases=("sender",)),
            columns.address(
                "accepted", "Accepted by", 14, lambda alert: alert.accepted_by, priority=2, aliases=("acceptedby", "by")
            ),
            columns.left("left", "Left", _expires, LEFT, priority=2, about="time until it expires"),
            columns.left("retry", "Retry", _retry, priority=3, about="time until it is sent again"),
            columns.lasting(
                "took",
                "Accepted in",
                lambda alert, _render: time_to_accept(alert),
                width=11,
                priority=4,
                about="time from sending to acceptance",
            ),
            columns.prose(
                "payload", "Message", 30, lambda alert: alert.payload, priority=5, aliases=("says",), grows=True
            ),
            columns.time("sent", "Sent", 12, lambda alert: alert.created_at, priority=9, aliases=("created",)),
            columns.time("resolved", "Resolved", 12, lambda alert: alert.resolved_at, priority=9, shows="resolvedAt"),
            columns.flag("mine", "Mine", 4, _mine, priority=9),
            columns.flag(
                "open",
                "Open",
                5,
                lambda alert, _render: is_active(alert),
                priority=9,
                about="whether nobody has accepted it yet",
            ),
            columns.flag("offered", "Offered", 7, is_offered, priority=9, about="whether it is offered to you"),
            columns.identity(lambda alert: alert.alert_id),
        )
    ),
    name=name,
    detail=detail,
    related=related,
    totals=totals,
    links=links,
    follows=("notifications",),
)
