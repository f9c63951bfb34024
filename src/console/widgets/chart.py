"""A chart with its scale, its time span, threshold lines, gaps and restarts."""

from __future__ import annotations

import math
from datetime import datetime

from console.kinds.status.charts import DAY, Chart, Curve
from console.signs import drawn
from console.text import SafeText, cells, clean, fit
from console.views.cell import Line, Tone
from console.views.chart import Level, plot, scale_top
from console.views.render_context import RenderContext
from console.views.thresholds import Threshold, level
from console.views.words import amount, size, span_words
from console.widgets.styled_line import Piece, StyledLine, piece, pieces, width_of

_SCALES = {"": 5, "ms": 6, "bytes": 7}
"""Widths of the scale in cells, by unit."""
_AROUND = 2
"""Lines above and below the plot."""
_BETWEEN = 16
"""Least cells between two times of the axis."""


class ChartView(StyledLine):
    """One chart. Columns stand for intervals that begin at multiples of their length, so that they only move on."""

    DEFAULT_CSS = """
    ChartView { height: 100%; background: $surface; padding: 0 1; }
    """

    def columns(self, chart: Chart) -> int:
        """Return how many values have room."""
        return max(0, self.content_size.width - _SCALES[chart.unit])

    def show(self, chart: Chart, curve: Curve, span: float, render: RenderContext) -> None:
        """Draw the values of the last `span` seconds, one for each of `columns`."""
        width, height = self.columns(chart), self.content_size.height - _AROUND
        if width < 4 or height < 1:
            self.update()
            return
        top = top_of(chart, curve)
        scale = _SCALES[chart.unit]
        rows = [
            [piece(fit(_short(at, chart, render), scale - 1, right=True) + " ", Tone.QUIET), *pieces(line)]
            for at, line in zip(_scale(top, height), curve_lines(chart, curve, height, render), strict=True)
        ]
        self.update(self._head(chart, curve, render), *rows, _axis(scale, width, span, render))

    def _head(self, chart: Chart, curve: Curve, render: RenderContext) -> list[Piece]:
        known, now = [each for each in curve.values if each is not None], curve.now
        if not known:
            return [piece(chart.title, Tone.STRONG), piece("  nothing known yet", Tone.QUIET)]
        limits = level(chart.threshold, render) if chart.threshold is not None else None
        tone = limits.tone(now, calm=Tone.STRONG) if limits is not None else Tone.STRONG
        said = [piece(chart.title, Tone.STRONG), piece("  ")]
        said.append(piece("unknown", Tone.QUIET) if now is None else piece(value_words(now, chart, render), tone))
        parts = [piece(f"most {value_words(max(known), chart, render)}", Tone.QUIET)]
        parts += [piece(f"{drawn('│', render.symbols)} restarted", Tone.NOTICE)] if curve.restarts else []
        for each in parts:
            if width_of(said) + 2 + cells(each.text) <= self.content_size.width:
                said += [piece("  "), each]
        return said


def top_of(chart: Chart, curve: Curve) -> float:
    """Return the value at the top of a chart."""
    return scale_top(curve.values, times=chart.unit == "ms")


def curve_lines(chart: Chart, curve: Curve, height: int, render: RenderContext) -> list[Line]:
    """Draw a curve on so many lines, with its threshold lines."""
    limits = level(chart.threshold, render) if chart.threshold is not None else None
    return plot(
        curve.values,
        top_of(chart, curve),
        height,
        lambda value: limits.tone(value, calm=Tone.NOTICE) if limits is not None else Tone.NOTICE,
        levels=_levels(limits),
        marks=curve.restarts,
        symbols=render.symbols,
    )


def _levels(limits: Threshold | None) -> list[Level]:
    if limits is None:
        return []
    return [Level(at, tone) for at, tone in ((limits.bad, Tone.BAD), (limits.warn, Tone.WARN)) if at < math.inf]


def _scale(top: float, height: int) -> list[float | None]:
    """Return the values beside the lines: at the top, in the middle of a high chart, and zero at the bottom."""
    found: list[float | None] = [None] * height
    if height >= 6 and height % 2 == 0:
        found[height // 2] = top / 2
    found[-1] = 0.0 if height > 1 else None
    found[0] = top
    return found


def value_words(value: float | None, chart: Chart, render: RenderContext) -> SafeText:
    """Return a value in words, empty if it is not known."""
    if value is None:
        return clean("")
    if chart.unit == "ms":
        return clean(span_words(value))
    if chart.unit == "bytes":
        return size(value, render)
    return clean(amount(value) if value == int(value) or value >= 100 else f"{value:.1f}")


def _short(value: float | None, chart: Chart, render: RenderContext) -> SafeText:
    """Return a value of the scale, thousands as `2k`."""
    if value is None or chart.unit or value < 1000:
        return value_words(value, chart, render)
    return clean(f"{value / 1e3:g}k" if value < 1e6 else f"{value / 1e6:g}M")


def _axis(scale: int, width: int, span: float, render: RenderContext) -> list[Piece]:
    """Return the line with the times, from the beginning of the span to its end."""
    parts = max(1, width // _BETWEEN)
    parts = max(each for each in (1, 2, 4, 6) if each <= parts)
    said = ""
    for part in range(parts):
        at = (render.now_ms - 1000 * span * (1 - part / parts)) / 1000
        said = said.ljust(part * width // parts) + f"{datetime.fromtimestamp(at, render.zone):%H:%M}"
    ago = "24 h" if span >= DAY else "1 h"
    end = f"{datetime.fromtimestamp(render.now_ms / 1000, render.zone):%H:%M}" if render.past else "now"
    said = said.ljust(width - len(end)) + end if cells(clean(said)) < width - len(end) - 1 else said
    return [piece(fit(clean(ago), scale), Tone.QUIET), piece(clean(said, 400), Tone.QUIET)]
