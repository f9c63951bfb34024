"""Dialog with all keys of a screen."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from textual import events
from textual.app import ComposeResult

from console.ui.dialogs.dialog import Dialog, KeyButton
from console.ui.widgets.detail_pane import DetailPane
from console.views.cell import Line, Section


class HelpDialog(Dialog[None]):
    """Lines to scroll; Enter and the keys in `closing` close it like Escape."""

    WIDTH = 100
    DEFAULT_CSS = """
    HelpDialog DetailPane { background: $surface; height: 20; }
    """

    def __init__(self, title: str, lines: Sequence[Line], closing: Collection[str] = ()) -> None:
        super().__init__(title)
        self._lines = tuple(lines)
        self._closed_by = closing
        self._pane = DetailPane()

    def body(self) -> ComposeResult:
        """Lay out the lines."""
        yield self._pane

    def buttons(self) -> Iterable[KeyButton]:
        """Return the close button."""
        yield KeyButton("escape", "esc", "Close")

    def tell(self, lines: Sequence[Line]) -> None:
        """Replace the lines, keeping the scroll position."""
        self._lines = tuple(lines)
        self._pane.show("help", (Section("help", "Help", self._lines),))
        self._pane.styles.height = max(3, min(len(self._lines) + 1, self.size.height - 8))

    def on_resize(self, event: events.Resize) -> None:
        """Use the available height, up to that of the content."""
        super().on_resize(event)
        self.tell(self._lines)

    def begin(self) -> None:
        """Focus the lines for scrolling."""
        self._pane.focus()

    def on_mount(self) -> None:
        """Show the lines before keys are accepted."""
        super().on_mount()
        self.tell(self._lines)

    def pressed(self, key: str, character: str | None) -> bool:
        """Close on any of the closing keys."""
        if key == "enter" or key in self._closed_by:
            self.dismiss(None)
            return True
        return False
