"""Exit after an internal error without Textual's report, which shows all local values, including passwords.

Needs the method that Textual calls after an error, and the error. Without them, the report is discarded, and the cause
is unknown.
"""

from __future__ import annotations

from typing import Any

from rich.console import Console, RenderableType
from textual.app import App

from console.ui.textual_compat.pieces import has, takes, works


def check() -> None:
    """Raise Gone if Textual handles errors in another way."""
    takes(App, "_fatal_error")
    has(App, "_exception", "_exit")


class QuietFailure(App[None]):
    """An application that keeps the error that ended it."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self._fault: Exception | None = None
        self.error_console = Console(stderr=True, quiet=True)

    @property
    def fault(self) -> Exception | None:
        """The internal error that ended the application."""
        if self._fault is None and self.return_code and not works("failure"):
            return RuntimeError("the user interface failed")
        return self._fault

    def _fatal_error(self) -> None:
        """Exit after an internal error. Errors of screens that are still opening during the exit are ignored."""
        if works("failure"):
            self._fault = None if self._exit else self._exception
            super().panic()
        else:
            super()._fatal_error()

    def panic(self, *renderables: RenderableType) -> None:
        """Exit after an error with its own message, or if the terminal cannot be read."""
        own: Any = renderables[0] if renderables else None
        if self._fault is None:
            self._fault = own if isinstance(own, Exception) else OSError("the terminal can no longer be read")
        super().panic()
