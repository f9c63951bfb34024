"""Input and output of a view: changes of a collection, and changes to paint."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Generic, TypeVar

from console.base.frozen import Frozen
from console.records.indexed import RecordDelta

if TYPE_CHECKING:
    from console.records.record import Record

R = TypeVar("R", bound="Record")


class Repaint(Frozen):
    """Lines to paint again."""

    dirty: frozenset[str] = frozenset()
    """Keys whose text may differ."""
    moved: bool = False
    """Whether rows were added, removed or moved, so that all visible rows must be painted."""
    counts: bool = False
    """Whether `total` or `matched` differ."""

    def __bool__(self) -> bool:
        return bool(self.dirty) or self.moved or self.counts


NOTHING = Repaint()


class Pending(Generic[R]):
    """Changes during a pause, the last one of each key."""

    def __init__(self) -> None:
        self.whole = False
        self.upserts: dict[str, R] = {}
        self.removes: set[str] = set()

    def add(self, delta: RecordDelta[R]) -> None:
        """Add later changes."""
        if delta.whole:
            self.whole = True
            self.upserts = dict(delta.upserts)
            self.removes.clear()
            return
        for key in delta.removes:
            self.upserts.pop(key, None)
            self.removes.add(key)
        self.upserts.update(delta.upserts)
        self.removes -= delta.upserts.keys()

    def behind(self, records: Mapping[str, R]) -> int:
        """Return the number of added, changed and removed records since the pause."""
        changed = sum(records.get(key) is not record for key, record in self.upserts.items())
        gone = sum(key not in self.upserts for key in records) if self.whole else len(self.removes & records.keys())
        return changed + gone
