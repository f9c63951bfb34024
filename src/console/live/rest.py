"""The thread of work that would block the screen, and pauses after work that grows with what happens.

Both leave a free processor for keys.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial


class Worker(ThreadPoolExecutor):
    """Runs tasks that would block the screen, one at a time."""

    def __init__(self) -> None:
        super().__init__(1, "console-worker")


RESTS = 99
"""Pause after the update of a list, as a multiple of its processor time: most pauses are shorter than a beat."""
LONGEST_SECONDS = 1.0
"""Longest interval of updates: time alone changes waits and their sums."""


class Rest:
    """The pause after work, so that it takes a small share of a processor, however much there is to do."""

    def __init__(self, times: float = RESTS, longest: float = LONGEST_SECONDS) -> None:
        """Pause for a multiple of the processor time of the work, and no longer than some seconds."""
        self._times, self._longest = times, longest
        self._until = 0.0

    def is_over(self) -> bool:
        """Return whether the work may be done again."""
        return time.monotonic() >= self._until

    @contextmanager
    def after(self) -> Generator[None]:
        """Measure the work in the block."""
        began = time.thread_time()
        try:
            yield
        finally:
            took = time.thread_time() - began
            self._until = time.monotonic() + min(self._longest, self._times * took)


no_rest = partial(Rest, 0)
"""Makes pauses of no length: nothing else waits for the processor, or the clock is not the machine's."""
