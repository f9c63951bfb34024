"""How the console ends when it is told to from outside: by a signal, or because its terminal is gone."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from types import FrameType

INTERRUPTED = 130
"""The exit code of a process that had to give up on its terminal."""
GIVE_UP_SECONDS = 4.0
"""How long leaving in good order may take. A terminal that nobody reads holds up whoever writes to it, for ever."""


def told_by_signals(last_duty: Callable[[], None]) -> threading.Event:
    """Return an event that is set when the process is told to end, or the terminal hangs up; then it must.

    If it has not ended GIVE_UP_SECONDS later, `last_duty` is done and it ends as it is. Call it from the main thread.
    """
    told = threading.Event()

    def tell(_number: int, _frame: FrameType | None) -> None:
        # A hang-up is followed by this one, at which Textual would take the terminal anew that has just gone.
        signal.signal(signal.SIGCONT, signal.SIG_IGN)
        told.set()

    def watch() -> None:
        told.wait()
        time.sleep(GIVE_UP_SECONDS)
        last_duty()
        os._exit(INTERRUPTED)

    threading.Thread(target=watch, name="ending", daemon=True).start()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, tell)
    return told
