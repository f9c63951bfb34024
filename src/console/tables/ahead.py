"""A list as it will stand, made on another thread than the one that draws.

A list of ten thousand rows that comes anew takes 60 to 100 ms to be judged and put in order, and another 20 to be
merged with what was there. Done here, the screen is left with exchanging one list for the other, and no key waits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from console.records.record import Record
from console.tables.changes import Change
from console.tables.judging import Judge, Judged
from console.tables.standing import Standing

R = TypeVar("R", bound=Record)


@dataclass
class Ahead(Generic[R]):
    """What was made ahead for a view, and what it holds for: `View.apply` does anew what does not hold any more."""

    judge: Judge[R]
    edition: int
    """Of the records that rows were compared with."""
    turn: int
    """Of all that the list held."""
    judged: Judged
    standing: Standing[R]
    change: Change
    former: Standing[R] | None = None
    """What stood before, once it has been exchanged."""

    def forget(self) -> None:
        """Let go of what stood before: to take ten thousand records apart takes 3 ms, on whatever thread does it."""
        self.former = None
