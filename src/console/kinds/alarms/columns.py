"""The table of call alarms (contract 2.7): rule, call, streams."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from console.base.text import SafeText, clean
from console.kinds.alarms.facts import call_of, condition, loss
from console.kinds.alarms.states import STATES
from console.kinds.calls import LOSS
from console.kinds.calls.columns import name as call_name
from console.kinds.calls.quality import condition_text, rule_text, stream_lines
from console.kinds.scope import counted
from console.records.traffic import Call, CallAlarm
from console.views import columns, wording
from console.views.cell import Cell, Line, Section, Tone
from console.views.lines import faults_section, gap, labelled, pair, raw_section
from console.views.render_context import RenderContext
from console.views.table import Link, Table
from console.views.trend import lately, strip

TREND_MS = 5 * 60_000
TRENDS = 12
"""Number of intervals of five minutes: an hour."""


def _section(alarm: CallAlarm, _render: RenderContext) -> str | None:
    rule = condition(alarm)
    return rule.section if rule else None


def _value(alarm: CallAlarm, _render: RenderContext) -> str | None:
    rule = condition(alarm)
    return rule.value if rule else None


def _call(alarm: CallAlarm, render: RenderContext) -> str | None:
    identifier = call_of(alarm)
    call = render.find("calls", identifier) if identifier else None
    return call_name(call, render) if isinstance(call, Call) else identifier


def _calls(alarm: CallAlarm, _render: RenderContext) -> tuple[str, ...]:
    identifier = call_of(alarm)
    return (identifier,) if identifier else ()


def _loss_cell(alarm: CallAlarm, render: RenderContext) -> Cell:
    alarm_loss = loss(alarm)
    if alarm_loss is None:
        return Cell(wording.dash(render), Tone.QUIET)
    return Cell(clean(f"{wording.percent(alarm_loss, 1)}%"), columns.severity(LOSS, alarm_loss, render))


def codecs_of(alarm: CallAlarm) -> tuple[str, ...]:
    """Return the codecs of the call's streams, without duplicates."""
    stats = alarm.payload.value if alarm.payload else None
    return tuple(
        dict.fromkeys(ssrc_stat.codec_name for ssrc_stat in (stats.ssrc if stats else ()) if ssrc_stat.codec_name)
    )


def _codecs(alarm: CallAlarm, _render: RenderContext) -> str | None:
    return ", ".join(codecs_of(alarm)) or None


def totals(alarms: Collection[CallAlarm], render: RenderContext) -> Line:
    """Return the number of alarms by urgency and over time, and the domain and codec with most of them."""
    counts = Counter(alarm.urgency or "unknown" for alarm in alarms)
    line = [Cell(clean(counted("alarms", len(alarms), "alarm", render)), Tone.STRONG)]
    for urgency, many in sorted(counts.items(), key=lambda item: STATES.look(item[0]).rank):
        line += [gap(), STATES.counted(urgency, many, render)]
    recent = lately((wording.at(alarm.timestamp) for alarm in alarms), TREND_MS, TRENDS, render)
    line += strip(recent, "1 h by 5 min", render)
    codecs = Counter(codec for alarm in alarms for codec in codecs_of(alarm))
    for what, counter in (("in", Counter(alarm.domain for alarm in alarms if alarm.domain)), ("with", codecs)):
        if len(counter) > 1:
            worst, many = counter.most_common(1)[0]
            line += [gap(), Cell(clean(f"most {what} {worst}: {wording.amount(many)}", 50), Tone.QUIET)]
    return tuple(line)


def name(alarm: CallAlarm, render: RenderContext) -> SafeText:
    """Return the name of an alarm in a sentence: its rule."""
    return clean(f"alarm {rule_text(alarm, render) or wording.short(alarm.id)}", 80)


def detail(alarm: CallAlarm, render: RenderContext) -> tuple[Section, ...]:
    """Return the detail of an alarm: rule, call, streams, raw record."""
    summary = (
        labelled("Urgency", [STATES.cell(alarm.urgency, render)]),
        pair("Rule", rule_text(alarm, render), render, Tone.STRONG),
        pair("Condition", condition_text(alarm, render), render),
        pair("Section", _section(alarm, render), render),
        pair("When", wording.moment(wording.at(alarm.timestamp), render), render),
        pair("Call", _call(alarm, render), render),
        pair("Domain", alarm.domain, render),
        pair("Type", alarm.type, render),
        pair("Id", alarm.id, render),
    )
    sections = [*faults_section(alarm), Section("summary", "Alarm", summary)]
    stats = alarm.payload.value if alarm.payload else None
    if stats and stats.ssrc:
        sections.append(Section("quality", f"Streams {len(stats.ssrc)}", stream_lines(stats, render)))
    return (*sections, raw_section(alarm, render))


def links(alarm: CallAlarm, render: RenderContext) -> tuple[Link, ...]:
    """Return links to the call and its users."""
    identifier = call_of(alarm)
    if not identifier:
        return ()
    all_links = [Link("call", "calls", identifier)]
    call = render.find("calls", identifier)
    if isinstance(call, Call):
        for title, address in (("caller", call.caller), ("callee", call.callee)):
            user = wording.user_id(address, render)
            if user:
                all_links.append(Link(title, "users", user))
    return tuple(all_links)


TABLE: Table[CallAlarm] = Table(
    kind="alarms",
    title="Quality alarms",
    one="alarm",
    order="age",
    columns=columns.marked(
        (
            columns.state(STATES, lambda alarm: alarm.urgency, id="urgency", title="Urgency", width=11),
            columns.age("age", "Age", lambda alarm, _render: alarm.timestamp),
            columns.text("rule", "Rule", 22, rule_text, grows=True, aliases=("condition",)),
            columns.custom(
                "loss",
                "Loss",
                6,
                lambda alarm, _render: loss(alarm),
                _loss_cell,
                priority=1,
                kind="number",
                right=True,
                about="the worst stream, percent",
            ),
            columns.text("call", "Call", 24, _call, also=_calls, priority=1, grows=True),
            columns.text("domain", "Domain", 16, lambda alarm, _render: alarm.domain, priority=2),
            columns.text("section", "Section", 10, _section, priority=3),
            columns.text("value", "Value", 12, _value, priority=9),
            columns.text("codec", "Codec", 8, _codecs, priority=4),
            columns.text("type", "Type", 8, lambda alarm, _render: alarm.type, priority=9, closed=True),
            columns.time("at", "At", 12, lambda alarm: alarm.timestamp, priority=5, aliases=("timestamp", "time")),
            columns.identity(lambda alarm: alarm.id),
        )
    ),
    name=name,
    detail=detail,
    totals=totals,
    links=links,
)
