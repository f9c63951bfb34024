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
_SLACK_MS = 5_000
"""How much later than known a start belongs to another run: answers count whole seconds, and clocks are corrected."""


def memory_slope(memory: Samples, uptime: Samples) -> float | None:
    """Return the increase of the memory since the last start of the service, in bytes per second.

    None until there are enough samples: a minute of a program that starts tells nothing.
    """
    restarts = [after[0] for before, after in itertools.pairwise(uptime) if after[1] < before[1]]
    since = [sample for sample in memory if not restarts or sample[0] >= restarts[-1]]
    return slope(since, least=_LEAST_SAMPLES, span=_LEAST_SECONDS)


class ServiceStart:
    """The start time of the service, constant between answers unless the service restarts."""

    def __init__(self) -> None:
        self._status: StatusSummary | None = None
        self._started: float | None = None
        self._latest = 0.0
        """The latest time at which this run can have started: an answer is some time under way."""

    def ms(self, status: StatusSummary | None, age: float | None, now_ms: float) -> float | None:
        """Return when the service started, in ms since the epoch, by the latest answer.

        `age` is the time in seconds since it was asked for.
        """
        if status is not None and status is not self._status:
            before, self._status = self._status, status
            self._take(status.uptime, None if before is None else before.uptime, (age or 0) * 1000, now_ms)
        return self._started if status is not None else None

    def _take(self, uptime: float | None, before: float | None, age_ms: float, now_ms: float) -> None:
        if uptime is None:
            self._started = None
            return
        latest = now_ms - uptime * 1000
        started = latest - age_ms
        fell = before is not None and uptime < before
        # An uptime that is too long for the known start comes from a clock that was set back.
        if self._started is None or fell or started > self._latest + _SLACK_MS or latest < self._started - _SLACK_MS:
            self._started, self._latest = started, latest
        else:
            self._latest = min(latest, self._latest)
