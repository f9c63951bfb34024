"""Finding records of another kind by something else than their key, without going through all of them each time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

from console.records.record import Record
from console.tables.sight import Sight

R = TypeVar("R", bound=Record)


class Index(Generic[R]):
    """The records of a kind by a value of theirs; made anew when other records are known."""

    def __init__(self, kind: str, record: type[R], by: Callable[[R], str | None]) -> None:
        self._kind = kind
        self._record = record
        self._by = by
        self._known: Mapping[str, Record] = {}
        self._found: dict[str, list[R]] = {}

    def of(self, value: str | None, sight: Sight) -> Sequence[R]:
        """Return the records that have a value, in the order in which they are known."""
        known = sight.known(self._kind)
        if known is not self._known:
            self._known, self._found = known, {}
            for each in known.values():
                if isinstance(each, self._record):
                    self._found.setdefault(self._by(each) or "", []).append(each)
        return self._found.get(value or "", ()) if value else ()
