"""Time series for sparklines, in memory, sampled when the engine receives data."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from console.clock import Clock

if TYPE_CHECKING:
    from console.records.traffic import StatusSummary

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


def status_values(status: StatusSummary) -> dict[str, float | None]:
    """Return the numbers of a status summary (contract 2.20) by the names of their series."""
    return {
        "active_users": len(status.active_users),
        "active_calls": len(status.active_calls),
        "calls_since_reboot": status.calls.since_reboot,
        "calls_last15": status.calls.last15,
        "calls_last30": status.calls.last30,
        "calls_last60": status.calls.last60,
        "calls_all": status.calls.all,
        "uptime": status.uptime,
        "memory_rss": status.memory_usage.rss,
        "memory_heap_total": status.memory_usage.heap_total,
        "memory_heap_used": status.memory_usage.heap_used,
    }


def sampled(kind: str, records: Mapping[str, object]) -> dict[str, float | None]:
    """Return the sampled numbers of a kind."""
    if kind != "status":
        return {rows_name(kind): float(len(records))}
    status = cast("StatusSummary | None", records.get(kind))
    return status_values(status) if status is not None else {}


def rows_name(kind: str) -> str:
    """Return the name of the series with a kind's number of rows: `rows.calls`."""
    return f"rows.{kind}"
