"""The screen for terminals that are too small. No key acts on records that are not visible."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.widgets import Static

LEAST_WIDTH, LEAST_HEIGHT = 60, 16


class TooSmallScreen(ModalScreen[None]):
    """Covers all other screens while the terminal is too small; they keep their state."""

    DEFAULT_CSS = """
    TooSmallScreen { align: center middle; background: $background; }
    TooSmallScreen > Static { width: auto; max-width: 100%; height: auto; text-align: center; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [("q", "app.quit", "quit")]

    def compose(self) -> ComposeResult:
        """Show the sentence."""
        yield Static("This terminal is too small.\n60 columns and 16 lines are needed.")

    @staticmethod
    def needed(size: Size) -> bool:
        """Return whether a terminal of this size is too small."""
        return size.width < LEAST_WIDTH or size.height < LEAST_HEIGHT
