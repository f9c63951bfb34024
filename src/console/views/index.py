"""What is derived from the records of a kind, and derived again only when they change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

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


class Index(Generic[R]):
    """The records of a kind by a value other than the key."""

    def __init__(self, kind: str, record: type[R], by: Callable[[R], str | None]) -> None:
        def by_value(render: RenderContext) -> dict[str, list[R]]:
            made: dict[str, list[R]] = {}
            for each in render.lookup(kind).values():
                if isinstance(each, record):
                    made.setdefault(by(each) or "", []).append(each)
            return made

        self._by_value = Derived(kind, by_value)

    def of(self, value: str | None, render: RenderContext) -> Sequence[R]:
        """Return the records with a value, in their order."""
        return self._by_value.of(render).get(value or "", ()) if value else ()
