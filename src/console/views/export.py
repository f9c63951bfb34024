"""Export of lists as CSV and JSON, for spreadsheets and scripts. Both are safe to print on a terminal."""

from __future__ import annotations

import codecs
import csv
import io
import json
import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TypeVar

from console.base.text import clean
from console.records.record import Record
from console.views import wording
from console.views.doubt import is_exact
from console.views.render_context import RenderContext
from console.views.table import Column, Value

R = TypeVar("R", bound=Record)

INEXACT = "inexact"
"""The entry of a row that names its inexact columns: what a list shows as `≥ 3` or `≈ 82 %` may be another number."""
_LONGEST = 32_000
"""Most characters of a spreadsheet cell."""
_LONGEST_QUOTED = 255
"""Most characters of a text within a formula of Excel."""
_FORMULA = re.compile(r"[\t\r]|\s*[=+\-@|\u2212\uff1d\uff0b\uff0d\uff20\ufe62\ufe63\ufe66\ufe6b]")
"""The beginning of a formula: spreadsheets drop blanks before it, and some read full-width signs."""
_PHONE = re.compile(r"\+\d[\d ]*|-\d+(?:\.\d+)?")
"""A phone number or a number. One with hyphens or brackets would be computed."""
_COMPUTED = re.compile(r"[+\-]?[\d(][\d ().,:/\-]*(?:[eE][+\-]?\d+)?")
"""A text, such as a phone number, that a spreadsheet would read as a number, a date or a calculation."""
_BYTE_ORDER_MARK = codecs.BOM_UTF8.decode()


def to_csv(
    records: Iterable[R], columns: Sequence[Column[R]], render: RenderContext, *, for_excel: bool = False
) -> str:
    """Return a header of column ids and a line per record; times in ISO 8601, ages in seconds.

    The last column is `inexact` if a number is.

    Texts that a spreadsheet would run as a formula get a leading apostrophe; numbers and phone numbers do not.

    With `for_excel`, the text begins with a byte order mark, because Excel would not read it as UTF-8 otherwise, lines
    end with CR LF, and phone numbers and other texts of digits are written as `="+34600100200"`, which stays a text.
    """
    out = io.StringIO(_BYTE_ORDER_MARK if for_excel else "", newline="")
    out.seek(0, io.SEEK_END)
    writer = csv.writer(out, lineterminator="\r\n" if for_excel else "\n")
    records = list(records)
    inexact = [" ".join(inexact_columns(record, columns, render)) for record in records]
    writer.writerow([column.id for column in columns] + [INEXACT] * any(inexact))
    for record, doubted in zip(records, inexact, strict=True):
        values = [column.value(record, render) for column in columns]
        cells = [_csv(column, value, render) for column, value in zip(columns, values, strict=True)]
        if for_excel:
            cells = [_as_text(value, cell) for value, cell in zip(values, cells, strict=True)]
        writer.writerow(cells + [doubted] * any(inexact))
    return out.getvalue()


def _as_text(value: Value, cell: str) -> str:
    """Return a cell that Excel reads as a text if its value is one."""
    if not isinstance(value, str):
        return cell
    text = clean(value, _LONGEST_QUOTED + 1)
    return f'="{text}"' if len(text) <= _LONGEST_QUOTED and _COMPUTED.fullmatch(text) else cell


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


def to_object(record: R, columns: Sequence[Column[R]], render: RenderContext) -> dict[str, Value | list[str]]:
    """Return the values of a record by column id, and the names of its inexact ones, if there are any."""
    values = {column.id: _exported(column, column.value(record, render)) for column in columns}
    inexact = inexact_columns(record, columns, render)
    return {**values, INEXACT: inexact} if inexact else {**values}


def inexact_columns(record: R, columns: Sequence[Column[R]], render: RenderContext) -> list[str]:
    """Return the ids of columns with a number that is only the least or an approximate one."""
    return [
        column.id for column in columns if column.kind in {"number", "age"} and not is_exact(column, record, render)
    ]


def _exported(column: Column[R], value: Value) -> Value:
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
        at = wording.at(value)
        return "" if at is None else datetime.fromtimestamp(at / 1000, render.zone).isoformat(timespec="milliseconds")
    if isinstance(value, str):
        text = clean(value, _LONGEST)
        return f"'{text}" if _FORMULA.match(text) and not _PHONE.fullmatch(text) else text
    return str(_exported(column, value))


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
