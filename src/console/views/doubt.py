"""Doubt about values of columns: they rest on unreadable fields, or on lists that are not known in full."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar, cast

from console.base.frozen import replace
from console.base.signs import drawn
from console.records.extent import Extent
from console.records.record import Record
from console.records.structured import shape_of
from console.views.render_context import RenderContext
from console.views.table import Column

R = TypeVar("R", bound=Record)

_SIGNS = "≥≈≤"
"""Signs of a value that is the least, an approximate or the most one."""
_UNKNOWN = "unknown"
"""The value of a computed state that is not known."""


def unread_fields(record: Record) -> frozenset[str]:
    """Return the names of the fields that cannot be read, or have a record inside of which something cannot be."""
    # Rules ask at many changes, and most rows have no fault.
    names = {name for name in record.declared_fields if record.unread(name)} if record.faults else set[str]()
    for name in shape_of(type(record)).holding_records:
        value = getattr(record, name)
        values = cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,)
        for each in values:
            if isinstance(each, Record) and each.faults:
                names.add(name)
    return frozenset(names)


def is_minimum(column: Column[R], record: R, render: RenderContext) -> bool:
    """Return whether the value of a column is shown as the least that it may be: `≥ 3`."""
    return column.cell(record, render).text.startswith(f"{drawn('≥', render.symbols)} ")


def is_exact(column: Column[R], record: R, render: RenderContext) -> bool:
    """Return whether the number of a column is shown as it is: not the least, the most or an approximate one."""
    text = column.cell(record, render).text
    return not any(drawn(sign, render.symbols) in text for sign in _SIGNS)


def in_doubt(column: Column[R], record: R, render: RenderContext) -> bool:
    """Return whether the value of a column may be another one."""
    lists: set[str] = set()
    fields: set[str] = set()

    def lookup(kind: str) -> Mapping[str, Record]:
        lists.add(kind)
        return render.lookup(kind)

    unread = unread_fields(record)
    value = column.value(record.noting(fields.add) if unread else record, replace(render, lookup=lookup))
    if column.certain:
        return value is None
    if isinstance(value, str):
        return column.closed and (value == _UNKNOWN or bool(fields & unread))
    if fields & unread or (column.kind == "flag" and value is None):
        return True
    if value is None or value is False:
        return any(render.extent(kind) is not Extent.WHOLE for kind in lists)
    return column.kind in {"number", "age"} and not is_exact(column, record, render)
