"""The threads in which statements wait for a database server.

There is one writer at a time, so one thread makes all changes of a process; others wait here for it, in their order.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import TypeVar

from console.service.store.faults import StorageFault

T = TypeVar("T")

READERS = 6
"""Reads at a time."""
WAIT_SECONDS = 8.0
"""Longest wait of a transaction for a thread, for its turn to write, and for a connection of the pool."""


def _retrieve(done: asyncio.Future[T]) -> None:
    """Retrieve the exception of a function. Whoever waits may have been cancelled, and asyncio would log it."""
    if not done.cancelled():
        done.exception()


class StatementThreads:
    """Threads for reads, and one for writes."""

    def __init__(self) -> None:
        self._reading = ThreadPoolExecutor(READERS, "reads")
        self._writing = ThreadPoolExecutor(1, "writes")
        self._lock = threading.Lock()
        self.waiting = 0
        """Functions that wait for a thread."""
        self.waited = 0.0
        """Seconds that functions have waited for a thread, together."""

    async def run(self, work: Callable[[], T], *, writing: bool) -> T:
        """Call a function in a thread. Raise StorageFault if no thread is free in time; then it is not called."""
        began = time.monotonic()
        with self._lock:
            self.waiting += 1

        def start() -> T:
            self._note(began)
            return work()

        future = (self._writing if writing else self._reading).submit(copy_context().run, start)
        done = asyncio.wrap_future(future)
        done.add_done_callback(_retrieve)
        await asyncio.wait([done], timeout=WAIT_SECONDS)
        if not done.done() and future.cancel():
            self._note(began)
            raise StorageFault(f"no thread was free within {WAIT_SECONDS:.0f} s")
        return await done

    def _note(self, began: float) -> None:
        """Note the end of a wait. Any thread."""
        with self._lock:
            self.waiting -= 1
            self.waited += time.monotonic() - began

    def close(self) -> None:
        """Wait for what has begun, and end the threads."""
        for threads in (self._reading, self._writing):
            threads.shutdown(wait=True, cancel_futures=True)
