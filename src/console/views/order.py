"""Sort keys of rows."""

from __future__ import annotations

import math
from typing import Generic, TypeVar

from console.collation import collated
from console.records.record import Record
from console.views.render_context import RenderContext
from console.views.table import Column, Table, Value

R = TypeVar("R", bound=Record)

Place = tuple[int, str | float, int, str | float, str]
"""Group and value, the same by the table's default order, then the key; smaller is higher."""

_NUMBERS, _TEXTS, _NONE, _GROUPS = 0, 1, 2, 3
_LAST = 0x10FFFF


class _Inverted(dict[int, str]):
    """Maps characters so that texts made of them compare in reverse."""

    def __missing__(self, code: int) -> str:
        self[code] = turned = chr(max(0, _LAST - 1 - code))
        return turned


_INVERTED = _Inverted()


class Order(Generic[R]):
    """A column and a direction. Equal rows are in the table's default order, then by key; None is always last."""

    def __init__(self, table: Table[R], order: str) -> None:
        self.descending = order.startswith("-")
        self.column: Column[R] = table.column(order.removeprefix("-"))
        self._own_descending = table.order.startswith("-")
        self._own: Column[R] | None = table.column(table.order.removeprefix("-"))
        if self._own is self.column:
            self._own = None

    def place(self, record: R, key: str, render: RenderContext) -> Place:
        """Return the sort key of a record."""
        group, value = _comparable(self.column, self.descending, record, render)
        if self._own is None:
            return group, value, 0, 0, key
        return group, value, *_comparable(self._own, self._own_descending, record, render), key


def _comparable(column: Column[R], descending: bool, record: R, render: RenderContext) -> tuple[int, str | float]:
    rank = column.rank(record, render) * _GROUPS if column.rank else 0
    value: Value = (column.sort or column.value)(record, render)
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return rank + _NONE, 0
    if isinstance(value, str):
        key = collated(value)
        return rank + _TEXTS, key.translate(_INVERTED) + chr(_LAST) if descending else key
    return rank + _NUMBERS, -value if descending else value
