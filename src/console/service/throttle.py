"""Limits on how often one account or one address may ask, and how often it may be wrong about a secret."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Generator
from contextlib import contextmanager

from console.clock import Clock
from console.service.refusal import Refusal, too_many

MOST_NAMES = 10_000
BURST_SECONDS = 10.0
"""How many seconds' worth of requests may come at once from who has kept quiet."""


class Rate:
    """So many requests a second per name, with some to spare after a pause; 0 is no limit."""

    def __init__(self, clock: Clock, per_second: float) -> None:
        self._clock = clock
        self._per_second = per_second
        self._paid_until: dict[str, float] = {}
        """Each request pays for its share of a second; who has paid too far ahead waits."""

    def spend(self, name: str) -> None:
        """Count a request; refuse with 429 one that is too many."""
        if not self._per_second:
            return
        now = self._clock.monotonic()
        paid_until = max(self._paid_until.get(name, now), now)
        if paid_until - now >= BURST_SECONDS:
            # After one second there is room for several: who comes back then is not refused at once again.
            raise too_many("too many requests", 1)
        self._paid_until[name] = paid_until + 1 / self._per_second
        if len(self._paid_until) > MOST_NAMES:
            self._forget(now)

    def _forget(self, now: float) -> None:
        """Forget who owes nothing, then, of too many, those seen first."""
        self._paid_until = {name: until for name, until in self._paid_until.items() if until > now}
        while len(self._paid_until) > MOST_NAMES:
            del self._paid_until[next(iter(self._paid_until))]


class Throttle:
    """Counts wrong tries at a secret per name within a sliding window of seconds.

    A try counts from its beginning: many at once get no further than many in turn.
    """

    def __init__(self, clock: Clock, most: int, window: float) -> None:
        self._clock = clock
        self._most = most
        self._window = window
        self._faults: dict[str, deque[float]] = {}
        self._open: Counter[str] = Counter()

    @contextmanager
    def trying(self, name: str) -> Generator[None]:
        """Hold a try at a secret; one that is refused with anything but 429 was wrong.

        Refuses with 429 while there were too many wrong ones within the window, or too many go on at once.
        """
        now = self._clock.monotonic()
        faults = self._faults.get(name, deque())
        while faults and faults[0] <= now - self._window:
            faults.popleft()
        if len(faults) >= self._most:
            raise too_many("too many failed attempts", math.ceil(faults[0] + self._window - now))
        if len(faults) + self._open[name] >= self._most:
            raise too_many("too many attempts at once", 1)
        self._open[name] += 1
        try:
            yield
        except Refusal as refusal:
            if refusal.status != 429:
                self._note(name)
            raise
        finally:
            self._open[name] -= 1
            if not self._open[name]:
                del self._open[name]

    def _note(self, name: str) -> None:
        """Count a wrong try; the oldest names are forgotten when there are too many."""
        self._faults.setdefault(name, deque()).append(self._clock.monotonic())
        while len(self._faults) > MOST_NAMES:
            del self._faults[next(iter(self._faults))]

    def forget(self, name: str) -> None:
        """Start anew for a name that has done right."""
        self._faults.pop(name, None)
