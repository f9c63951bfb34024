"""Index of the records of a kind by a value other than the key."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

from console.records.record import Record
from console.views.render_context import RenderContext

R = TypeVar("R", bound=Record)


class Index(Generic[R]):
    """The records of a kind by one of their values; rebuilt when the records change."""

    def __init__(self, kind: str, record: type[R], by: Callable[[R], str | None]) -> None:
        self._kind = kind
        self._record = record
        self._by = by
        # A single tuple, so that other threads see either the old or the new index completely.
        self._made: tuple[Mapping[str, Record], dict[str, list[R]]] = ({}, {})

    def of(self, value: str | None, render: RenderContext) -> Sequence[R]:
        """Return the records with a value, in their order."""
        known = render.lookup(self._kind)
        made_of, found = self._made
        if known is not made_of:
            made: dict[str, list[R]] = {}
            for each in known.values():
                if isinstance(each, self._record):
                    made.setdefault(self._by(each) or "", []).append(each)
            self._made = (known, made)
            found = made
        return found.get(value or "", ()) if value else ()
