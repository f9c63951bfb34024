"""Limits on the rate of requests, and of wrong secrets, per account or address."""

from __future__ import annotations

import math
import threading
from collections import Counter, deque
from collections.abc import Generator
from contextlib import contextmanager

from console.clock import Clock
from console.service.refusal import Refusal, too_many

MOST_NAMES = 10_000
BURST_SECONDS = 10.0
"""Size of a burst after a pause, in seconds' worth of requests."""


class Rate:
    """Limit of requests a second per name, with bursts after a pause; 0 means no limit."""

    def __init__(self, clock: Clock, per_second: float) -> None:
        self._clock = clock
        self._per_second = per_second
        self._paid_until: dict[str, float] = {}
        """Time up to which each name has used its rate. A name too far ahead is refused."""

    def spend(self, name: str) -> None:
        """Count a request; refuse with 429 above the limit."""
        if not self._per_second:
            return
        now = self._clock.monotonic()
        paid_until = max(self._paid_until.get(name, now), now)
        if paid_until - now >= BURST_SECONDS:
            # After one second there is room for several requests, so a client that waits is not refused again at once.
            raise too_many("too many requests", 1)
        self._paid_until[name] = paid_until + 1 / self._per_second
        if len(self._paid_until) > MOST_NAMES:
            self._forget(now)

    def _forget(self, now: float) -> None:
        """Forget names within their rate, and then, if too many, the oldest."""
        self._paid_until = {name: until for name, until in self._paid_until.items() if until > now}
        while len(self._paid_until) > MOST_NAMES:
            del self._paid_until[next(iter(self._paid_until))]


class Throttle:
    """Counts wrong attempts at a secret per name within a sliding window of seconds.

    Attempts count from their start, so concurrent attempts have no advantage.
    """

    def __init__(self, clock: Clock, most: int, window: float) -> None:
        self._clock = clock
        self._most = most
        self._window = window
        self._faults: dict[str, deque[float]] = {}
        self._open: Counter[str] = Counter()
        self._lock = threading.Lock()
        """Requests on a network database run in threads."""

    @contextmanager
    def trying(self, name: str) -> Generator[None]:
        """Count an attempt at a secret as wrong if the block is refused with anything but 429.

        Refuse with 429 after too many wrong attempts within the window, or if too many are in progress.
        """
        with self._lock:
            self._begin(name)
        try:
            yield
        except Refusal as refusal:
            if refusal.status != 429:
                with self._lock:
                    self._note(name)
            raise
        finally:
            with self._lock:
                self._open[name] -= 1
                if not self._open[name]:
                    del self._open[name]

    def _begin(self, name: str) -> None:
        now = self._clock.monotonic()
        faults = self._faults.get(name, deque())
        while faults and faults[0] <= now - self._window:
            faults.popleft()
        if len(faults) >= self._most:
            raise too_many("too many failed attempts", math.ceil(faults[0] + self._window - now))
        if len(faults) + self._open[name] >= self._most:
            raise too_many("too many attempts at once", 1)
        self._open[name] += 1

    def _note(self, name: str) -> None:
        """Count a wrong attempt; forget the oldest names if there are too many."""
        self._faults.setdefault(name, deque()).append(self._clock.monotonic())
        while len(self._faults) > MOST_NAMES:
            del self._faults[next(iter(self._faults))]

    def forget(self, name: str) -> None:
        """Reset the count of a name after a correct attempt."""
        with self._lock:
            self._faults.pop(name, None)
