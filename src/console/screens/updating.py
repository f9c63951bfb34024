"""The bases of screens that change by themselves."""

from __future__ import annotations

from console.screens.app_context import AppContext
from console.screens.repeat import KeyRepeat
from console.widgets.backpressure import ThrottledScreen
from console.widgets.top_line import TopLine


class Updating:
    """A screen that is brought up to date about ten times a second while it is in front."""

    def beat(self, fresh: bool, /) -> None:
        """Draw what changed; `fresh` says whether anything arrived since the last beat."""
        raise NotImplementedError


class FullScreen(ThrottledScreen[None], Updating):
    """A screen that takes the whole terminal: its first line is the top line, and one of its lines is for notices."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self.context = context
        self.top_line = TopLine()
        self._repeat = KeyRepeat()

    def say(self, words: str) -> None:
        """Show a notice to the operator."""
        raise NotImplementedError
