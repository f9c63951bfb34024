"""Drawing no faster than the terminal takes it: what was drawn in between is never sent, only how it stands at last.

Whatever is drawn waits in a queue for the terminal to read it. On a line of 64 kbit/s the queue would grow to thirty
frames, each of which has to be looked at before the newest one, for seconds. A frame is so left out while output waits;
what changed stays marked, and is drawn together as soon as the queue is empty. On a fast line nothing ever waits.
"""

from __future__ import annotations

from typing import Any

from textual.drivers.linux_driver import LinuxDriver
from textual.screen import Screen, ScreenResultType

from console.widgets.occlusion import CellsCompositor
from console.widgets.theme import app_of


class ThrottledScreen(Screen[ScreenResultType]):
    """The base of screens that change by themselves."""

    def __init__(self) -> None:
        super().__init__()
        # Textual has no other way to choose it; a test reads what is sent.
        self._compositor = CellsCompositor()

    def _on_timer_update(self) -> None:
        """Draw what changed, unless output waits: the timer goes on until it has been drawn."""
        if not output_waits(self):
            super()._on_timer_update()


def output_waits(screen: Screen[Any]) -> bool:
    """Say whether the terminal has not taken yet what it was sent. Nothing else knows of Textual's queue for output."""
    # Textual has no public way to reach the driver or its queue. A test checks that both are what this expects.
    driver = app_of(screen)._driver  # pyright: ignore[reportPrivateUsage] - no public way
    if not isinstance(driver, LinuxDriver):
        return False
    writer = driver._writer_thread  # pyright: ignore[reportPrivateUsage] - no public way
    return writer is not None and writer._queue.qsize() > 0  # pyright: ignore[reportPrivateUsage] - no public way
