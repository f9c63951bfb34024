"""Parts of the report in words: sections with sentences and tables, whose lines have moments."""

from __future__ import annotations

from datetime import datetime

from console.base.frozen import Frozen
from console.base.text import SafeText, clean
from console.config.schema import ENVIRONMENT_PROFILE
from console.report.report import Report
from console.views.past import DATE, clock_text
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
    first, last = (clock_text(value, render.zone, "minutes") for value in (report.first_ms, report.last_ms))
    return f"{first} to {last[DATE:] if first[:DATE] == last[:DATE] else last}, {report.zone}"


def source(report: Report) -> str:
    """Return the profile and the service of the recording; a profile of environment variables has no name."""
    service = clean(report.service, 200)
    if report.profile in ("", ENVIRONMENT_PROFILE):
        return f"Service {service}"
    return f"Profile {clean(report.profile)}, service {service}"


def clock(at_ms: int, report: Report, render: RenderContext) -> SafeText:
    """Return a moment of the report: `10:42:07`, with the day if the report is about more than 24 hours."""
    day = f"{datetime.fromtimestamp(at_ms / 1000, render.zone):%d %b} "
    time = clock_text(at_ms, render.zone)[DATE:]
    return clean(time if report.last_ms - report.first_ms < 86_400_000 else day + time)
