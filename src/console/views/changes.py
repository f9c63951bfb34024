"""What goes into a view and comes out of it: what changed in the collection, and what must be painted again."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from console.frozen import Frozen

if TYPE_CHECKING:
    from console.records.record import Record

R = TypeVar("R", bound="Record")
C = TypeVar("C", bound="Record", covariant=True)


class Difference(Protocol[C]):
    """What a view needs of `live.delta.Delta`: removes are applied first, then upserts."""

    @property
    def whole(self) -> bool:
        """Whether `upserts` is everything there is."""
        ...

    @property
    def upserts(self) -> Mapping[str, C]:
        """New and changed records by key."""
        ...

    @property
    def removes(self) -> Set[str]:
        """Keys that are gone."""
        ...


class Change(Frozen):
    """What must be painted again."""

    dirty: frozenset[str] = frozenset()
    """Keys whose words may differ."""
    moved: bool = False
    """Whether rows came, went or changed places: everything in sight is to be painted again."""
    counts: bool = False
    """Whether `total` or `matched` differ."""

    def __bool__(self) -> bool:
        return bool(self.dirty) or self.moved or self.counts


NOTHING = Change()


class Pending(Generic[R]):
    """What happened during a pause, of every key only the last."""

    def __init__(self) -> None:
        self.whole = False
        self.upserts: dict[str, R] = {}
        self.removes: set[str] = set()

    def add(self, delta: Difference[R]) -> None:
        """Take what changed next."""
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
        """Return how many records came, changed or went, compared with those that are shown."""
        changed = sum(records.get(key) is not record for key, record in self.upserts.items())
        gone = sum(key not in self.upserts for key in records) if self.whole else len(self.removes & records.keys())
        return changed + gone
