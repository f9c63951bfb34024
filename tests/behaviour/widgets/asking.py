"""An app that opens one dialog after the other and keeps the answer of the last."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from textual.pilot import Pilot
from textual.screen import ModalScreen
from textual.widgets import Label

from console.ui.dialogs.dialog import Dialog
from console.ui.textual_compat.testing import painted

from .sample_calls import Harness

OPEN = "nothing yet"


class Asked(Harness):
    """The app with the dialog opened last and its answer."""

    dialog: Dialog[Any]

    def __init__(self) -> None:
        super().__init__(Label("below"))
        self.animation_level = "none"
        self.answer: Any = OPEN

    @asynccontextmanager
    async def opened(
        self, pilot: Pilot[Any], dialog: Dialog[Any], size: tuple[int, int] = (80, 24), *, early: bool = False
    ) -> AsyncGenerator[tuple[Asked, Pilot[Any]]]:
        """Open a dialog, wait until it accepts keys, or only until it is there with `early`, and close it."""

        def keep(answer: Any) -> None:
            self.answer = answer

        if self.size != size:
            await pilot.resize_terminal(*size)
        self.dialog, self.answer = dialog, OPEN
        self.push_screen(dialog, keep)
        await until(pilot, lambda: dialog.listening or (early and self.screen is dialog and dialog.is_mounted))
        await pilot.pause()
        try:
            yield self, pilot
        finally:
            while len(self.screen_stack) > 1:
                await self.pop_screen()

    def top(self) -> ModalScreen[Any]:
        assert isinstance(self.screen, ModalScreen)
        return self.screen


Asking = Callable[..., AbstractAsyncContextManager[tuple[Asked, Pilot[Any]]]]
"""`Asked.opened` without its pilot."""


async def until(pilot: Pilot[Any], holds: Callable[[], bool]) -> None:
    """Wait for a condition."""
    while not holds():
        await pilot.pause(0.01)


def text_of(app: Asked) -> str:
    """Return the text of the screen."""
    return "\n".join(strip.text.rstrip() for strip in painted(app.screen))
