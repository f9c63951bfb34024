"""Values derived from the records of a kind, and records by values: neither is searched for while nothing changes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Generic, TypeVar, cast

from console.records.indexed import IndexedRecords
from console.records.record import Record
from console.views.render_context import RenderContext

R = TypeVar("R", bound=Record)
T = TypeVar("T")


class Derived(Generic[T]):
    """A value that depends on the records of one kind alone. May be used by several threads."""

    def __init__(self, kind: str, derive: Callable[[RenderContext], T]) -> None:
        self._kind = kind
        self._derive = derive
        # A single tuple, so that other threads see either the old or the new value completely.
        self._made: tuple[Mapping[str, Record], T] | None = None

    def of(self, render: RenderContext) -> T:
        """Return the value for the current records."""
        known, made = render.lookup(self._kind), self._made
        if made is None or known is not made[0]:
            self._made = made = (known, self._derive(render))
        return made[1]


def every_list_readable(kind: str, field: str) -> Derived[bool]:
    """Derive whether a list, such as the members of groups, could be read in all known records of a kind."""
    return Derived(kind, lambda render: not any(record.unread(field) for record in render.lookup(kind).values()))


class Index(Generic[R]):
    """The records of a kind by values other than the key. May be used by several threads.

    Only what changed since the last use is read again, so that a detail costs the same beside ten thousand records.
    """

    def __init__(self, kind: str, values: Callable[[R], Iterable[str | None]]) -> None:
        """Index by each of the `values` of a record, without None and empty texts."""
        self._kind = kind
        self._values_of = values
        self._lock = threading.Lock()
        self._known: Mapping[str, Record] | None = None
        self._values: dict[str, tuple[str, ...]] = {}
        self._records: dict[str, dict[str, R]] = {}

    def of(self, render: RenderContext) -> Mapping[str | None, Mapping[str, R]]:
        """Return the current records by value and key. Later uses change them: copy what you iterate over."""
        known = render.lookup(self._kind)
        with self._lock:
            if known is not self._known:
                self._follow(known)
        return cast("Mapping[str | None, Mapping[str, R]]", self._records)

    def any_of(self, render: RenderContext, *values: str | None) -> list[R]:
        """Return the records with any of these values, in no particular order."""
        by_value = self.of(render)
        return [*{key: record for value in values for key, record in [*by_value.get(value, {}).items()]}.values()]

    def _follow(self, known: Mapping[str, Record]) -> None:
        """Take the changes since the last use."""
        changes = known.changes_after(self._known) if isinstance(known, IndexedRecords) else None
        self._known = known
        if changes is None or changes.whole:
            self._values, self._records = {}, {}
        for key in () if changes is None else changes.removes:
            self._leave(key, self._values.pop(key, ()))
        for key, record in cast("Mapping[str, R]", known if changes is None else changes.upserts).items():
            values = tuple(filter(None, dict.fromkeys(self._values_of(record))))
            before = self._values.get(key, ())
            if values != before:
                self._leave(key, before)
                self._values[key] = values
            for value in values:
                self._records.setdefault(value, {})[key] = record

    def _leave(self, key: str, values: tuple[str, ...]) -> None:
        for value in values:
            records = self._records[value]
            del records[key]
            if not records:
                del self._records[value]
