"""Totals that are kept by counting what changes, not by counting everything again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from console.records.record import Record
from console.tables.cell import Line
from console.tables.sight import Sight

R = TypeVar("R", bound=Record)


@dataclass(frozen=True)
class Tally(Generic[R]):
    """Totals of which each record's share depends on nothing but the record.

    A list of ten thousand calls so pays for its totals by the change, 2 us, not by the row, 15 to 25 ms.
    """

    of: Callable[[R], Any]
    """A record's share: equal shares are only counted. There should be few different ones."""
    line: Callable[[Counter[Any], Sight], Line]
    """Words for how many there are of each share."""

    def __call__(self, records: Iterable[R], sight: Sight) -> Line:
        """Return the totals of records counted afresh."""
        return self.line(Counter(map(self.of, records)), sight)
