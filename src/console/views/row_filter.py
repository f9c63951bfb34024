"""Filtering and sorting of rows, in any thread."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Mapping
from operator import itemgetter
from typing import Generic, TypeVar

from console.frozen import Frozen
from console.records.record import Record
from console.views.filter import Filter
from console.views.order import Order, Place
from console.views.render_context import RenderContext
from console.views.tally import Share
from console.views.terms import Haystacks

R = TypeVar("R", bound=Record)

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
