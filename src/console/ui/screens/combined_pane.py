"""A list whose rows come from the records of several kinds, and the lists of the boards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from console.kinds.agents.columns import COLLEAGUES
from console.kinds.chats.columns import OWN
from console.kinds.skills.facts import skills_exact, skills_of
from console.kinds.tables import TABLES
from console.live.delta import Delta
from console.records.extent import Extent
from console.records.record import Record
from console.ui.screens.app_context import AppContext
from console.ui.screens.list_pane import ListPane
from console.views.combined import CombinedRows
from console.views.render_context import RenderContext
from console.views.table import Table
from console.views.view import Repaint


class CombinedPane(ListPane):
    """A list of a table with `combined`: the chats of all agents, or the caller's own chats."""

    def __init__(
        self, context: AppContext, table: Table[Any], *, none: Callable[[RenderContext], str] = lambda _render: ""
    ) -> None:
        """`none` returns the sentence for a list that is known to be empty."""
        super().__init__(context, table)
        self._rows = CombinedRows(table)
        self._none = none

    def _all(self) -> Mapping[str, Record]:
        """Return all records."""
        return self._rows.records(self.context.backend.records, self.context.render_context)

    def find(self, key: str) -> Record | None:
        """Return one of the records."""
        return self._all().get(key)

    @property
    def count(self) -> int:
        """The number of records."""
        return len(self._all())

    def why_empty(self) -> str:
        """Return the sentence for an empty list, once it is known to be empty."""
        return self._none(self.context.render_context()) if self.health.extent is Extent.WHOLE else ""

    def source(self) -> Repaint:
        """Return the changes among all records."""
        changed, gone = self._rows.changes(self.context.backend.records, self.context.render_context)
        delta: Delta[Any] = Delta(0, False, changed, gone)
        return self.view.apply(delta)


def _why_no_colleague(render: RenderContext) -> str:
    if skills_exact(render) and not skills_of(render.me, render):
        return "You have no skills."
    return "No colleague with your skills can take work."


def pane_of_board(context: AppContext, kind: str) -> ListPane:
    """Return the list of a board."""
    if kind == "chats":
        return CombinedPane(context, OWN, none=lambda _render: "You have no chats.")
    if kind == "agents":
        return CombinedPane(context, COLLEAGUES, none=_why_no_colleague)
    return ListPane(context, TABLES["queues"])
