"""Completions of a filter that is being typed: names of fields, and values with the number of their rows."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

from console.base.collation import fold
from console.base.text import SafeText, clean
from console.records.record import Record
from console.views.filter import fields
from console.views.render_context import RenderContext
from console.views.table import Column, Table
from console.views.wording import amount

R = TypeVar("R", bound=Record)

MOST_ROWS = 2_000
"""Rows whose values are counted: more would delay the next key."""
MOST_VALUES = 40
"""A field with more values, such as a caller, is searched rather than chosen."""
MOST = 8
"""Completions that are offered."""
_LONGEST = 24
_TERM = re.compile(r'(?:^|\s)!*(?:(?P<field>[\w-]+)[:=]!?(?:[^\s,"]*,|"[^"]*",)*)?(?P<begun>"?[^\s",:=<>]*)$')


class Completion(NamedTuple):
    """One way to go on."""

    words: SafeText
    """`queued 16`, or the name of a field."""
    text: str
    """The whole filter with it."""


def completions(text: str, table: Table[R], rows: Iterable[R], render: RenderContext) -> Sequence[Completion]:
    """Return how a filter can go on: values of the field before its end, the most frequent first, or fields.

    Numbers are of the rows in `rows`, which is not read if a field is being typed; `≥` if there are more than counted.
    """
    term = _TERM.search(text)
    if term is None:
        return ()
    before, begun = text[: term.start("begun")], term["begun"]
    if term["field"] is None:
        names = (column.id for column in table.columns if begun and column.id.startswith(begun.lower()))
        return tuple(Completion(clean(f"{name}:"), f"{before}{name}:") for name in itertools.islice(names, MOST))
    column = fields(table).get(term["field"].lower())
    if column is None:
        return ()
    counts, at_least = _values(column, rows, render)
    wanted = fold(begun.removeprefix('"'))
    offered = (
        Completion(clean(f"{value[:_LONGEST]} {at_least}{amount(number)}"), f"{before}{_quoted(value)}")
        for value, number in counts
        if fold(value).startswith(wanted)
    )
    return tuple(completion for completion in itertools.islice(offered, MOST) if completion.text != text)


def _values(column: Column[R], rows: Iterable[R], render: RenderContext) -> tuple[Sequence[tuple[str, int]], str]:
    """Return the values of a column with their numbers, and `≥` if not all rows were counted."""
    if column.kind not in {"text", "flag"}:
        return (), ""
    reading = iter(rows)
    values = (column.value(record, render) for record in itertools.islice(reading, MOST_ROWS))
    if column.kind == "flag":
        values = ("yes" if value else "no" for value in values)
    counts = Counter(value for value in values if isinstance(value, str) and value)
    if len(counts) > MOST_VALUES:
        return (), ""
    return counts.most_common(), "≥ " if next(reading, None) is not None else ""


def _quoted(value: str) -> str:
    """Return a value as a filter reads it; a quote within cannot be said, and ends it."""
    value = value.partition('"')[0]
    return value if re.fullmatch(r"[^\s,!][^\s,]*", value) else f'"{value}"'
