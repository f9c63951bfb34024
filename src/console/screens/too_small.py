"""What is shown where there is no room to work: a sentence instead of a ruin. No key acts on what cannot be seen."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.widgets import Static

LEAST_WIDTH, LEAST_HEIGHT = 60, 16


class TooSmallScreen(ModalScreen[None]):
    """Stands before everything else while the terminal is too small; what is beneath stays as it was."""

    DEFAULT_CSS = """
    TooSmallScreen { align: center middle; background: $background; }
    TooSmallScreen > Static { width: auto; max-width: 100%; height: auto; text-align: center; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [("q", "app.quit", "quit")]

    def compose(self) -> ComposeResult:
        """Say what is needed."""
        yield Static("This terminal is too small.\n60 columns and 16 lines are needed.")

    @staticmethod
    def needed(size: Size) -> bool:
        """Say whether a terminal of this size is too small."""
        return size.width < LEAST_WIDTH or size.height < LEAST_HEIGHT
