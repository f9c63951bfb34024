"""The dialog while something is read that an action asks about, such as the current values of a form."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from textual.app import ComposeResult

from console.ui.dialogs.dialog import Dialog, KeyButton, Words
from console.ui.widgets.tones import styled


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
