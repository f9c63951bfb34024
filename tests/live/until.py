"""Wait for conditions instead of fixed times."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from tests.patience import PATIENCE

T = TypeVar("T")
R = TypeVar("R")


class Threads(ThreadPoolExecutor):
    """Counts the work that a loop has given to threads and whose results the loop has not received yet."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self.busy = 0

    def submit(self, fn: Callable[..., R], /, *args: Any, **kwargs: Any) -> Future[R]:
        """Submit work to the executor and count it."""
        told: Future[R] = Future()
        with self._lock:
            self.busy += 1

        def run() -> None:
            try:
                if told.set_running_or_notify_cancel():
                    told.set_result(fn(*args, **kwargs))
            except BaseException as error:
                told.set_exception(error)
            finally:
                with self._lock:
                    self.busy -= 1

        super().submit(run)
        return told


_threads: WeakKeyDictionary[asyncio.AbstractEventLoop, Threads] = WeakKeyDictionary()


def until(condition: Callable[[], T], seconds: float = PATIENCE) -> T:
    """Return the value of `condition` once it is true; fail after `seconds`."""
    end = time.monotonic() + seconds
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s: {condition}")
        time.sleep(0.01)


async def settled(rounds: int = 50, seconds: float = PATIENCE) -> None:
    """Run everything that can run without time passing, including work given to threads.

    Waits at most `seconds` for a thread that itself waits.
    """
    loop = asyncio.get_running_loop()
    threads = _threads.get(loop)
    if threads is None:
        threads = _threads[loop] = Threads()
        loop.set_default_executor(threads)
    end = time.monotonic() + seconds
    while True:
        for _ in range(rounds):
            await asyncio.sleep(0)
        if not threads.busy or time.monotonic() > end:
            return
        await asyncio.sleep(0.0005)


async def until_async(condition: Callable[[], T], seconds: float = PATIENCE) -> T:
    """Return the value of `condition` once it is true, running the loop and threads meanwhile."""
    end = time.monotonic() + seconds
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s: {condition}")
        await asyncio.sleep(0.001)
