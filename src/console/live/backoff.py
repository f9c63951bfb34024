"""How long to wait before the next try."""

from __future__ import annotations

import random
from collections.abc import Callable

FIRST = 0.25
CAP = 3.0
"""Seconds. A view is to be live five seconds after the service is back: this leaves two for listing."""
SHORT_LIVED_CAP = 14.0
"""Seconds, for a service that takes connections and drops them at once. Half of it is the shortest wait, and with that
no more than twelve connections begin in the first minute."""
SHORT_LIVED_SECONDS = 5.0
"""What lived for less was dropped at once; once may happen to a service that is restarted, but not twice in a row. What
lives for longer begins twelve times a minute at most, however short the waits between are."""
HEALTHY_SECONDS = 30.0
AWAY = 4.25
"""Seconds over which consoles come back to a service that was gone for all of them. Five would be too late; in four a
quarter of them would come in each second."""


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
        self.place: float | None = None
        """Where this console stands among all that come back to a service, from 0 to 1; None draws it by lot."""
        self._placed = False
        self._lead = 0.0
        """Seconds waited before it was known that the service is gone: each console another part of the first wait."""

    def failed(
        self,
        healthy_for: float = 0.0,
        *,
        accepted: bool = False,
        away: bool = False,
        at_least: float | None = None,
    ) -> float:
        """Note a failure after that many seconds of health, and return the seconds to wait now.

        `accepted` says that it had been let in first, which is answered more slowly; `away` that the service is gone
        for everybody; `at_least` is what the service asked for.
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
        cap = max(self._cap, SHORT_LIVED_CAP) if accepted and self._short_lives > 1 else self._cap
        delay = min(cap, FIRST * 2.0 ** min(self._failures, 20))
        self._failures += 2 if accepted else 1
        wait = delay / 2 + delay / 2 * self._lot()
        if away:
            # Who takes connections and says at once that it goes is no service that is restarted.
            wait = self._place() if self._short_lives <= 1 else max(wait, self._place())
        elif not self._placed:
            self._lead = min(FIRST, self._lead + wait)
        return max(wait, at_least) if at_least is not None else wait

    def _place(self) -> float:
        """Return when to try again after everybody lost the service in the same moment.

        The first wait is this console's place, all others are as long as all consoles have together: so they stay as
        far apart as they were at first, however long the service is gone.
        """
        if self._placed:
            return AWAY
        self._placed = True
        told = self.place
        place = told if told is not None and 0.0 <= told <= 1.0 else self._lot()
        return FIRST - self._lead + AWAY * place

    def reset(self) -> None:
        """Forget all failures, because a person said so or health has lasted."""
        self._failures = 0
        self._short_lives = 0
        self._placed = False
        self._lead = 0.0
