"""A chart with its scale, its time span, threshold lines, gaps, restarts and own changes."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence

from console.base.signs import drawn
from console.base.text import SafeText, cells, clean, fit
from console.kinds.status.charts import HOUR, LEAST_SECONDS, Chart, Curve
from console.ui.widgets.styled_line import Piece, StyledLine, piece, pieces, width_of
from console.views import wording
from console.views.cell import Line, Tone
from console.views.chart import CHANGE, ThresholdLine, plot, row_of, scale_top, values_in
from console.views.render_context import RenderContext
from console.views.thresholds import Threshold, level

_SCALES = {"": 5, "ms": 6, "bytes": 7}
"""Widths of the scale in cells, by unit."""
_ENDS = {"": 5, "ms": 6, "bytes": 8}
"""Widths of the current value at the end of the curve, by unit."""
_WIDE = 32
"""Least width of a chart that has it."""
_MIDDLE = 5
"""Least lines of a chart with a value in the middle of its scale."""
_AROUND = 2
"""Lines above and below the plot."""
_NAME_AND_VALUE = 3
"""Pieces of the head with the name of the chart and its current value."""
_BETWEEN = 16
"""Least cells between two times of the axis."""
_LEAST_WORDS = 10
"""Least cells for the words about an own change."""


class ChartView(StyledLine):
    """One chart. Intervals begin at multiples of their length, so that values only move on."""

    DEFAULT_CSS = """
    ChartView { height: 100%; background: $surface; padding: 0 1; }
    """

    def _columns(self, chart: Chart) -> int:
        """Return the width of the curve in cells."""
        width = self.content_size.width
        return max(0, width - _SCALES[chart.unit] - (_ENDS[chart.unit] if width >= _WIDE else 0))

    def intervals(self, chart: Chart, symbols: str) -> int:
        """Return how many values have room."""
        return values_in(self._columns(chart), symbols)

    def show(self, chart: Chart, curve: Curve, span: float, render: RenderContext) -> None:
        """Draw the values of the last `span` seconds, one for each of `intervals`."""
        columns, height = self._columns(chart), self.content_size.height - _AROUND
        if columns < 4 or height < 1:
            self.update()
            return
        changes = _changes(curve, span, render)
        head, unsaid = self._head(chart, curve, changes, span, render)
        if all(value is None for value in curve.values):
            self.update(head)
            return
        if (begins := _begins(curve, span, render)) is not None:
            when = wording.minute(1000 * begins, render)
            self.update(head[:_NAME_AND_VALUE], [piece(f"a chart from {when}", Tone.QUIET)])
            return
        scale = _SCALES[chart.unit]
        top = top_of(chart, curve)
        rows: list[list[Piece]] = []
        for value, line in zip(_scale(top, height), curve_lines(chart, curve, height, render, [*changes]), strict=True):
            label = fit(_short(value, chart, render), scale - 1, right=True)
            axis = " " if value is None else drawn("┤", render.symbols)
            rows.append([piece(f"{label}{axis}", Tone.QUIET), *pieces(line)])
        if curve.now is not None and self.content_size.width >= _WIDE:
            row = height - 1 - row_of(curve.now, top, height)
            rows[row].append(piece(f" {_short(curve.now, chart, render)}", tone_of(chart, curve, render)))
        places = [(word, scale + place * columns // len(curve.values)) for word, place in unsaid]
        self.update(head, *rows, _with_words(_axis(scale, columns, span, render), places))

    def _head(
        self, chart: Chart, curve: Curve, changes: Mapping[int, str], span: float, render: RenderContext
    ) -> tuple[list[Piece], list[tuple[str, int]]]:
        """Return the line above the curve, and the words with their places for marks that had no room in it."""
        known = [value for value in curve.values if value is not None]
        if not known:
            return [piece(chart.title, Tone.STRONG), piece("  no samples", Tone.QUIET)], []
        head = [piece(chart.title, Tone.STRONG), piece("  ")]
        now = "unknown" if curve.now is None else value_words(curve.now, chart, render)
        head.append(piece(now, Tone.QUIET if curve.now is None else tone_of(chart, curve, render)))
        most = max(known)
        peak = f"peak {value_words(most, chart, render)}"
        parts = [(piece(f"{peak} at {_time(curve.values.index(most), curve, span, render)}", Tone.QUIET), "", 0)]
        if curve.restarts:
            at = _time(max(curve.restarts), curve, span, render)
            sign = "┊" if render.symbols == "full" else drawn("│", render.symbols)
            parts.append((piece(f"{sign} restarted {at}", Tone.NOTICE), "restart", max(curve.restarts)))
        if width_of(head) + 2 + cells(parts[0][0].text) > self.content_size.width:
            parts[0] = piece(peak, Tone.QUIET), "", 0
        unsaid: list[tuple[str, int]] = []
        for part, word, place in parts:
            if width_of(head) + 2 + cells(part.text) <= self.content_size.width:
                head += [piece("  "), part]
            elif word:
                unsaid.append((word, place))
        if changes:
            last = max(changes)
            at = _time(last, curve, span, render)
            room = self.content_size.width - width_of(head) - 2 - cells(at) - 3
            if room >= _LEAST_WORDS:
                said = f"{drawn(CHANGE, render.symbols)} {clean(changes[last], room)} {at}"
                head += [piece("  "), piece(said, Tone.NOTICE)]
            else:
                unsaid.append(("change", last))
        return head, unsaid


def _changes(curve: Curve, span: float, render: RenderContext) -> dict[int, str]:
    """Return the words of the last own change of each place of a curve."""
    last = len(curve.values) - 1
    places = {last - int((render.now_ms - at) / 1000 * len(curve.values) / span): said for at, said in render.changes()}
    return {place: said for place, said in places.items() if 0 <= place <= last}


def _begins(curve: Curve, span: float, render: RenderContext) -> float | None:
    """Return from when on there is a curve to draw, in seconds since the epoch; None if there is one."""
    first = next(place for place, value in enumerate(curve.values) if value is not None)
    known = span * (len(curve.values) - first) / len(curve.values)
    if known >= LEAST_SECONDS:
        return None
    return beginning(LEAST_SECONDS - known, render)


def beginning(seconds: float, render: RenderContext) -> float:
    """Return the full minute from which on there is a curve that begins in so long, in seconds since the epoch."""
    return math.ceil((render.now_ms / 1000 + seconds) / 60) * 60


def tone_of(chart: Chart, curve: Curve, render: RenderContext) -> Tone:
    """Return the tone of the current value."""
    limits = level(chart.threshold, render) if chart.threshold is not None else None
    return limits.tone(curve.now, calm=Tone.STRONG) if limits is not None else Tone.STRONG


def _time(place: int, curve: Curve, span: float, render: RenderContext) -> SafeText:
    """Return the time of day at the end of the interval of a value."""
    ago = span * (len(curve.values) - 1 - place) / len(curve.values)
    return wording.minute(render.now_ms - 1000 * ago, render)


def top_of(chart: Chart, curve: Curve) -> float:
    """Return the value at the top of a chart."""
    return scale_top(curve.values, times=chart.unit == "ms")


def curve_lines(
    chart: Chart, curve: Curve, height: int, render: RenderContext, changes: Collection[int] = ()
) -> list[Line]:
    """Draw a curve on so many lines, with its threshold lines, and the places of own changes."""
    limits = level(chart.threshold, render) if chart.threshold is not None else None
    return plot(
        curve.values,
        top_of(chart, curve),
        height,
        lambda value: limits.tone(value, calm=Tone.NOTICE) if limits is not None else Tone.NOTICE,
        levels=_levels(limits),
        marks=curve.restarts,
        changes=changes,
        symbols=render.symbols,
    )


def _levels(limits: Threshold | None) -> list[ThresholdLine]:
    if limits is None:
        return []
    return [ThresholdLine(at, tone) for at, tone in ((limits.bad, Tone.BAD), (limits.warn, Tone.WARN)) if at < math.inf]


def _scale(top: float, height: int) -> list[float | None]:
    """Return the values beside the lines: at the top, in the middle of a high chart, and zero at the bottom."""
    values: list[float | None] = [None] * height
    if height >= _MIDDLE:
        values[height // 2] = top / 2
    values[-1] = 0.0 if height > 1 else None
    values[0] = top
    return values


def value_words(value: float | None, chart: Chart, render: RenderContext) -> SafeText:
    """Return a value in words, empty if it is not known."""
    if value is None:
        return clean("")
    if chart.unit == "ms":
        return clean(wording.span_words(value))
    if chart.unit == "bytes":
        return wording.size(value, render)
    return clean(wording.amount(value) if value == int(value) or value >= 100 else f"{value:.1f}")


def _short(value: float | None, chart: Chart, render: RenderContext) -> SafeText:
    """Return a value of the scale, thousands as `2k`."""
    if value is None or chart.unit or value < 1000:
        return value_words(value, chart, render)
    return clean(f"{value / 1e3:g}k" if value < 1e6 else f"{value / 1e6:g}M")


def _axis(scale: int, width: int, span: float, render: RenderContext) -> list[Piece]:
    """Return the line with the times, from the beginning of the span to its end."""
    parts = max(1, width // _BETWEEN)
    parts = max(value for value in (1, 2, 4, 6) if value <= parts)
    axis = ""
    for part in range(parts):
        at = render.now_ms - 1000 * span * (1 - part / parts)
        axis = axis.ljust(part * width // parts) + wording.minute(at, render)
    ago = f"{span / HOUR:.0f} h" if span >= HOUR else f"{span / 60:.0f}m"
    end = wording.minute(render.now_ms, render) if render.past else "now"
    axis = axis.ljust(width - len(end)) + end if cells(clean(axis)) < width - len(end) - 1 else axis
    return [piece(fit(clean(ago), scale), Tone.QUIET), piece(clean(axis, 400), Tone.QUIET)]


def _with_words(axis: Sequence[Piece], words: Iterable[tuple[str, int]]) -> list[Piece]:
    """Return the line with the times, and between them each word nearest to its mark, if it has room there."""
    text, placed = "".join(part.text for part in axis), dict[int, str]()
    for word, mark in words:
        width = len(word)
        free = [place for place in range(len(text) - width) if not text[max(0, place - 1) : place + width + 1].strip()]
        left = min(free, key=lambda place: abs(place + width // 2 - mark), default=None)
        if left is not None and left - 1 <= mark <= left + width:
            placed[left] = word
            text = text[:left] + word + text[left + width :]
    parts, end = list[Piece](), 0
    for left, word in sorted(placed.items()):
        parts += [piece(clean(text[end:left], 400), Tone.QUIET), piece(word, Tone.NOTICE)]
        end = left + len(word)
    return [*parts, piece(clean(text[end:], 400), Tone.QUIET)]
