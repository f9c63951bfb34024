"""The line of a form that says what to enter."""

from __future__ import annotations

from textual.app import RenderResult
from textual.widget import Widget

from console.base.text import SafeText, clean, fit
from console.ui.widgets.tones import styled
from console.views.cell import Tone


class HintLine(Widget):
    """One line below the fields: what to enter in the field in focus."""

    DEFAULT_CSS = "HintLine { height: 1; margin-top: 1; }"

    def __init__(self) -> None:
        super().__init__()
        self._text = clean("")

    def show(self, text: SafeText) -> None:
        """Replace the text."""
        self._text = text
        self.refresh()

    def render(self) -> RenderResult:
        """Paint the text, shortened to the line."""
        return styled(fit(self._text, self.size.width), Tone.QUIET)
