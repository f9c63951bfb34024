"""Backpressure: draw no faster than the terminal reads, and skip frames in between.

Output is queued until the terminal reads it. At 64 kbit/s, the queue would grow to thirty frames, which the terminal
shows for seconds before the latest one. Therefore no frame is drawn while output is queued; changes stay marked, and
are drawn together when the queue is empty. On a fast line nothing is delayed.

Needs the timer of a screen and the queue of the thread that writes. Without them, every frame is queued.
"""

from __future__ import annotations

from typing import Any

from textual.app import App
from textual.screen import Screen, ScreenResultType

from console.ui.textual_compat import use_compositor
from console.ui.textual_compat.pieces import has, takes, works
from console.ui.textual_compat.stylesheet import StylesKept
from console.ui.widgets.theme import app_of


def check() -> None:
    """Raise Gone if Textual has no such timer, driver, thread or queue."""
    # Private: missing modules are a reason to do without this piece.
    from textual.drivers import _writer_thread, linux_driver

    takes(Screen, "_on_timer_update")
    has(App, "_driver")
    has(linux_driver.LinuxDriver, "_writer_thread")
    has(_writer_thread.WriterThread, "_queue")


class ThrottledScreen(StylesKept, Screen[ScreenResultType]):
    """Base class of screens that change without input."""

    def __init__(self) -> None:
        super().__init__()
        use_compositor(self)

    def _on_timer_update(self) -> None:
        """Draw the changes unless output is queued; the timer retries."""
        if not output_waits(self):
            super()._on_timer_update()


def output_waits(screen: Screen[Any]) -> bool:
    """Return whether the terminal has not read all output; False if that cannot be known."""
    if not works("backpressure"):
        return False
    app: Any = app_of(screen)
    # Only a driver of a real terminal has a thread that writes.
    writer = getattr(app._driver, "_writer_thread", None)
    return writer is not None and writer._queue.qsize() > 0
