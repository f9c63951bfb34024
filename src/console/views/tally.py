"""Totals that are updated by each change instead of counted again."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from console.frozen import Frozen
from console.views.cell import Line
from console.views.render_context import RenderContext

if TYPE_CHECKING:
    from console.records.record import Record

R = TypeVar("R", bound="Record")

Share = tuple[Any, float | None]
"""The group of a record in the totals, and a time of which the earliest is needed, if any."""


class Tallied:
    """Number of records per group, and the earliest time."""

    def __init__(self) -> None:
        self.counts: Counter[Any] = Counter()
        self._moments: Counter[float] = Counter()
        self._heap: list[float] = []

    def add(self, share: Share, many: int = 1) -> None:
        """Add records to a group; a negative number removes them."""
        sort, moment = share
        self.counts[sort] += many
        if not self.counts[sort]:
            del self.counts[sort]
        if moment is None:
            return
        there = self._moments[moment] + many
        if there > 0:
            if moment not in self._moments or self._moments[moment] <= 0:
                heapq.heappush(self._heap, moment)
            self._moments[moment] = there
        else:
            del self._moments[moment]
        if len(self._heap) > 2 * len(self._moments) + 64:
            self._heap = sorted(self._moments)

    @property
    def earliest(self) -> float | None:
        """The earliest time, or None. Removed times are dropped from the heap when they reach its top."""
        while self._heap and self._heap[0] not in self._moments:
            heapq.heappop(self._heap)
        return self._heap[0] if self._heap else None

    def copy(self) -> Tallied:
        """Return an independent copy."""
        made = Tallied()
        made.counts, made._moments, made._heap = self.counts.copy(), self._moments.copy(), [*self._heap]
        return made


class Tally(Frozen, Generic[R]):
    """Totals in which each record's share depends only on the record.

    In a list of ten thousand calls, totals cost 2 us per change instead of 15 to 25 ms per count.
    """

    of: Callable[[R], Any]
    """Group of a record. There should be few groups, because rendering the totals iterates over all."""
    line: Callable[[Tallied, RenderContext], Line]
    """Text for the number of records per group."""
    since: Callable[[R], float | None] | None = None
    """A time of a record; the totals show the earliest."""

    def share(self, record: R) -> Share:
        """Return the share of a record in the totals."""
        return self.of(record), self.since(record) if self.since else None

    def __call__(self, records: Iterable[R], render: RenderContext) -> Line:
        """Count records from scratch, and return the totals."""
        tallied = Tallied()
        for record in records:
            tallied.add(self.share(record))
        return self.line(tallied, render)
