"""The report as Markdown, for a terminal, a ticket or a wiki."""

from __future__ import annotations

import re

from console.base.text import cells, clean, fit
from console.report.moments import Moments
from console.report.parts import ReportSection, ReportTable, title
from console.report.report import Report
from console.views.render_context import RenderContext

_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~&])")
_LIST = re.compile(r"^(\s*)([-+=]+|\d+[.)])(?=\s|$)")


def to_markdown(report: Report, sections: tuple[ReportSection, ...], render: RenderContext) -> str:
    """Return the text. Nothing from outside is read as Markdown or HTML."""
    moments = Moments(report, render)
    about = f"Profile {clean(report.profile)}, service {clean(report.service, 200)}"
    parts = [f"# Shift report {plain(title(report, render))}\n", f"{plain(about)}\n"]
    for section in sections:
        parts.append(f"## {section.title}\n")
        if section.facts:
            parts.append("".join(f"- {plain(fact)}\n" for fact in section.facts))
        for table in section.tables:
            parts += [*([f"### {table.title}\n"] if table.title else []), _table(table, moments)]
    if moments.commands:
        parts.append("## Moments\n")
        parts.append("These commands print a list as it was, while the recording has that time.\n")
        parts.append(
            "".join(
                f"{n}. {command.at}\n   {_code(command.command)}\n" for n, command in enumerate(moments.commands, 1)
            )
        )
    return "\n".join(parts)


def plain(text: str) -> str:
    """Return a text so that Markdown shows it as it is."""
    return _LIST.sub(_ordinary, _SPECIAL.sub(r"\\\1", clean(text, 1000)))


def _ordinary(begins: re.Match[str]) -> str:
    """Return the sign of a list as text: `1.` becomes `1\\.`, `-` becomes `\\-`."""
    return f"{begins[1]}{begins[2][:-1]}\\{begins[2][-1]}"


def _code(text: str) -> str:
    """Return a text as code: the fence is longer than any row of backticks in it."""
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{space}{text}{space}{fence}"


def _table(table: ReportTable, moments: Moments) -> str:
    grid = [[plain(heading.title) for heading in table.headings]]
    for row in table.rows:
        number = moments.number(row.moment)
        grid.append([plain(safe_text) for safe_text in row.cells])
        if number is not None:
            grid[-1][0] += f" ({number})"
    widths = [max(3, *(cells(line[at]) for line in grid)) for at in range(len(table.headings))]
    lines = [
        "| "
        + " | ".join(
            fit(clean(cell, 2000), width, heading.right)
            for cell, width, heading in zip(line, widths, table.headings, strict=True)
        )
        + " |"
        for line in grid
    ]
    rule = "|".join(
        f"{'-' * (width + 1)}:" if heading.right else "-" * (width + 2)
        for width, heading in zip(widths, table.headings, strict=True)
    )
    return "\n".join((lines[0], f"|{rule}|", *lines[1:])) + "\n"
