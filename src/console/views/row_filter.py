"""Filtering and sorting of rows, in any thread."""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Callable, Mapping
from operator import itemgetter
from typing import Generic, TypeVar

from console.collation import collated
from console.frozen import Frozen
from console.records.record import Record
from console.views.filter import Filter
from console.views.render_context import RenderContext
from console.views.table import Column, Table, Value
from console.views.tally import Share
from console.views.terms import Haystacks

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


Verdict = tuple[Place, bool, float | None]
"""Sort key of a row, whether it matches, and when to check again."""
_BATCH = 2048
"""Rows sorted at once: sorting does not yield to other threads, for 2 ms here."""


class RowFilter(Frozen, Generic[R]):
    """Inputs for filtering and sorting rows."""

    order: Order[R]
    wanted: Filter[R] | None
    render: RenderContext
    hays: Haystacks[R]
    share: Callable[[R], Share] | None
    """The share of a record in the totals, if they are tallied."""

    def verdict(self, key: str, record: R) -> Verdict:
        """Return the verdict of one row."""
        place = self.order.place(record, key, self.render)
        if self.wanted is None:
            return place, True, None
        return place, *self.wanted.evaluate(record, self.render, self.hays)

    def filter(self, upserts: Mapping[str, R], known: Mapping[str, R]) -> FilteredRows:
        """Return the verdicts of all rows that are not identical to known ones."""
        verdicts: dict[str, Verdict] = {}
        gained: Counter[Share] = Counter()
        for key, record in upserts.items():
            before = known.get(key)
            if before is record:
                continue
            verdicts[key] = self.verdict(key, record)
            if self.share is not None:
                counts, counted = self.share(record), None if before is None else self.share(before)
                if counts != counted:
                    gained[counts] += 1
                    if counted is not None:
                        gained[counted] -= 1
        return FilteredRows(verdicts, gained)


class FilteredRows(Frozen):
    """Result of filtering."""

    verdicts: dict[str, Verdict]
    gained: Counter[Share]
    """Change of the count of each share of the totals."""

    def in_order(self) -> FilteredRows:
        """Sort the rows, so that they only need to be merged with existing ones."""
        items = list(self.verdicts.items())
        by_place = itemgetter(1)
        batches = [sorted(items[at : at + _BATCH], key=by_place) for at in range(0, len(items), _BATCH)]
        return FilteredRows(dict(heapq.merge(*batches, key=by_place)), self.gained)
