"""Waiting for a condition, never for a time."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

T = TypeVar("T")
R = TypeVar("R")


class Threads(ThreadPoolExecutor):
    """What a loop gives to other threads, counted: none is busy any more only once the loop has been told of it."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self.busy = 0

    def submit(self, fn: Callable[..., R], /, *args: Any, **kwargs: Any) -> Future[R]:
        """Have something done."""
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


def until(condition: Callable[[], T], seconds: float = 10.0) -> T:
    """Return what the condition returns once it is true; fail after `seconds`."""
    end = time.monotonic() + seconds
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s: {condition}")
        time.sleep(0.01)


async def settled(rounds: int = 50, seconds: float = 5.0) -> None:
    """Let everything that can run without time passing run, also what was given to other threads.

    A thread that waits for something itself is waited for no longer than `seconds`.
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


async def until_async(condition: Callable[[], T], seconds: float = 10.0) -> T:
    """Return what the condition returns once it is true, letting the loop and other threads run meanwhile."""
    end = time.monotonic() + seconds
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s: {condition}")
        await asyncio.sleep(0.001)
