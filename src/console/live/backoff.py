"""How long to wait before the next try."""

from __future__ import annotations

import random
from collections.abc import Callable

FIRST = 0.25
CAP = 3.0
"""Seconds. A view is to be live five seconds after the service is back: this leaves two for listing."""
SHORT_LIVED_CAP = 12.0
"""Seconds, for a service that takes connections and drops them at once."""
SHORT_LIVED_SECONDS = 2.0
"""What lived for less was dropped at once; once may happen to a service that is restarted, but not twice in a row."""
HEALTHY_SECONDS = 30.0


class Backoff:
    """Waits that double up to a cap, half of each drawn by lot so that many consoles do not return in step.

    Only thirty seconds of health start it afresh, never a mere connect: a service that accepts and closes would be
    asked thousands of times a minute otherwise.
    """

    def __init__(self, cap: float = CAP, lot: Callable[[], float] = random.random) -> None:
        self._cap = cap
        self._lot = lot
        self._failures = 0
        self._short_lives = 0

    @property
    def failures(self) -> int:
        """How many failures count at the moment."""
        return self._failures

    def failed(self, healthy_for: float = 0.0, *, accepted: bool = False, at_least: float | None = None) -> float:
        """Note a failure after that many seconds of health, and return the seconds to wait now.

        `accepted` says that it had been let in first, which is answered more slowly; `at_least` is what the service
        asked for.
        """
        if healthy_for >= HEALTHY_SECONDS:
            self._failures = 0
        if healthy_for >= SHORT_LIVED_SECONDS:
            self._short_lives = 0
        elif accepted:
            self._short_lives += 1
        cap = max(self._cap, SHORT_LIVED_CAP) if accepted and self._short_lives > 1 else self._cap
        delay = min(cap, FIRST * 2.0 ** min(self._failures, 20))
        self._failures += 2 if accepted else 1
        wait = delay / 2 + delay / 2 * self._lot()
        return max(wait, at_least) if at_least is not None else wait

    def reset(self) -> None:
        """Forget all failures, because a person said so or health has lasted."""
        self._failures = 0
        self._short_lives = 0
