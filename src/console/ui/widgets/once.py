"""One-shot timer that always fires."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from textual.message_pump import MessagePump


def once(pump: MessagePump, seconds: float, callback: Callable[[], Any]) -> None:
    """Call back after this time, unless the widget, screen or application has been closed.

    Textual's timers skip calls that are late. A one-shot timer that is delayed beyond its time (suspended process, busy
    machine) would never fire, and a dialog would ignore keys forever. This one fires late.
    """
    asyncio.get_running_loop().call_later(seconds, pump.call_later, callback)
