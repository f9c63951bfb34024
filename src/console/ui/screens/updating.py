"""Screens as the application knows them: updated periodically, or replaced while the terminal is too small."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.widgets import Static

from console.live.command import Ticket
from console.ui.screens import deferred
from console.ui.screens.app_context import AppContext
from console.ui.screens.repeat import KeyRepeat
from console.ui.textual_compat.backpressure import ThrottledScreen
from console.ui.widgets.message_line import MessageLine
from console.ui.widgets.top_line import TopLine

LEAST_WIDTH, LEAST_HEIGHT = 60, 16


class Updating:
    """A screen that is updated about ten times a second while it is in front."""

    def beat(self, fresh: bool, /) -> None:
        """Draw changes; `fresh` is whether data arrived since the last call."""
        raise NotImplementedError  # A screen class cannot be abstract too.


class FullScreen(ThrottledScreen[None], Updating):
    """A screen that takes the whole terminal, with a top line and a message line."""

    OVER: ClassVar[bool] = False
    """Whether the screen is opened over another, and closed on going to a third."""

    DEFAULT_CSS = """
    FullScreen { layers: default messages; }
    """

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self.context = context
        self.top_line = TopLine()
        self.message_line = MessageLine()
        self._repeat = KeyRepeat()

    def show_commands(self) -> None:
        """Show the state of the newest command, and the keys that undo it and do what follows."""
        tickets = self.context.backend.commands.tickets()
        key = self.context.key_words("view.undo") if tickets else ""
        self.message_line.show(tickets, key, self.context.clock.now_ms(), self._next_step)

    def _next_step(self, ticket: Ticket) -> tuple[str, str]:
        """Return the key and the title of what follows a command, both empty if nothing does."""
        key = self.context.key_words("view.next-step")
        following = deferred.next_steps.offer_after(self.context, ticket) if key else None
        return (key, following.action.title) if following is not None else ("", "")

    def say(self, text: str) -> None:
        """Show a notice to the operator."""
        raise NotImplementedError  # As above.


class TooSmallScreen(ModalScreen[None]):
    """Covers all other screens while the terminal is too small; they keep their state.

    No key acts on records that are not visible.
    """

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
