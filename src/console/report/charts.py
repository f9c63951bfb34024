"""Charts of the report as SVG, without scripts and fonts. Colours are those of the style of the page, by class."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from datetime import datetime
from html import escape
from itertools import groupby
from zoneinfo import ZoneInfo

from console.base.frozen import Frozen

WIDTH, HEIGHT = 720, 150
_LEFT, _BOTTOM, _TOP = 52, 22, 10
_TICKS = 6
Values = Sequence[float | None]


class SlotChart(Frozen):
    """A chart over the time of the report, by slots of equal length. None is a time that is not known."""

    title: str
    bars: tuple[tuple[str, str, tuple[float | None, ...]], ...]
    """Name, class and values of each series; the bars of a slot are stacked."""
    said: Callable[[float], str] = str
    """Formats a value of the scale."""


def drawn(chart: SlotChart, first_ms: int, last_ms: int, zone: ZoneInfo) -> str:
    """Return a figure with its chart and its key."""
    many = max(len(values) for _, _, values in chart.bars)
    sums = [
        None if all(item is None for item in slot) else sum(item or 0 for item in slot)
        for slot in zip(*(values for _, _, values in chart.bars), strict=True)
    ]
    top = _scale(max((each for each in sums if each is not None), default=0))
    parts = [*_unknown(sums), *_grid(top, chart.said), *_hours(first_ms, last_ms, zone)]
    step, floor = (WIDTH - _LEFT) / many, HEIGHT - _BOTTOM
    below = [0.0] * many
    for _, look, values in chart.bars:
        for place, value in enumerate(values):
            if not value:
                continue
            height = value / top * (floor - _TOP)
            x, y = _LEFT + place * step + step * 0.1, floor - below[place] - height
            parts.append(
                f'<rect class="{look}" x="{x:.1f}" y="{y:.1f}" width="{step * 0.8:.1f}" height="{height:.1f}"/>'
            )
            below[place] += height
    keys = "".join(f'<span><i class="{look}"></i> {escape(name)}</span>' for name, look, _ in chart.bars)
    title = escape(chart.title)
    return (
        f"<figure><figcaption>{title} {keys}</figcaption>"
        f'<div class="wide"><svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img">'
        f"<title>{title}</title>{''.join(parts)}</svg></div></figure>"
    )


def _unknown(sums: Sequence[float | None]) -> list[str]:
    """Return a grey area for each time that is not known."""
    step, found, at = (WIDTH - _LEFT) / len(sums), list[str](), 0
    for missing, group in groupby(sums, key=lambda each: each is None):
        length = len(list(group))
        if missing:
            x, width = _LEFT + at * step, length * step
            found.append(
                f'<rect class="unknown" x="{x:.1f}" y="{_TOP}" width="{width:.1f}" height="{HEIGHT - _BOTTOM - _TOP}">'
                "<title>not known</title></rect>"
            )
        at += length
    return found


def _grid(top: float, said: Callable[[float], str]) -> list[str]:
    floor, found = HEIGHT - _BOTTOM, list[str]()
    for share in (0, 0.5, 1):
        y = floor - share * (floor - _TOP)
        found.append(f'<line x1="{_LEFT}" y1="{y:.1f}" x2="{WIDTH}" y2="{y:.1f}"/>')
        found.append(f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{escape(said(top * share))}</text>')
    return found


def _hours(first_ms: int, last_ms: int, zone: ZoneInfo) -> list[str]:
    hours: list[str] = []
    for place in range(_TICKS + 1):
        at = datetime.fromtimestamp((first_ms + (last_ms - first_ms) * place / _TICKS) / 1000, zone)
        x = _LEFT + (WIDTH - _LEFT) * place / _TICKS
        anchor = "start" if place == 0 else "end" if place == _TICKS else "middle"
        hours.append(f'<text x="{x:.1f}" y="{HEIGHT - 6}" text-anchor="{anchor}">{at:%H:%M}</text>')
    return hours


def _scale(highest: float) -> float:
    """Return the top of a scale: an even number that is easy to halve."""
    if highest <= 2:
        return 2
    size = 10 ** math.floor(math.log10(highest))
    return next(value * size for value in (1, 2, 4, 6, 8, 10) if value * size >= highest)
