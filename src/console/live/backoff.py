"""Delays between reconnects."""

from __future__ import annotations

import random
from collections.abc import Callable

FIRST = 0.25
CAP = 3.0
"""Seconds. A list must be live five seconds after the service is back; this leaves two for listing."""
SHORT_LIVED_CAP = 14.0
"""Seconds, for a service that accepts connections and closes them at once. Half of it is the shortest delay, which
limits the connections in the first minute to twelve."""
SHORT_LIVED_SECONDS = 5.0
"""Shorter connections count as closed at once. A restart may cause one, but not two in a row. Longer ones start at most
twelve times a minute, even with short delays."""
HEALTHY_SECONDS = 30.0
AWAY = 4.25
"""Seconds over which consoles reconnect to a lost service. Five is too late; four makes a quarter of them a second."""
REFUSED_SECONDS = 60.0
"""Interval at which a refused kind is tried again: permissions may change."""
REFUSED_FIRST_SECONDS = 5.0
"""First delay after a list that worked is refused, doubling: the refusal may not be the service's."""


class Backoff:
    """Delays that double up to a limit; half of each is random, so that consoles do not reconnect in step.

    Only a connection of thirty seconds resets it, because a service that accepts and closes connections would be tried
    thousands of times a minute otherwise.
    """

    def __init__(self, lot: Callable[[], float] = random.random) -> None:
        self._lot = lot
        self._failures = 0
        self._short_lives = 0
        self.place: float | None = None
        """Position of this console among all that reconnect, from 0 to 1; None means random."""
        self._placed = False
        self._lead = 0.0
        """Seconds waited before it was known that the service is gone, subtracted from the first delay."""

    def failed(
        self,
        healthy_for: float = 0.0,
        *,
        accepted: bool = False,
        away: bool = False,
        at_least: float | None = None,
    ) -> float:
        """Note a failure after this many seconds of health, and return the delay in seconds.

        `accepted` means that the service had accepted the connection, which slows down retries; `away` that the service
        is gone for all consoles; `at_least` is the delay that the service requested.
        """
        if healthy_for >= HEALTHY_SECONDS:
            self._failures = 0
        if healthy_for > 0:
            self._placed = False
            self._lead = 0.0
        if healthy_for >= SHORT_LIVED_SECONDS:
            self._short_lives = 0
        elif accepted:
            self._short_lives += 1
        cap = SHORT_LIVED_CAP if accepted and self._short_lives > 1 else CAP
        delay = min(cap, FIRST * 2.0 ** min(self._failures, 20))
        self._failures += 2 if accepted else 1
        wait = delay / 2 + delay / 2 * self._lot()
        if away:
            # A service that accepts connections and then announces its stop is not restarting.
            wait = self._place() if self._short_lives <= 1 else max(wait, self._place())
        elif not self._placed:
            self._lead = min(FIRST, self._lead + wait)
        return max(wait, at_least) if at_least is not None else wait

    def _place(self) -> float:
        """Return the delay after all consoles lost the service at the same time.

        The first delay is this console's place, all further ones are equal for all consoles, which keeps the consoles
        evenly spread.
        """
        if self._placed:
            return AWAY
        self._placed = True
        place = self.place if self.place is not None and 0.0 <= self.place <= 1.0 else self._lot()
        return FIRST - self._lead + AWAY * place

    def reset(self) -> None:
        """Forget all failures, after a person requested a retry or health has lasted."""
        self._failures = 0
        self._short_lives = 0
        self._placed = False
        self._lead = 0.0
