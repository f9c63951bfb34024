"""Lists that are loaded page by page while they are shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from console.api.errors import NotOffered
from console.api.listed import record_type
from console.base.text import clean
from console.kinds.catalogue import FEEDS, RESOURCES
from console.kinds.resource import Resource
from console.kinds.resources import list_of, operations_of
from console.kinds.tables import TABLES
from console.live.delta import Health
from console.live.paged_list import PagedList
from console.records.extent import Extent
from console.records.record import Record
from console.ui.screens.app_context import AppContext
from console.ui.screens.list_pane import ListPane
from console.ui.widgets.styled_line import Piece, piece, pieces
from console.views.cell import Tone
from console.views.plain import plain_table, titled
from console.views.view import Repaint
from console.views.wording import in_sentence

_AHEAD = 30
"""The number of rows below the cursor at which the next page is requested."""


def paged_list(context: AppContext, resource: Resource, *, whole: bool = False) -> PagedList:
    """Return the list of a resource. If the deployment has none, it is empty and gives the reason."""
    try:
        found = PagedList(context.store, resource.name, list_of(resource, context.lacks), whole=whole)
        found.filters = dict(resource.asks)
        return found
    except NotOffered as error:
        return PagedList(context.store, resource.name, None, lacking=error.reason)


class BrowserPane(ListPane):
    """The rows of a resource, loaded while the list is shown, and more of them as the cursor nears the end."""

    def __init__(self, context: AppContext, resource: Resource) -> None:
        self.resource = resource
        self.pages = context.store.displayed[resource.name] = paged_list(context, resource)
        record = record_type(self.pages.lists) if self.pages.lists is not None else Record
        self._places: dict[str, int] = {}
        table = TABLES.get(resource.name) or plain_table(
            resource.name,
            resource.title,
            resource.one,
            record,
            resource.shown,
            lambda each: self._places.get(each.key, 0),
        )
        super().__init__(context, table)
        self._beside = [kind for kind in table.follows if kind not in FEEDS and kind in RESOURCES]

    # -- requests --------------------------------------------------------------------------------------------------

    def narrow(self, filters: Mapping[str, Any]) -> None:
        """Set the filters that are sent to the service."""
        self.pages.narrow(filters)
        self.scope_words = clean("  ".join(f"{titled(name)} {value}" for name, value in filters.items()), 70) or None

    def again(self) -> None:
        """Load the rows again, with the lists that they depend on."""
        self.pages.again()
        for companion in self._companions():
            companion.again()

    def source(self) -> tuple[Repaint, Health]:
        """Return the changes, and request the next page if needed."""
        for companion in self._companions():
            companion.delta()
        index = self.view.index(self.view.cursor_key)
        delta = self.pages.delta(further=index is not None and index >= self.view.matched - _AHEAD)
        if delta is None:
            return Repaint(), self.health
        self._places = {key: place for place, key in enumerate(self.pages.rows)}
        return self.view.apply(delta), self.health

    def _companions(self) -> Iterator[PagedList]:
        """Yield the lists that these rows depend on: the mappings that use an identity, the parents of a domain."""
        companions = self.context.store.companions
        for kind in self._beside:
            if kind not in companions:
                companions[kind] = paged_list(self.context, RESOURCES[kind], whole=True)
            yield companions[kind]

    @property
    def health(self) -> Health:
        """The freshness of the rows."""
        return self.pages.health

    @property
    def extent(self) -> Extent:
        """How much of the list was read so far."""
        return self.pages.extent

    @property
    def count(self) -> int:
        """The number of rows read so far."""
        return len(self.pages.rows)

    def find(self, key: str) -> Record | None:
        """Return a row as last received."""
        return self.view.record(key)

    # -- texts -----------------------------------------------------------------------------------------------------

    def totals(self) -> list[Piece]:
        """Return the number of rows, and how many are loaded."""
        loaded, total, title = self.view.total, self.pages.total, in_sentence(self.table.title)
        figures = pieces(self.view.totals())
        if total is not None and total > loaded:
            said = [piece(f"{loaded} of {total} {title}", Tone.STRONG)]
            return [*said, piece(" so far", Tone.QUIET), *figures[1:]] if figures else said
        if loaded and self.pages.has_more:
            return [piece(f"first {loaded} {title}", Tone.STRONG), *figures[1:]]
        return figures or [piece(f"{loaded} {title}", Tone.STRONG)]

    def why_empty(self) -> str:
        """Return what is needed before rows can be listed."""
        if not self.resource.lists:
            done = "; ".join(
                in_sentence(operation.operation.title.rstrip(".")) for operation in operations_of(self.resource)[:4]
            )
            press = self.context.press("admin.menu", "choose an action")
            return f"The service cannot list these. {press} The actions: {done}."
        if self.pages.missing:
            wanted = ", ".join(in_sentence(titled(value)) for value in self.pages.missing)
            return self.context.press("view.open", f"fill in: {wanted}")
        return ""
