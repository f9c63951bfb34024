"""Masking of secrets, with a temporary reveal."""

from __future__ import annotations

from console.base.clock import Clock

REVEALED_SECONDS = 10.0
"""Seconds after which revealed secrets are masked again."""


class Revealing:
    """Whether secrets are revealed, and for how long."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._until = 0.0

    @property
    def left(self) -> float:
        """Seconds until the secrets are masked again; 0 if they are masked."""
        return max(0.0, self._until - self._clock.monotonic())

    def toggle(self) -> None:
        """Reveal the secrets for a few seconds, or mask them again."""
        self._until = 0.0 if self.left else self._clock.monotonic() + REVEALED_SECONDS

    def mask(self) -> None:
        """Mask the secrets."""
        self._until = 0.0

    @property
    def key_words(self) -> str:
        """The current function of the key."""
        return f"mask again, {self.left:.0f} s left" if self.left else f"reveal for {REVEALED_SECONDS:.0f} s"
