"""Backpressure: draw no faster than the terminal reads, and skip frames in between.

Output is queued until the terminal reads it. At 64 kbit/s, the queue would grow to thirty frames, which the terminal
shows for seconds before the latest one. Therefore no frame is drawn while output is queued; changes stay marked, and
are drawn together when the queue is empty. On a fast line nothing is delayed.
"""

from __future__ import annotations

from typing import Any

from textual.drivers.linux_driver import LinuxDriver
from textual.screen import Screen, ScreenResultType

from console.widgets.occlusion import CellsCompositor
from console.widgets.theme import app_of


class ThrottledScreen(Screen[ScreenResultType]):
    """Base class of screens that change without input."""

    def __init__(self) -> None:
        super().__init__()
        # Textual has no other way to set it; a test checks the output.
        self._compositor = CellsCompositor()

    def _on_timer_update(self) -> None:
        """Draw the changes unless output is queued; the timer retries."""
        if not output_waits(self):
            super()._on_timer_update()


def output_waits(screen: Screen[Any]) -> bool:
    """Return whether the terminal has not read all output. The only place that accesses Textual's output queue."""
    # Textual has no public access to the driver or its queue. A test checks both.
    driver = app_of(screen)._driver  # pyright: ignore[reportPrivateUsage] - no public way
    if not isinstance(driver, LinuxDriver):
        return False
    writer = driver._writer_thread  # pyright: ignore[reportPrivateUsage] - no public way
    return writer is not None and writer._queue.qsize() > 0  # pyright: ignore[reportPrivateUsage] - no public way
