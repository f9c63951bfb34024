"""The report as one HTML file: no scripts, nothing from elsewhere, readable on paper."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from datetime import datetime
from html import escape
from itertools import groupby
from zoneinfo import ZoneInfo

from console.base.frozen import Frozen
from console.report.moments import Moments
from console.report.parts import ReportSection, ReportTable, Row, source, title
from console.report.report import Report
from console.views.render_context import RenderContext
from console.views.wording import amount, span_words

_STYLE = """
:root { color-scheme: light dark; --ink: #1a1a1a; --soft: #666; --line: #ddd; --ground: #fff;
  --one: #2f6f9f; --two: #c0392b; --three: #8a6d1b; --gap: #eee; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e6e6; --soft: #9a9a9a; --line: #3a3a3a; --ground: #16181c;
  --one: #6fb1e0; --two: #f08a7d; --three: #d9b54a; --gap: #26292f; } }
body { margin: 2rem auto; max-width: 64rem; padding: 0 1rem; background: var(--ground); color: var(--ink);
  font: 15px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin-bottom: 0; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
h3 { font-size: .95rem; margin: 1rem 0 .3rem; color: var(--soft); } p { margin: .2rem 0; }
.about { color: var(--soft); } a { color: var(--one); }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; padding: .25rem 1rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th:last-child, td:last-child { padding-right: 0; } th { color: var(--soft); font-weight: 600; }
td.words { min-width: 14rem; } td.long { overflow-wrap: anywhere; } tr:target { background: var(--gap); }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
figure { margin: 1rem 0; } figcaption { font-size: .9rem; } figcaption span { color: var(--soft); margin-left: 1rem; }
figcaption i { display: inline-block; width: .7em; height: .7em; } svg { width: 100%; min-width: 34rem; height: auto; }
svg text { fill: var(--soft); font: 11px system-ui, sans-serif; } svg line { stroke: var(--line); }
.one { fill: var(--one); background: var(--one); } .two { fill: var(--two); background: var(--two); }
.three { fill: var(--three); background: var(--three); } .unknown { fill: var(--gap); }
code { font-size: .85rem; overflow-wrap: anywhere; }
@media print { :root { --ink: #000; --soft: #444; --line: #bbb; --ground: #fff; --one: #2f6f9f; --two: #c0392b;
  --three: #8a6d1b; --gap: #eee; } body { margin: 0; max-width: none; font-size: 10pt; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } a { color: inherit; text-decoration: none; }
  h2, h3 { break-after: avoid; } tr, figure { break-inside: avoid; } .wide { overflow: visible; }
  th.number { white-space: normal; } th, td { padding-right: .6rem; } td.words { min-width: 8rem; }
  svg { min-width: 0; } }
"""

_LONG_WORD = 24
"""Most characters of a word that is not broken, and of a text that may be narrow."""


def to_html(report: Report, sections: tuple[ReportSection, ...], render: RenderContext) -> str:
    """Return the page. Every text from outside is escaped."""
    moments = Moments(report, render)
    parts = [
        _section(section, moments, _charts(report, render) if section.id == "queues" else "") for section in sections
    ]
    heading = escape(f"Shift report {title(report, render)}")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{heading}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{heading}</h1>\n"
        f'<p class="about">{escape(source(report))}</p>\n{"".join(parts)}{_moments(moments)}</body>\n</html>\n'
    )


def _section(section: ReportSection, moments: Moments, charts: str) -> str:
    facts = "".join(f"<p>{escape(fact)}</p>\n" for fact in section.facts)
    tables = "".join(_table(table, moments) for table in section.tables)
    return f'<section id="{section.id}">\n<h2>{escape(section.title)}</h2>\n{facts}{charts}{tables}</section>\n'


def _table(table: ReportTable, moments: Moments) -> str:
    looks = [' class="number"' if heading.right else "" for heading in table.headings]
    heads = "".join(
        f"<th{look}>{escape(heading.title)}</th>" for heading, look in zip(table.headings, looks, strict=True)
    )
    rows = "".join(_row(row, looks, moments) for row in table.rows)
    above = f"<h3>{escape(table.title)}</h3>\n" if table.title else ""
    return (
        f'{above}<div class="wide"><table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n'
    )


def _row(row: Row, looks: list[str], moments: Moments) -> str:
    cells, number = [escape(text) for text in row.cells], moments.number(row.moment)
    if number is not None:
        # The first cell names what the row is about, or when: it leads to its moment.
        cells[0] = f'<a href="#m{number}">{cells[0] or "moment"}</a>'
    looks = [look or _look(text) for text, look in zip(row.cells, looks, strict=True)]
    return f"<tr>{''.join(f'<td{look}>{cell}</td>' for cell, look in zip(cells, looks, strict=True))}</tr>\n"


def _look(text: str) -> str:
    """Return the class of a cell: sentences get some width, and only long words are broken."""
    longest = max(map(len, text.split()), default=0)
    if longest > _LONG_WORD:
        return ' class="words long"'
    return ' class="words"' if len(text) > _LONG_WORD else ""


def _moments(moments: Moments) -> str:
    if not moments.commands:
        return ""
    rows = "".join(
        f'<tr id="m{number}"><td>{escape(command.at)}</td>'
        f'<td class="words long"><code>{escape(command.command)}</code></td></tr>\n'
        for number, command in enumerate(moments.commands, 1)
    )
    return (
        '<section id="moments">\n<h2>Moments</h2>\n'
        "<p>These commands print a list as it was, while the recording has that time.</p>\n"
        '<div class="wide"><table>\n<thead><tr><th>Moment</th><th>Command</th></tr></thead>\n'
        f"<tbody>\n{rows}</tbody>\n</table></div>\n</section>\n"
    )


def _charts(report: Report, render: RenderContext) -> str:
    calls = report.calls
    if calls is None:
        return ""
    charts = [SlotChart("Calls", (("answered", "one", calls.answered), ("abandoned", "two", calls.abandoned)), amount)]
    waiting, longest = report.series.get("calls_waiting"), report.series.get("longest_wait")
    if waiting is not None:
        charts.append(SlotChart("Calls that waited at once", (("most", "three", waiting),), amount))
    if longest is not None:
        charts.append(SlotChart("Longest wait", (("longest", "three", longest),), span_words))
    return "".join(f"{drawn(chart, report.first_ms, report.last_ms, render.zone)}\n" for chart in charts)


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
    top = _scale(max((amount for amount in sums if amount is not None), default=0))
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
    step, parts, at = (WIDTH - _LEFT) / len(sums), list[str](), 0
    for missing, group in groupby(sums, key=lambda amount: amount is None):
        length = len(list(group))
        if missing:
            x, width = _LEFT + at * step, length * step
            parts.append(
                f'<rect class="unknown" x="{x:.1f}" y="{_TOP}" width="{width:.1f}" height="{HEIGHT - _BOTTOM - _TOP}">'
                "<title>not known</title></rect>"
            )
        at += length
    return parts


def _grid(top: float, label_of: Callable[[float], str]) -> list[str]:
    floor, parts = HEIGHT - _BOTTOM, list[str]()
    for share in (0, 0.5, 1):
        y = floor - share * (floor - _TOP)
        parts.append(f'<line x1="{_LEFT}" y1="{y:.1f}" x2="{WIDTH}" y2="{y:.1f}"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{escape(label_of(top * share))}</text>')
    return parts


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
