"""The names of the lists of one screen."""

from __future__ import annotations

from collections.abc import Sequence

from console.kinds.scope import count_words, titled
from console.screens.list_pane import ListPane
from console.views.render_context import RenderContext
from console.widgets.styled_line import Piece, StyledLine, piece
from console.widgets.theme import Part


class PaneTabs(StyledLine):
    """The names of a screen's lists with their counts, and with the current one highlighted."""

    def show(self, panes: Sequence[ListPane], current: ListPane, render: RenderContext, key: str) -> None:
        """Update the line; `key` leads to the next list."""
        counts = {pane.kind: count_words(pane.count, pane.extent) for pane in panes}
        if not self.differs(current.kind, render.role, *counts.items()):
            return
        said: list[Piece] = []
        for pane in panes:
            count, title = counts[pane.kind], pane.table.title
            words = title if count is None else titled(pane.kind, title, count, render)
            said += [piece(f" {words} ", Part.TAB if pane is current else Part.BLURRED), piece(" ")]
        self.update([*said, piece(f" {key}", Part.KEY), piece(" next list")])
