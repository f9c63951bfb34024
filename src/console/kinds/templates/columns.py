"""The table of alert templates (contract 2.17): text, repetition, expiry."""

from __future__ import annotations

from collections.abc import Iterable

from console.base.text import SafeText, clean, clean_lines, fit
from console.kinds.alerts.facts import open_of, retry_moments
from console.kinds.scope import counted
from console.records.support import AlertTemplate
from console.views import columns, wording
from console.views.cell import Cell, Line, Section, Tone
from console.views.lines import faults_section, gap, pair, raw_section, text_line
from console.views.render_context import RenderContext
from console.views.table import Link, Table

_STEPS = 12


def gives_up_ms(template: AlertTemplate) -> float | None:
    """Return the time in ms from sending an alert until it expires; None for never."""
    moments, expire = retry_moments(template), wording.number(template.time_to_expire)
    if moments is None or expire is None:
        return None
    return (moments[-1] if moments else 0) + expire


def timeline(template: AlertTemplate, render: RenderContext) -> tuple[Line, ...]:
    """Draw the timeline of an alert of this template, sent now and accepted by nobody."""
    moments = retry_moments(template)
    if moments is None:
        return (text_line("The number of retries is not known.", Tone.NOTICE),)
    lines = [_step("sent", 0, render)]
    lines += [_step(f"retry {number}", at, render) for number, at in enumerate(moments[:_STEPS], 1)]
    if len(moments) > _STEPS:
        lines.append(
            text_line(f"and {len(moments) - _STEPS} more, the last after {wording.duration(moments[-1])}", Tone.QUIET)
        )
    end = gives_up_ms(template)
    if end is None:
        is_sent = template.unread("time_to_expire")
        return (*lines, text_line("It is not known when it expires." if is_sent else "Never expires.", Tone.QUIET))
    summed = f"{wording.plural(len(moments), 'retry')}, "
    summed += f"expires after {wording.duration(end)}; if sent now, at {wording.clock(render.now_ms + end, render)}"
    return (*lines, _step("expires", end, render, Tone.WARN), text_line(summed, Tone.STRONG))


def _step(what: str, after: float, render: RenderContext, tone: Tone = Tone.PLAIN) -> Line:
    return (
        Cell(fit(clean(what), 12), tone),
        Cell(fit(clean(f"+{wording.span_words(after)}"), 8, right=True), tone),
        gap(),
        Cell(wording.clock(render.now_ms + after, render), Tone.QUIET),
    )


def _span_cell(value: float | None, render: RenderContext) -> Cell:
    if value is None:
        return Cell(wording.dash(render), Tone.QUIET)
    return Cell(clean(wording.duration(value)))


def totals(templates: Iterable[AlertTemplate], render: RenderContext) -> Line:
    """Return the number of templates."""
    amount = sum(1 for _ in templates)
    return (Cell(clean(counted("templates", amount, "template", render)), Tone.STRONG),)


def detail(template: AlertTemplate, render: RenderContext) -> tuple[Section, ...]:
    """Return the detail of a template: text, timeline, raw record."""
    sections = [*faults_section(template)]
    if template.payload:
        text = tuple((Cell(line),) for line in clean_lines(template.payload, 200, 20_000))
        sections.append(Section("payload", "Message", text))
    sections.append(Section("timeline", "When nobody accepts", timeline(template, render)))
    summary = (
        pair("Title", template.title, render, Tone.STRONG),
        pair("Retries", wording.count(template.number_of_retries, render), render),
        pair("Open now", len(open_of(template, render)), render),
        pair("Id", template.template_id, render),
    )
    return (*sections, Section("summary", "Template", summary), raw_section(template, render))


def name(template: AlertTemplate, _render: RenderContext) -> SafeText:
    """Return the name of a template in a sentence: its title."""
    return clean(template.title or template.template_id, 80)


def _every(template: AlertTemplate, _render: RenderContext) -> float | None:
    return wording.number(template.time_in_ms_between_retries)


def _gives_up(template: AlertTemplate, _render: RenderContext) -> float | None:
    return gives_up_ms(template)


TABLE: Table[AlertTemplate] = Table(
    kind="templates",
    title="Templates",
    one="template",
    order="title",
    columns=columns.marked(
        (
            columns.text("title", "Title", 26, lambda template, _render: template.title, grows=True),
            columns.number(
                "retries", "Retries", 7, lambda template, _render: template.number_of_retries, shows="numberOfRetries"
            ),
            columns.custom(
                "every",
                "Every",
                9,
                _every,
                lambda template, render: _span_cell(_every(template, render), render),
                kind="age",
                right=True,
                priority=1,
            ),
            columns.custom(
                "expires",
                "Expires after",
                13,
                _gives_up,
                lambda template, render: _span_cell(_gives_up(template, render), render),
                kind="age",
                right=True,
                about="time from sending an alert until it expires",
            ),
            columns.prose("payload", "Message", 30, lambda template: template.payload, priority=2, grows=True),
            columns.identity(lambda template: template.template_id),
        )
    ),
    name=name,
    detail=detail,
    totals=totals,
    links=lambda template, render: tuple(
        Link("open alert", "alerts", alert.alert_id) for alert in open_of(template, render)
    ),
)
