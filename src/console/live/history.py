"""Time series for sparklines, in memory, sampled when the engine receives data."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping

from console.clock import Clock

KEPT = 2_000
"""Samples per name: over an hour at one every two seconds."""


class History:
    """Named series of (monotonic seconds, value). Safe to use from any thread."""

    def __init__(self, clock: Clock, kept: int = KEPT) -> None:
        self._clock = clock
        self._kept = kept
        self._lock = threading.Lock()
        self._samples: dict[str, deque[tuple[float, float]]] = {}

    def add(self, values: Mapping[str, float | None]) -> None:
        """Add a sample of each name at the current time; None leaves a gap."""
        now = self._clock.monotonic()
        with self._lock:
            for name, value in values.items():
                if value is not None:
                    self._samples.setdefault(name, deque(maxlen=self._kept)).append((now, float(value)))

    def names(self) -> tuple[str, ...]:
        """Return the names that have samples."""
        with self._lock:
            return tuple(self._samples)

    def latest(self, name: str) -> float | None:
        """Return the newest value, of any age, or None."""
        with self._lock:
            samples = self._samples.get(name)
            return samples[-1][1] if samples else None

    def series(self, name: str, span: float, points: int) -> list[float | None]:
        """Return the last `span` seconds as `points` values, oldest first, each the last sample of its interval.

        An interval without a sample is None, such as the time before the start or without a connection.
        """
        found: list[float | None] = [None] * points
        if points < 1 or span <= 0:
            return found
        start = self._clock.monotonic() - span
        with self._lock:
            samples = tuple(self._samples.get(name, ()))
        for at, value in samples:
            if at >= start:
                found[min(points - 1, int((at - start) / span * points))] = value
        return found
