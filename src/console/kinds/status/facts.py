"""Facts from the service status summary (contract 2.20)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from console.records.traffic import StatusSummary

_SLACK_MS = 90_000
"""Longest difference between two computed start times: answers take time, and count whole seconds."""


class Start:
    """The start time of the service, constant between answers unless the service restarts."""

    def __init__(self) -> None:
        self._status: StatusSummary | None = None
        self._started: float | None = None

    def ms(self, status: StatusSummary | None, now_ms: float) -> float | None:
        """Return when the service started, in ms since the epoch, by the latest answer."""
        if status is not None and status is not self._status:
            self._status = status
            started = None if status.uptime is None else now_ms - status.uptime * 1000
            if started is None or self._started is None or abs(started - self._started) > _SLACK_MS:
                self._started = started
        return self._started if status is not None else None
