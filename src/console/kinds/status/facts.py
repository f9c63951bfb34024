"""What follows from the service status summary (contract 2.20)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from console.records.traffic import StatusSummary

_SLACK_MS = 90_000
"""How far two answers may be apart about the same start: each was under way for some time, and counts whole seconds."""


class Start:
    """The moment at which the service started. It stays the same from answer to answer, unless the service restarts."""

    def __init__(self) -> None:
        self._status: StatusSummary | None = None
        self._started: float | None = None

    def ms(self, status: StatusSummary | None, now_ms: float) -> float | None:
        """Return when the service started, ms since the epoch, by an answer that came just now or before."""
        if status is not None and status is not self._status:
            self._status = status
            started = None if status.uptime is None else now_ms - status.uptime * 1000
            if started is None or self._started is None or abs(started - self._started) > _SLACK_MS:
                self._started = started
        return self._started if status is not None else None
