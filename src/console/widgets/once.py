"""Calling something once, a little later, whatever the machine does meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.message_pump import MessagePump


def once(pump: MessagePump, seconds: float, callback: Callable[[], Any]) -> None:
    """Call back after that time.

    Textual's own timers leave out the calls that they are late for. One that is to call once and is held up for longer
    than its time before it begins to wait (a suspended process, a busy machine) never calls: a dialog stays deaf for
    ever. Here it calls late.
    """
    timer = pump.set_timer(seconds, callback)
    timer._skip = False  # pyright: ignore[reportPrivateUsage] - `set_timer` does not let one say it
