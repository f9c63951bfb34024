"""Output of commands: rows as a table or as data. It can never control a terminal."""

from __future__ import annotations

import json
import shutil
import sys
from argparse import SUPPRESS, ArgumentParser
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Any, Literal, TypeVar

from console.base.text import SafeText, cells, clean, fit, join
from console.cli.exits import Exit, Failure
from console.records.record import Record
from console.views.export import to_csv, to_json, to_jsonl
from console.views.render_context import RenderContext
from console.views.table import Column

R = TypeVar("R", bound=Record)
CsvOption = bool | Literal["excel"]
"""The value of `--csv`, which needs none."""

WIDEST = 48
"""Maximum width of a text column on a terminal."""


class OutputFormat(StrEnum):
    """Format of rows."""

    TEXT = "text"
    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"
    EXCEL = "csv=excel"


def add_csv(parser: ArgumentParser, *, help: str) -> None:
    """Declare `--csv` and `--csv=excel`."""
    parser.add_argument("--csv", action="store_true", help=help)
    # A name of its own: an option with an optional value would take the next argument for it.
    parser.add_argument("--csv=excel", dest="csv", action="store_const", const="excel", help=SUPPRESS)


def form_of(*, json: bool = False, jsonl: bool = False, csv: CsvOption = False) -> OutputFormat:
    """Return the requested format. Raise Failure for two."""
    asked = [
        form
        for form, wanted in (
            (OutputFormat.JSON, json),
            (OutputFormat.JSONL, jsonl),
            (OutputFormat.EXCEL if csv == "excel" else OutputFormat.CSV, csv),
        )
        if wanted
    ]
    if len(asked) > 1:
        raise Failure(Exit.USAGE, f"choose one of {' and '.join('--' + output_format for output_format in asked)}")
    return asked[0] if asked else OutputFormat.TEXT


def written(
    form: OutputFormat, records: Sequence[R], columns: Sequence[Column[R]], render: RenderContext, *, room: int | None
) -> str:
    """Return rows in a format. `room` is the width of the terminal, or None without one."""
    if form is OutputFormat.JSON:
        return to_json(records, columns, render)
    if form is OutputFormat.JSONL:
        return to_jsonl(records, columns, render)
    if form in {OutputFormat.CSV, OutputFormat.EXCEL}:
        return to_csv(records, columns, render, for_excel=form is OutputFormat.EXCEL)
    return "".join(f"{line}\n" for line in text_table(records, columns, render, room=room))


def text_table(
    records: Iterable[R], columns: Sequence[Column[R]], render: RenderContext, *, room: int | None
) -> Iterable[SafeText]:
    """Yield a heading and a line per record. The least important columns are omitted until the rest fits in `room`."""
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
    """Return the width of the terminal on stdout, or None."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def print_json(data: Any, *, lines: bool = False) -> None:
    """Print JSON; with `lines`, one line per entry of an array. Unprintable characters are escaped."""
    if lines and isinstance(data, list):
        for item in data:  # pyright: ignore[reportUnknownVariableType] - JSON may contain anything
            print(one_line(item))
    else:
        print(escaped(json.dumps(data, indent=2, ensure_ascii=False)))


def one_line(data: Any) -> str:
    """Return JSON on one line, safe to print."""
    return escaped(json.dumps(data, ensure_ascii=False, separators=(",", ":")))


def escaped(text: str) -> str:
    """Escape unprintable characters; only for JSON, where escapes mean the same."""
    return "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)


def talk(message: str) -> None:
    """Print a message to stderr, not to the data on stdout."""
    print(f"console: {clean(message, 2000)}", file=sys.stderr)
