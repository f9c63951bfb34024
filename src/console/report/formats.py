"""The report as Markdown, for a terminal, a ticket or a wiki, and as JSON as `docs/report.md` describes it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, cast

from console.base.frozen import Frozen, asdict
from console.base.text import cells, clean, fit
from console.recording.notes import Note
from console.report.moments import Moments
from console.report.parts import ReportSection, ReportTable, source, title
from console.report.report import Report
from console.views.export import escaped
from console.views.render_context import RenderContext

_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~&])")
_LIST = re.compile(r"^(\s*)([-+=]+|\d+[.)])(?=\s|$)")


def to_markdown(report: Report, sections: tuple[ReportSection, ...], render: RenderContext) -> str:
    """Return the text. Nothing from outside is read as Markdown or HTML."""
    moments = Moments(report, render)
    parts = [f"# Shift report {escape_markdown(title(report, render))}\n", f"{escape_markdown(source(report))}\n"]
    for section in sections:
        parts.append(f"## {section.title}\n")
        if section.facts:
            parts.append("".join(f"- {escape_markdown(fact)}\n" for fact in section.facts))
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


def escape_markdown(text: str) -> str:
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
    grid = [[escape_markdown(heading.title) for heading in table.headings]]
    for row in table.rows:
        number = moments.number(row.moment)
        grid.append([escape_markdown(text) for text in row.cells])
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


FORMAT = 1
"""Increased when a member changes its meaning or goes away; new ones may be added."""


def to_json(report: Report, notes: tuple[Note, ...]) -> str:
    """Return the figures as an object; times in ms since the epoch, lengths of time in ms."""
    known, quality = report.known, report.quality
    contents: dict[str, Any] = {
        "format": FORMAT,
        "from_ms": report.first_ms,
        "to_ms": report.last_ms,
        "zone": report.zone,
        "profile": report.profile,
        "service": report.service,
        "lists": report.lists,
        "partial": report.partial,
        "cut": known.cut,
        "recorded_ms": known.recorded.ms,
        "gaps": known.gaps,
        "not_known_ms": {kind: known.missing_ms(kind) for kind in report.lists},
        "link_not_known_ms": known.link_missing_ms,
        "outages": known.outages,
        "restarts": report.restarts,
        "rules": report.rules,
        "alerts": report.alerts,
        "calls": report.calls,
        "skills": report.skills,
        "skills_in_doubt": report.skills_in_doubt,
        "agents": report.agents,
        "chats_in_doubt": report.chats_in_doubt,
        "quality": None if quality is None else {**asdict(quality), "percent": quality.percent},
        "own_changes": report.own,
        "notes": notes,
        "series": report.series,
        "damage": [*report.damage, *filter(None, [report.notes_fault])],
    }
    return escaped(json.dumps(_json_value(contents), indent=2, ensure_ascii=False, allow_nan=False)) + "\n"


def _json_value(value: Any) -> Any:
    if isinstance(value, Frozen):
        return _json_value(asdict(value))
    if isinstance(value, Mapping):
        return {str(name): _json_value(item) for name, item in cast("Mapping[str, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [_json_value(item) for item in cast("list[Any]", value)]
    return value
