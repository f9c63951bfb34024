"""One-shot timer that always fires."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.message_pump import MessagePump


def once(pump: MessagePump, seconds: float, callback: Callable[[], Any]) -> None:
    """Call back after this time.

    Textual's timers skip calls that are late. A one-shot timer that is delayed beyond its time (suspended process, busy
    machine) would never fire, and a dialog would ignore keys forever. This one fires late.
    """
    timer = pump.set_timer(seconds, callback)
    timer._skip = False  # pyright: ignore[reportPrivateUsage] - `set_timer` does not let one say it
