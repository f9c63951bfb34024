"""The context in which the cells of a list were read, and whether they may have other texts now."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

from console.base.frozen import replace
from console.views.render_context import RenderContext

T = TypeVar("T")


class _Lookups(dict[str, T]):
    """The answers of a function, which is called once for each kind."""

    def __init__(self, look: Callable[[str], T], earlier: dict[str, T]) -> None:
        """Note answers for other kinds than `earlier` ones there."""
        self._look, self._earlier = look, earlier

    def __missing__(self, kind: str) -> T:
        answer = self[kind] = self._look(kind)
        self._earlier.setdefault(kind, answer)
        return answer


class ReadContext:
    """Notes on what cells depend besides their records: other lists, the caller, the configuration and the day."""

    def __init__(self) -> None:
        """Begin without cells."""
        self._lists: dict[str, object] = {}
        self._extents: dict[str, object] = {}
        self._rest: RenderContext | None = None

    def noting(self, render: RenderContext) -> RenderContext:
        """Return the context for reading cells. It looks each list up once, and notes it as it is now."""
        if self._rest is None:
            self._rest = _rest(render)
        lists, extents = _Lookups(render.lookup, self._lists), _Lookups(render.extent, self._extents)
        return replace(render, lookup=lists.__getitem__, extent=extents.__getitem__)

    def has_changed(self, render: RenderContext) -> bool:
        """Return whether anything noted is different now, and note it as it is now."""
        before = self._lists, self._extents, self._rest
        self._lists = {kind: render.lookup(kind) for kind in self._lists}
        self._extents = {kind: render.extent(kind) for kind in self._extents}
        self._rest = _rest(render)
        same = all(known is before[0][kind] for kind, known in self._lists.items())
        return not same or before[1:] != (self._extents, self._rest)


def _rest(render: RenderContext) -> RenderContext:
    """Return the context with its day instead of its time: moments are written with their date on other days."""
    return replace(render, now_ms=datetime.fromtimestamp(render.now_ms / 1000, render.zone).toordinal())
