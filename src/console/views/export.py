"""Export of lists as CSV and JSON, for spreadsheets and scripts. Both are safe to print on a terminal."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TypeVar

from console.records.record import Record
from console.text import clean
from console.views import words
from console.views.render_context import RenderContext
from console.views.table import Column, Value

R = TypeVar("R", bound=Record)

_LONGEST = 32_000
"""Most characters of a spreadsheet cell."""
_FORMULA = re.compile(r"[\t\r]|\s*[=+\-@|\u2212\uff1d\uff0b\uff0d\uff20\ufe62\ufe63\ufe66\ufe6b]")
"""The beginning of a formula: spreadsheets drop blanks before it, and some read full-width signs."""
_PHONE = re.compile(r"\+\d[\d ]*|-\d+(?:\.\d+)?")
"""A phone number or a number. One with hyphens or brackets would be computed."""


def to_csv(records: Iterable[R], columns: Sequence[Column[R]], render: RenderContext) -> str:
    """Return a header of column ids and a line per record; times in ISO 8601, ages in seconds.

    Texts that a spreadsheet would run as a formula get a leading apostrophe; numbers and phone numbers do not.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([column.id for column in columns])
    for record in records:
        writer.writerow([_csv(column, column.value(record, render), render) for column in columns])
    return out.getvalue()


def to_json(records: Iterable[R], columns: Sequence[Column[R]], render: RenderContext) -> str:
    """Return an array of objects by column id; texts unchanged, times in ms since the epoch, ages in seconds."""
    rows = [to_object(record, columns, render) for record in records]
    return escaped(json.dumps(rows, indent=2, ensure_ascii=False, allow_nan=False)) + "\n"


def to_jsonl(records: Iterable[R], columns: Sequence[Column[R]], render: RenderContext) -> str:
    """Return a JSON object per line, in the format of `to_json`."""
    return "".join(line_of(record, columns, render) for record in records)


def line_of(record: R, columns: Sequence[Column[R]], render: RenderContext) -> str:
    """Return one record as a line of JSON, including the newline."""
    text = json.dumps(to_object(record, columns, render), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return escaped(text) + "\n"


def to_object(record: R, columns: Sequence[Column[R]], render: RenderContext) -> dict[str, Value]:
    """Return the values of a record by column id."""
    return {column.id: _plain(column, column.value(record, render)) for column in columns}


def _plain(column: Column[R], value: Value) -> Value:
    if column.kind == "age" and isinstance(value, int | float):
        return round(value / 1000, 3)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _csv(column: Column[R], value: Value, render: RenderContext) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if column.kind == "time" and isinstance(value, int | float):
        at = words.at(value)
        return "" if at is None else datetime.fromtimestamp(at / 1000, render.zone).isoformat(timespec="milliseconds")
    if isinstance(value, str):
        text = clean(value, _LONGEST)
        return f"'{text}" if _FORMULA.match(text) and not _PHONE.fullmatch(text) else text
    return str(_plain(column, value))


def escaped(text: str) -> str:
    """Escape unprintable characters, so that nothing is lost and a terminal is not affected."""
    if text.isascii() and "\x7f" not in text:
        return text
    return "".join(c if c.isprintable() or c == "\n" else _unit(c) for c in text)


def _unit(character: str) -> str:
    code = ord(character)
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
