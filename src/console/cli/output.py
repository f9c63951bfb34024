"""What commands print: rows as a table or as data. Nothing that is printed can command a terminal."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Any, TypeVar

from console.cli.exits import Exit, Failure
from console.records.record import Record
from console.text import SafeText, cells, clean, fit, join
from console.views.export import to_csv, to_json, to_jsonl
from console.views.render_context import RenderContext
from console.views.table import Column

R = TypeVar("R", bound=Record)

WIDEST = 48
"""Cells that a text column may take on a terminal."""


class Form(StrEnum):
    """How rows are printed."""

    TEXT = "text"
    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"


def form_of(*, json: bool = False, jsonl: bool = False, csv: bool = False) -> Form:
    """Return the one form that was asked for. Raises Failure for two."""
    asked = [form for form, wanted in ((Form.JSON, json), (Form.JSONL, jsonl), (Form.CSV, csv)) if wanted]
    if len(asked) > 1:
        raise Failure(Exit.USAGE, f"choose one of {' and '.join('--' + each for each in asked)}")
    return asked[0] if asked else Form.TEXT


def written(
    form: Form, records: Sequence[R], columns: Sequence[Column[R]], render: RenderContext, *, room: int | None
) -> str:
    """Return rows in the form asked for. `room` is the terminal's width, None when there is no terminal."""
    if form is Form.JSON:
        return to_json(records, columns, render)
    if form is Form.JSONL:
        return to_jsonl(records, columns, render)
    if form is Form.CSV:
        return to_csv(records, columns, render)
    return "".join(f"{line}\n" for line in text_table(records, columns, render, room=room))


def text_table(
    records: Iterable[R], columns: Sequence[Column[R]], render: RenderContext, *, room: int | None
) -> Iterable[SafeText]:
    """Return a heading and a line per record. Columns go, the least important first, until the rest fits in `room`."""
    grid = [[clean(column.cell(record, render).text) for column in columns] for record in records]
    titles = [clean(column.title or column.id) for column in columns]
    widths = [max(map(cells, (title, *(row[at] for row in grid)))) for at, title in enumerate(titles)]
    kept = list(range(len(columns)))
    if room is not None:
        widths = [min(width, WIDEST) for width in widths]
        while len(kept) > 1 and sum(widths[at] + 2 for at in kept) - 2 > room:
            kept.remove(max(kept, key=lambda at: (columns[at].priority, at)))
    for row in (titles, *grid):
        last = kept[-1]
        parts = [fit(row[at], widths[at], columns[at].right) for at in kept[:-1]]
        ending = row[last] if not columns[last].right and cells(row[last]) <= widths[last] else None
        yield join("  ", [*parts, ending if ending is not None else fit(row[last], widths[last], columns[last].right)])


def room() -> int | None:
    """Return the width of the terminal that stdout is, None if it is none."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def print_json(data: Any, *, lines: bool = False) -> None:
    """Print JSON; with `lines` an array has a line for each of its entries. What does not print is escaped."""
    if lines and isinstance(data, list):
        for each in data:  # pyright: ignore[reportUnknownVariableType] - JSON holds anything
            print(one_line(each))
    else:
        print(escaped(json.dumps(data, indent=2, ensure_ascii=False)))


def one_line(data: Any) -> str:
    """Return JSON on one line, harmless to print."""
    return escaped(json.dumps(data, ensure_ascii=False, separators=(",", ":")))


def escaped(text: str) -> str:
    """Write what a terminal would obey instead of print as JSON escapes; only for JSON, where they mean the same."""
    return "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)


def talk(message: str) -> None:
    """Say something to the person, not to the program that reads the data."""
    print(f"console: {clean(message, 2000)}", file=sys.stderr)
