"""Secrets that are masked, but for a moment on request."""

from __future__ import annotations

from console.clock import Clock

REVEALED_SECONDS = 10.0
"""How long secrets are shown that were asked for by a key; then they are masked by themselves."""


class Revealing:
    """Whether secrets are shown at the moment, and for how long."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._until = 0.0

    @property
    def left(self) -> float:
        """How many seconds they are still shown; nothing while they are masked."""
        return max(0.0, self._until - self._clock.monotonic())

    def toggle(self) -> None:
        """Show them for a moment, or no longer."""
        self._until = 0.0 if self.left else self._clock.monotonic() + REVEALED_SECONDS

    def mask(self) -> None:
        """Show them no longer."""
        self._until = 0.0

    @property
    def key_words(self) -> str:
        """What the key does now."""
        return f"mask again, {self.left:.0f} s left" if self.left else f"reveal for {REVEALED_SECONDS:.0f} s"
