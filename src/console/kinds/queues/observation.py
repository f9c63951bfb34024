"""Since when the calls are observed, and for how long they were not."""

from __future__ import annotations

from console.live.delta import CURRENT, Health

FIRST_MS = 1_000
"""From this time on, figures are shown: a single list tells nothing about what passed."""


class Observation:
    """Limits of the console's knowledge: calls are not counted for times in which it did not see them."""

    def __init__(self) -> None:
        """Begin without observation."""
        self.since_at: float | None = None
        """When it began, in ms since the epoch."""
        self.unseen_ms = 0.0
        """How long nothing was observed since then, today."""
        self.has_figures = False
        """Whether anything was observed for a while."""
        self._gap_from: float | None = None

    @property
    def observes(self) -> bool:
        """Whether the calls are observed now."""
        return self.since_at is not None and self._gap_from is None

    def note(self, health: Health, now_ms: float) -> bool:
        """Note the freshness of the calls. Return whether their changes since the last time were observed."""
        if health.state not in CURRENT:
            if self.observes:
                self._gap_from = now_ms - 1000 * (health.age or 0)
            return False
        if self.since_at is None:
            self.since_at = now_ms
            return False
        self.has_figures = self.has_figures or now_ms - self.since_at >= FIRST_MS
        if self._gap_from is None:
            return True
        self.unseen_ms += now_ms - self._gap_from
        self._gap_from = None
        return False

    def begin_day(self) -> None:
        """Count the time without observation from zero."""
        self.unseen_ms = 0.0
