"""The text of columns, details and totals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from console.kinds.tables import TABLES
from console.records.people import User
from console.records.record import Record
from console.views.cell import Line, Section
from console.views.render_context import RenderContext
from console.views.table import Table
from tests.kinds.wild import render_context

S, M = 1_000, 60_000
ANA, BOB = User(id="ana", alias="Ana", domain="example"), User(id="bob", alias="Bob", domain="another")


def said(lines: Sequence[Line]) -> list[str]:
    return ["".join(cell.text for cell in line).rstrip() for line in lines]


def part(record: Record, kind: str, section: str, seen: RenderContext) -> list[str]:
    found = {each.id: each for each in TABLES[kind].detail(record, seen)}
    return said(found[section].lines)


def known(**kinds: list[Record]) -> Mapping[str, Mapping[str, Record]]:
    return {kind: {record.key: record for record in records} for kind, records in kinds.items()}


def seen(**kinds: Iterable[Record]) -> RenderContext:
    """Return a render context with these records; the names of kinds have underscores for hyphens."""
    return render_context({kind.replace("_", "-"): {each.key: each for each in found} for kind, found in kinds.items()})


def words(line: Line) -> str:
    return "".join(cell.text for cell in line)


def text(sections: Iterable[Section]) -> str:
    return "\n".join(words(line) for section in sections if section.id != "raw" for line in section.lines)


def cell(table: Table[Record], column: str, record: Record, at: RenderContext) -> str:
    return table.column(column).cell(record, at).text
