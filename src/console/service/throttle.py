"""A limit on how often something may go wrong for one account or address."""

from __future__ import annotations

import math
from collections import deque

from console.clock import Clock
from console.service.refusal import too_many

MOST_NAMES = 10_000


class Throttle:
    """Counts faults per name within a sliding window of seconds."""

    def __init__(self, clock: Clock, most: int, window: float) -> None:
        self._clock = clock
        self._most = most
        self._window = window
        self._faults: dict[str, deque[float]] = {}

    def check(self, name: str) -> None:
        """Refuse with 429 while the name has too many faults within the window."""
        now = self._clock.monotonic()
        faults = self._faults.get(name)
        if faults is None:
            return
        while faults and faults[0] <= now - self._window:
            faults.popleft()
        if not faults:
            del self._faults[name]
        elif len(faults) >= self._most:
            raise too_many("too many failed tries", math.ceil(faults[0] + self._window - now))

    def note(self, name: str) -> None:
        """Count a fault; the oldest names are forgotten when there are too many."""
        self._faults.setdefault(name, deque()).append(self._clock.monotonic())
        while len(self._faults) > MOST_NAMES:
            del self._faults[next(iter(self._faults))]

    def forget(self, name: str) -> None:
        """Start anew for a name that has done right."""
        self._faults.pop(name, None)
