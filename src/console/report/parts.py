"""Parts of the report in words: sections with sentences and tables, whose lines have moments."""

from __future__ import annotations

from datetime import datetime

from console.base.frozen import Frozen
from console.base.text import SafeText, clean
from console.report.report import Report
from console.views.render_context import RenderContext


class ReportMoment(Frozen):
    """A moment at which something can be looked up in the recording."""

    at_ms: int
    kind: str
    key: str = ""


class Row(Frozen):
    """A line of a table."""

    cells: tuple[SafeText, ...]
    moment: ReportMoment | None = None


class ColumnHeading(Frozen):
    """The title of a column."""

    title: str
    right: bool = False
    """Whether it has numbers."""
    minor: bool = False
    """Whether it is left out where there is no room."""


class ReportTable(Frozen):
    """Lines below headings."""

    title: str
    headings: tuple[ColumnHeading, ...]
    rows: tuple[Row, ...]


class ReportSection(Frozen):
    """A part of the report."""

    id: str
    title: str
    facts: tuple[SafeText, ...] = ()
    """Sentences."""
    tables: tuple[ReportTable, ...] = ()


def title(report: Report, render: RenderContext) -> str:
    """Return the title: the times with their zone."""
    first, last = (datetime.fromtimestamp(value / 1000, render.zone) for value in (report.first_ms, report.last_ms))
    until = f"{last:%H:%M}" if first.date() == last.date() else f"{last:%Y-%m-%d %H:%M}"
    return f"{first:%Y-%m-%d %H:%M} to {until}, {report.zone}"


def clock(at_ms: int, report: Report, render: RenderContext) -> SafeText:
    """Return a moment of the report: `10:42:07`, with the day if the report is about more than 24 hours."""
    at = datetime.fromtimestamp(at_ms / 1000, render.zone)
    return clean(f"{at:%H:%M:%S}" if report.last_ms - report.first_ms < 86_400_000 else f"{at:%d %b %H:%M:%S}")
