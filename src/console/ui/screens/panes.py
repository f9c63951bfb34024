"""The lists of a screen: the line with their names, and the shown records that no action on several can take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textual import events
from textual.message import Message

from console.commands.action import Situation
from console.commands.guards import blocked
from console.kinds.actions import for_kind
from console.kinds.scope import count_words, titled
from console.records.extent import Extent
from console.ui.screens.app_context import AppContext
from console.ui.screens.list_pane import ListPane
from console.ui.widgets.styled_line import Piece, StyledLine, piece, width_of
from console.ui.widgets.theme import ScreenPart


class PaneTabs(StyledLine):
    """The names of a screen's lists with their counts, and with the current one highlighted. They can be clicked."""

    class Chosen(Message):
        """A list was clicked."""

        def __init__(self, kind: str) -> None:
            super().__init__()
            self.kind = kind

    def __init__(self) -> None:
        super().__init__()
        self._spans: list[tuple[int, int, str]] = []

    def show(self, panes: Sequence[ListPane], current: ListPane, context: AppContext) -> None:
        """Update the line, with the key that leads to the next list if there are several."""
        render, key = context.render_context(), context.key_words("view.pane")
        counts = {pane.kind: _count_of(pane) for pane in panes}
        if not self.differs(current.kind, render.role, *counts.items()):
            return
        pieces: list[Piece] = []
        spans: list[tuple[int, int, str]] = []
        for pane in panes:
            count, title = counts[pane.kind], pane.table.title
            text = title if count is None else titled(pane.kind, title, count, render)
            start = width_of(pieces)
            pieces += [piece(f" {text} ", ScreenPart.TAB if pane is current else ScreenPart.BLURRED), piece(" ")]
            spans.append((start, width_of(pieces) - 1, pane.kind))
        self._spans = spans
        if len(panes) > 1:
            pieces += [piece(f" {key}", ScreenPart.KEY), piece(" next list")]
        self.update(pieces)

    def on_click(self, event: events.Click) -> None:
        """Report the clicked list."""
        for start, end, kind in self._spans:
            if start <= event.x - 1 < end:
                self.post_message(self.Chosen(kind))


def _count_of(pane: ListPane) -> str | None:
    extent = pane.extent
    return count_words(pane.count, extent, pane.health.total if extent is Extent.PART else None)


def refused_by_all(pane: ListPane, situation: Situation) -> Mapping[str, str]:
    """Return the shown records that every action on several refuses, by key with the reason; empty if these are all."""
    actions = [action for action in for_kind(pane.kind) if action.kind == pane.kind and action.needs == "many"]
    refused: dict[str, str] = {}
    for key in pane.view.keys if actions else ():
        record = pane.view.record(key)
        reasons = [blocked(action, situation, [record]) for action in actions] if record is not None else []
        if reasons and all(reasons):
            refused[key] = reasons[0] or ""
    return refused if len(refused) < len(pane.view.keys) else {}
