"""The base of lists that a kind computes from other lists, in its `derived.py`."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from console.kinds.catalogue import DERIVED
from console.live.backend_api import ListsApi
from console.live.derived import DerivedList
from console.records.record import Record

if TYPE_CHECKING:
    from console.views.render_context import RenderContext

R = TypeVar("R", bound=Record)


class DerivedKind(DerivedList[R], ABC):
    """A computed list. `derived.py` has its class as `LIST`; the registration names the kinds that it reads."""

    def __init__(self, kind: str, backend: ListsApi, render: Callable[[], RenderContext]) -> None:
        """Create an empty list. `backend` has the changes and the freshness of the other lists."""
        super().__init__(kind, DERIVED[kind].derived)
        self.backend = backend
        self.render = render


def derived_lists(backend: ListsApi, render: Callable[[], RenderContext]) -> list[DerivedKind[Record]]:
    """Create the computed lists of all kinds, for `Backend.derive`."""
    return [kind.load_derived()(kind.name, backend, render) for kind in DERIVED.values()]
