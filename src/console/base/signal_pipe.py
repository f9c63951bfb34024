"""Pass signals to a thread. A handler may run while its thread holds any lock, even of an event that it sets."""

from __future__ import annotations

import os
import select
from contextlib import suppress


class SignalPipe:
    """A pipe into which handlers of signals write. It stays open for the life of the process."""

    def __init__(self) -> None:
        """Open the pipe."""
        self._reader, self._writer = os.pipe()
        os.set_blocking(self._writer, False)

    def notify(self) -> None:
        """Wake those who wait, now and later. A handler of signals may call it."""
        with suppress(BlockingIOError):  # enough was written
            os.write(self._writer, b"\0")

    def wait(self, seconds: float) -> bool:
        """Return whether `notify` was called, after at most this time."""
        poll = select.poll()
        poll.register(self._reader, select.POLLIN)
        return bool(poll.poll(1000 * seconds))
