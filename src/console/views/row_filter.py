"""Where rows belong and whether they match, worked out on any thread."""

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
"""Where a row belongs, whether it matches, and when that must be looked at again."""
_BATCH = 2048
"""Rows sorted in one go: the interpreter gives no turn to other threads meanwhile, 2 ms here."""


class RowFilter(Frozen, Generic[R]):
    """All that decides where a row belongs and whether it matches."""

    order: Order[R]
    wanted: Filter[R] | None
    render: RenderContext
    hays: Haystacks[R]
    share: Callable[[R], Share] | None
    """What a record adds to the totals, where those are tallied."""

    def verdict(self, key: str, record: R) -> Verdict:
        """Judge one row."""
        place = self.order.place(record, key, self.render)
        if self.wanted is None:
            return place, True, None
        return place, *self.wanted.evaluate(record, self.render, self.hays)

    def filter(self, upserts: Mapping[str, R], known: Mapping[str, R]) -> FilteredRows:
        """Judge all rows that are not the very records known already."""
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
    """What came of judging rows."""

    verdicts: dict[str, Verdict]
    gained: Counter[Share]
    """How many more there are of each share of the totals."""

    def in_order(self) -> FilteredRows:
        """Put the rows in order, so that they need only be merged with those that are there."""
        items = list(self.verdicts.items())
        by_place = itemgetter(1)
        batches = [sorted(items[at : at + _BATCH], key=by_place) for at in range(0, len(items), _BATCH)]
        return FilteredRows(dict(heapq.merge(*batches, key=by_place)), self.gained)
