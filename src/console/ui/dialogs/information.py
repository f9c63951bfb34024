"""Dialogs that ask nothing: the keys of a screen, and the wait for what an action reads first."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from textual import events
from textual.app import ComposeResult

from console.ui.dialogs.dialog import Dialog, KeyButton, Words
from console.ui.widgets.detail_pane import DetailPane
from console.ui.widgets.tones import styled
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


class ReadingDialog(Dialog[None]):
    """Covers the list while something is read. It closes by itself; the keys are handled by `KeyQueueApp`."""

    WIDTH = 40

    def __init__(self, answer: asyncio.Future[Any]) -> None:
        super().__init__("Reading…")
        self._answer = answer
        answer.add_done_callback(self._close)

    def body(self) -> ComposeResult:
        """Say what is waited for."""
        yield Words(styled("Waiting for the service."))

    def buttons(self) -> Iterable[KeyButton]:
        """Return the button that cancels."""
        yield KeyButton("escape", "esc", "Cancel")

    def leave(self) -> None:
        """Cancel, which closes the dialog."""
        self._answer.cancel()

    def on_screen_resume(self) -> None:
        """Close if the answer arrived while another screen was in front."""
        if self._answer.done():
            self.dismiss(None)

    def _close(self, _answer: asyncio.Future[Any]) -> None:
        self.dismiss(None)
