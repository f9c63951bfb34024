"""The dialog that shows every key of a screen."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from textual import events
from textual.app import ComposeResult

from console.views.cell import Line, Section
from console.widgets.detail_pane import DetailPane
from console.widgets.dialogs.dialog import Dialog, KeyButton


class HelpDialog(Dialog[None]):
    """Lines to read and scroll; Enter and the keys in `closing` close it as Escape does."""

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
        """Give the way out."""
        yield KeyButton("escape", "esc", "Close", first=True)

    def tell(self, lines: Sequence[Line]) -> None:
        """Show these lines in place of those before, scrolled to where it was."""
        self._lines = tuple(lines)
        self._pane.show("help", (Section("help", "Help", self._lines),))
        self._pane.styles.height = max(3, min(len(self._lines) + 1, self.size.height - 8))

    def on_resize(self, event: events.Resize) -> None:
        """Take what height there is, and no more than is needed."""
        super().on_resize(event)
        self.tell(self._lines)

    def begin(self) -> None:
        """Let it be scrolled."""
        self._pane.focus()

    def on_mount(self) -> None:
        """Show the lines before keys count."""
        super().on_mount()
        self.tell(self._lines)

    def pressed(self, key: str, character: str | None) -> bool:
        """Close on what one presses to be rid of it."""
        if key == "enter" or key in self._closed_by:
            self.dismiss(None)
            return True
        return False
