"""Work of a screen in a thread of its own, such as reading a recording, which may take seconds."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Stopped(Exception):
    """Nobody waits for the result any more."""


class Background(Generic[T]):
    """One computation, whose result a beat takes. Nothing waits for it, not even the end of the console."""

    def __init__(self, name: str, work: Callable[[Background[T]], T]) -> None:
        """Begin in a thread of this name."""
        self.share = 0.0
        """How much is done, from 0 to 1, as the work reports."""
        self.seconds = 0.0
        """The processor time of the finished work."""
        self.is_done = False
        self._result: T | None = None
        self._error: Exception | None = None
        self._stopped = threading.Event()
        threading.Thread(target=self._run, args=(work,), name=name, daemon=True).start()

    def result(self) -> T:
        """Return the result of the finished work, or raise what it raised."""
        if self._error is not None:
            raise self._error
        return self._result  # pyright: ignore[reportReturnType]  # None only if that is a result.

    def stop(self) -> None:
        """Make the work end when it reports its progress next."""
        self._stopped.set()

    def report(self, share: float = 0.0) -> None:
        """Note how much is done; called by the work. Raise Stopped if nobody waits for the result."""
        self.share = share
        if self._stopped.is_set():
            raise Stopped

    def _run(self, work: Callable[[Background[T]], T]) -> None:
        began = time.thread_time()
        try:
            self._result = work(self)
        except Exception as error:  # `result` raises it in the thread of the screen.
            self._error = error
        self.seconds = time.thread_time() - began
        self.is_done = True
