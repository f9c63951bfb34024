"""Values derived from the records of a kind, computed again only when they change."""

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


def by_value(kind: str, record: type[R], value: Callable[[R], str | None]) -> Derived[Mapping[str | None, Sequence[R]]]:
    """Return the records of a kind by a value other than the key, in their order, without those that have none."""

    def index(render: RenderContext) -> dict[str | None, list[R]]:
        made: dict[str | None, list[R]] = {}
        for each in render.lookup(kind).values():
            if isinstance(each, record) and (found := value(each)):
                made.setdefault(found, []).append(each)
        return made

    return Derived(kind, index)
