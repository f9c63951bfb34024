"""The records of one kind with a log of changes, and their raw rows."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, ItemsView, Iterable, Iterator, KeysView, Mapping, Sequence, ValuesView
from collections.abc import Collection as Collected
from itertools import repeat
from typing import Any, Generic, TypeVar, cast

from console.live.bounds import row_cost, rows_cost
from console.live.delta import Delta
from console.records.indexed import IndexedRecords
from console.records.record import Record
from console.records.state_words import normalized

R = TypeVar("R", bound=Record)
MANY = 1_000
"""From this number of changes in one step, if they are most of the records, readers get everything: a copy of ten
thousand records takes 0.2 ms, walking the log 4 ms, during which nobody else reads or writes."""
GONE_KEPT = 2_000
"""Number of removed keys in the log: ten minutes of a large service. A reader that is further behind gets everything,
which costs it less than storing ten times as many keys."""


class KnownRows:
    """Raw rows by key, with a running total of their memory. Not safe to change in two threads."""

    def __init__(self, rows: dict[str, bytes] | None = None, memory: int | None = None) -> None:
        """Use `rows` without copying them; their `memory` is computed unless given."""
        self._rows = {} if rows is None else rows
        self.memory = rows_cost([*map(len, self._rows.values())]) if memory is None else memory
        """Approximate memory in bytes of the rows and their records."""

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, key: str) -> bool:
        return key in self._rows

    @property
    def by_key(self) -> Mapping[str, bytes]:
        """The rows by key, in the order of the list."""
        return self._rows

    def copy(self) -> KnownRows:
        """Return a copy that later changes do not affect."""
        return KnownRows(dict(self._rows), self.memory)

    def update(self, rows: Mapping[str, bytes]) -> dict[str, bytes]:
        """Add or replace rows; return those whose bytes differ from before."""
        known = self._rows
        changed = {key: row for key, row in rows.items() if known.get(key) != row}
        self.memory += rows_cost([*map(len, changed.values())])
        self.memory -= rows_cost([len(known[key]) for key in changed if key in known])
        known.update(changed)
        return changed

    def drop(self, key: str) -> None:
        """Remove a row, if it is known."""
        row = self._rows.pop(key, None)
        if row is not None:
            self.memory -= row_cost(len(row))


class Snapshot(IndexedRecords[R]):
    """The current records of a collection: a new object after every change, which signals the change.

    Lookups and counts copy nothing; iterating uses a consistent copy, and lookups after it the same one: `dict` takes
    the keys first and then each record. A copy of fifty thousand records at every change,
    for readers of a single one or of their number, was most of the cost of a beat.
    """

    __slots__ = ("_collection", "_copy", "_records", "_version")

    def __init__(self, collection: Collection[R], records: Mapping[str, R]) -> None:
        self._collection = collection
        self._version = collection.version
        self._copy: dict[str, R] | None = None
        self._records = records
        """The records of the collection, until they are copied."""

    def __getitem__(self, key: str) -> R:
        return self._records[key]

    # The one that a mapping inherits raises KeyError for each key that is not known.
    def get(self, key: str, default: Any = None, /) -> Any:
        """Return a record; `default` if it is not known."""
        return self._records.get(key, default)

    def __contains__(self, key: object) -> bool:
        return key in self._records

    def __len__(self) -> int:
        return len(self._records)

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def keys(self) -> KeysView[str]:
        """All keys at one time."""
        return self._all().keys()

    def values(self) -> ValuesView[R]:
        """All records at one time."""
        return self._all().values()

    def items(self) -> ItemsView[str, R]:
        """All records at one time, by key."""
        return self._all().items()

    def in_state(self, *states: str) -> Collected[R]:
        """Return the records in one of these states, without a search if the collection indexes them."""
        return self._collection.in_state(*states)

    def in_other_state(self, states: frozenset[str]) -> Collected[R]:
        """Return the records in none of these states, without a search if the collection indexes them."""
        return self._collection.in_other_state(states)

    def changes_after(self, earlier: object, /) -> Delta[R] | None:
        """Return at least the changes since an earlier snapshot; None if it is not one of this collection."""
        if isinstance(earlier, Snapshot):
            snapshot = cast("Snapshot[R]", earlier)
            if snapshot._collection is self._collection:
                return self._collection.delta(snapshot._version)
        return None

    def _all(self) -> dict[str, R]:
        if self._copy is None:
            self._records = self._copy = self._collection.copy()
        return self._copy


class Collection(Generic[R]):
    """Immutable records by key, with an increasing version. One thread writes, any thread reads.

    Each key is logged once, with the version of its last change, in order of change. The changes since a version are at
    the end of the log, so that reading them costs nothing for unchanged records.
    """

    def __init__(self, apart: frozenset[str] = frozenset(), states: frozenset[str] = frozenset()) -> None:
        """Create an empty collection.

        Records in the states `apart`, normalized, are indexed; those in none of `states` too, if there are any.
        """
        self._apart: dict[str, dict[str, R]] = {state: {} for state in apart}
        self._states = states
        self._others: dict[str, R] | None = {} if states else None
        """The records in none of these states."""
        self._lock = threading.Lock()
        self._records: dict[str, R] = {}
        self._log: dict[str, int] = {}
        self._gone: dict[str, int] = {}
        self._version = 0
        self._oldest = 0
        self._present: Snapshot[R] | None = None
        self._listener: Callable[[Mapping[str, R], Sequence[str] | None], object] | None = None

    @property
    def version(self) -> int:
        """Increases with every change; 0 before the first."""
        return self._version

    def __len__(self) -> int:
        return len(self._records)

    def get(self, key: str) -> R | None:
        """Return one record, or None."""
        return self._records.get(key)

    def snapshot(self) -> Snapshot[R]:
        """Return all records by key; the same object until something changes."""
        present = self._present
        if present is None:
            self._present = present = Snapshot(self, self._records)
        return present

    def copy(self) -> dict[str, R]:
        """Return a copy of the records by key."""
        with self._lock:
            return dict(self._records)

    def in_state(self, *states: str) -> list[R]:
        """Return the records in one of these states, without a search if all of them are indexed.

        States are normalized, and match all spellings.
        """
        with self._lock:
            if self._apart.keys() >= set(states):
                return [record for state in states for record in self._apart[state].values()]
            return [record for record in self._records.values() if _state(record) in states]

    def in_other_state(self, states: frozenset[str]) -> list[R]:
        """Return the records in none of these states. For the states of the index, this takes no search."""
        with self._lock:
            if self._others is not None and states == self._states:
                return list(self._others.values())
            return [record for record in self._records.values() if _state(record) not in states]

    def set_listener(self, listener: Callable[[Mapping[str, R], Sequence[str] | None], object] | None) -> None:
        """Call `listener` now with all records and None, and after each change with the new records and removed keys.

        It is called by the thread that changes something, in order, so it must not wait. None ends this.
        """
        with self._lock:
            self._listener = listener
            if listener is not None:
                listener(dict(self._records), None)

    def change(self, upserts: Mapping[str, R], removes: Iterable[str] = ()) -> bool:
        """Apply changes in one step, removals first. Return whether anything changed."""
        with self._lock:
            gone = [key for key in removes if key in self._records and key not in upserts]
            if not gone and not upserts:
                return False
            self._version += 1
            if self._apart:
                self._sort_out(upserts, gone)
            for key in gone:
                del self._records[key]
                self._log.pop(key, None)
                self._gone.pop(key, None)
                self._gone[key] = self._version
            self._records.update(upserts)
            # Removed first, so that they move to the end: a dict takes half the memory of an OrderedDict. A `map` that
            # nobody reads runs without the interpreter.
            for log in filter(None, (self._log, self._gone)):
                deque(map(log.pop, upserts, repeat(None)), 0)
            self._log.update(zip(upserts, repeat(self._version)))
            if len(upserts) > MANY and len(upserts) * 2 > len(self._records):
                self._oldest = self._version
            while len(self._gone) > GONE_KEPT:
                self._oldest = self._gone.pop(next(iter(self._gone)))
            self._present = None
            if self._listener is not None:
                self._listener(upserts, gone)
            return True

    def _sort_out(self, upserts: Mapping[str, R], gone: Iterable[str]) -> None:
        for records in filter(None, (*self._apart.values(), self._others)):
            for key in records.keys() & {*upserts, *gone}:
                del records[key]
        tables: dict[str | None, dict[str, R] | None] = {}
        for key, record in upserts.items():
            state = getattr(record, "state", None)
            if state not in tables:
                name = normalized(state or "")
                tables[state] = self._apart.get(name, None if name in self._states else self._others)
            records = tables[state]
            if records is not None:
                records[key] = record

    def delta(self, since: int) -> Delta[R]:
        """Return the changes after version `since`; everything for 0, and for a version that is too old or unknown."""
        with self._lock:
            if since == self._version:
                return Delta(version=since, whole=False)
            if since <= 0 or since > self._version or since < self._oldest:
                return Delta(version=self._version, whole=True, upserts=dict(self._records))
            upserts: dict[str, R] = {}
            records = self._records
            for key, version in reversed(self._log.items()):
                if version <= since:
                    break
                upserts[key] = records[key]
            removes: set[str] = set()
            for key, version in reversed(self._gone.items()):
                if version <= since:
                    break
                removes.add(key)
            return Delta(version=self._version, whole=False, upserts=upserts, removes=frozenset(removes))


def _state(record: Record) -> str:
    return normalized(getattr(record, "state", None) or "")
