"""Facts from the service status summary (contract 2.20)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING

from console.views.chart import slope

if TYPE_CHECKING:
    from console.records.traffic import StatusSummary

Samples = Sequence[tuple[float, float]]
"""Times in seconds, and values."""
_LEAST_SAMPLES = 60
_LEAST_SECONDS = 900.0
_SLACK_MS = 90_000
"""Longest difference between two computed start times: answers take time, and count whole seconds."""


def memory_slope(memory: Samples, uptime: Samples) -> float | None:
    """Return the increase of the memory since the last start of the service, in bytes per second.

    None until there are enough samples: a minute of a program that starts tells nothing.
    """
    restarts = [after[0] for before, after in itertools.pairwise(uptime) if after[1] < before[1]]
    since = [each for each in memory if not restarts or each[0] >= restarts[-1]]
    return slope(since, least=_LEAST_SAMPLES, span=_LEAST_SECONDS)


class Start:
    """The start time of the service, constant between answers unless the service restarts."""

    def __init__(self) -> None:
        self._status: StatusSummary | None = None
        self._started: float | None = None

    def ms(self, status: StatusSummary | None, age: float | None, now_ms: float) -> float | None:
        """Return when the service started, in ms since the epoch, by the latest answer, which is `age` seconds old."""
        if status is not None and status is not self._status:
            self._status = status
            started = None if status.uptime is None else now_ms - ((age or 0) + status.uptime) * 1000
            if started is None or self._started is None or abs(started - self._started) > _SLACK_MS:
                self._started = started
        return self._started if status is not None else None
