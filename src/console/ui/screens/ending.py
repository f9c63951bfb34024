"""Exit on a signal or when the terminal is closed."""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType

from console.base.signal_pipe import SignalPipe

INTERRUPTED = 130
"""The exit code of a process that could not restore its terminal."""
GIVE_UP_SECONDS = 4.0
"""Time limit for an orderly exit: a terminal that is not read blocks its writer forever."""
HANGUP_SECONDS = 1.0
"""Interval at which the terminal is checked: one that is not the controlling terminal hangs up without a signal, and
Textual would read its end forever, with half of a processor."""


def _is_hung_up(terminal: int) -> bool:
    """Return whether nobody is at the other end of a terminal any more."""
    poll = select.poll()
    poll.register(terminal, 0)
    return any(event & select.POLLHUP for _, event in poll.poll(0))


def exit_event(last_duty: Callable[[], None]) -> threading.Event:
    """Return an event that is set when the process gets a signal to exit or its terminal hangs up.

    If the process has not exited GIVE_UP_SECONDS later, call `last_duty` and exit immediately. Must be called from the
    main thread.
    """
    exiting = threading.Event()
    signals = SignalPipe()

    def tell(_number: int, _frame: FrameType | None) -> None:
        # SIGCONT follows a hang-up. On it Textual would take over the closed terminal again.
        signal.signal(signal.SIGCONT, signal.SIG_IGN)
        signals.notify()

    def watch() -> None:
        while not signals.wait(HANGUP_SECONDS) and not _is_hung_up(sys.stdin.fileno()):
            pass
        exiting.set()
        time.sleep(GIVE_UP_SECONDS)
        last_duty()
        os._exit(INTERRUPTED)

    threading.Thread(target=watch, name="ending", daemon=True).start()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, tell)
    return exiting
