"""Media quality of a call: loss per stream, alarms (contract 2.7, 2.8)."""

from __future__ import annotations

from console.base.text import SafeText, cells, clean, fit
from console.kinds.alarms.states import STATES as ALARMS_STATES
from console.kinds.calls import LOSS
from console.records.traffic import CallAlarm, CallStatistic, SsrcStat, SsrcStats
from console.views import wording
from console.views.cell import Cell, Line, Tone
from console.views.columns import severity
from console.views.lines import bar, gap, several, text_line
from console.views.render_context import RenderContext

_BAR = 10
_BAR_PERCENT = 10.0
"""Loss at which the bar is full; the call is unusable long before."""
_UNEVEN_PERCENT = 2.0
"""Difference between streams that is reported."""


def loss_percent(stream: SsrcStat) -> float | None:
    """Return the share of lost packets, 0 to 100; None if unknown."""
    lost, received = wording.number(stream.packets_lost), wording.number(stream.packets_received)
    if lost is None or received is None or lost < 0 or received < 0 or lost + received == 0:
        return None
    return 100 * lost / (lost + received)


def worst_loss(stats: SsrcStats | None) -> float | None:
    """Return the highest loss among streams, in percent."""
    matching_losses = [loss for stream in (stats.ssrc if stats else ()) if (loss := loss_percent(stream)) is not None]
    return max(matching_losses, default=None)


NO_COUNTERS = "No counters are stored for this call. Statistics may be off for it."


def quality_lines(statistic: CallStatistic, render: RenderContext) -> tuple[Line, ...]:
    """Return the streams of a stored statistic with their loss, or a note without any."""
    if statistic.payload is None or not statistic.payload.ssrc:
        return (text_line(NO_COUNTERS, Tone.QUIET),)
    measured = wording.at(statistic.timestamp) or wording.at(statistic.ts)
    when = (text_line(f"measured {wording.moment(measured, render)}", Tone.QUIET),) if measured is not None else ()
    return (*stream_lines(statistic.payload, render), *when)


def stream_lines(stats: SsrcStats, render: RenderContext) -> tuple[Line, ...]:
    """Return a line per stream: codec, loss as a bar with a maximum of 10 %, and counts."""
    losses = [loss for stream in stats.ssrc if (loss := loss_percent(stream)) is not None]
    width = min(12, max((cells(_id_of(stream)) for stream in stats.ssrc), default=0))
    lines = list(several(stats.ssrc, lambda stream: _stream(stream, width, render), what="stream"))
    if len(losses) > 1 and max(losses) - min(losses) >= _UNEVEN_PERCENT:
        lines.append(text_line(f"uneven: the streams differ by {max(losses) - min(losses):.1f} points", Tone.NOTICE))
    return tuple(lines)


def _id_of(stream: SsrcStat) -> SafeText:
    return clean(stream.id or "stream")


def _stream(stream: SsrcStat, width: int, render: RenderContext) -> Line:
    loss = loss_percent(stream)
    tone = severity(LOSS, loss, render, calm=Tone.GOOD) if loss is not None else Tone.QUIET
    percent = f"{loss:5.1f} %" if loss is not None else "  ?   "
    sent = f"{wording.count(stream.packets_sent, render)} sent"
    lost, received = (wording.number(value) for value in (stream.packets_lost, stream.packets_received))
    if received == 0 and not lost:
        counts = f"nothing received yet, {sent}"
    elif lost is None or received is None:
        counts = f"{wording.count(lost, render)} lost, {wording.count(received, render)} received, {sent}"
    else:
        counts = f"{wording.count(lost, render)} of {wording.count(lost + received, render)} lost, {sent}"
    return (
        Cell(fit(_id_of(stream), width)),
        gap(" "),
        Cell(fit(clean(stream.codec_name or "?"), 6), Tone.QUIET),
        gap(" "),
        Cell(bar((loss or 0) / _BAR_PERCENT, _BAR, render), tone),
        Cell(clean(percent), tone),
        gap(),
        Cell(clean(counts), Tone.QUIET),
    )


_OVER = {">": "over", ">=": "at least"}


def rule_text(alarm: CallAlarm, render: RenderContext) -> str | None:
    """Return the violated rule in words if it is one about lost sound, else its condition; None without a rule."""
    rule = alarm.payload.alarm if alarm.payload else None
    over = _OVER.get(rule.cond or "") if rule is not None and rule.value == "packetsLost" else None
    limit = wording.number(rule.threshold) if rule is not None else None
    if rule is None or over is None or limit is None:
        return condition_text(alarm, render)
    if rule.relative:
        return f"{over} {wording.count(100 * limit, render)} % of sound lost"
    return f"{over} {wording.count(limit, render)} packets lost"


def condition_text(alarm: CallAlarm, render: RenderContext) -> str | None:
    """Return the condition of the violated rule as the service writes it; None without a rule."""
    rule = alarm.payload.alarm if alarm.payload else None
    if rule is None:
        return None
    threshold = "" if rule.threshold is None else wording.count(rule.threshold, render)
    parts = (rule.value, rule.cond, threshold, "relative" if rule.relative else "")
    return " ".join(filter(None, parts)) or None


def alarm_line(alarm: CallAlarm, render: RenderContext) -> Line:
    """Return urgency, rule and time of an alarm."""
    rule = Cell(clean(rule_text(alarm, render) or ""))
    when = Cell(wording.clock(wording.at(alarm.timestamp), render), Tone.QUIET)
    return (ALARMS_STATES.cell(alarm.urgency, render), gap(), rule, gap(), when)
