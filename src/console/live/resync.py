"""When a list that seems true is listed again in full, because nothing on the way can be proved unchanged.

A byte that is changed on the way, or an event that a service forgets to send, leaves a row that looks like any other:
the events after it are in order, and an ETag says that the list is unchanged. So each kind is listed again now and
then, without an ETag and by the best of its requests, and soon after any sign that something on the way was damaged.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from math import inf

SHOWN_SECONDS = 30.0
HIDDEN_SECONDS = 300.0
"""How often a kind is listed in full, in view and otherwise."""
SHARE = 20.0
"""How many times as long as a list took nothing is listed in full: of a slow line it takes a twentieth at most."""
CALM_SECONDS = 2.0
"""How long after the last sign of damage, and up to twice that: what damages one piece damages the next as well."""
MOST_REFUSALS = 6
"""Up to so many refusals double the number of full lists until the best request is tried again."""


class Resync:
    """The moment of the next full list of one kind. All times are on the monotonic clock."""

    def __init__(self, lot: Callable[[], float] = random.random) -> None:
        """`lot` draws numbers from 0 to 1: consoles that listed at the same moment do not do so again."""
        self._lot = lot
        self._regular = inf
        self._soon = inf
        self._listed = 0.0
        self._took = 0.0

    @property
    def due(self) -> float:
        """When the kind is to be listed in full."""
        return min(self._regular, self._soon)

    def suspect(self, now: float) -> None:
        """Note a sign of damage: list soon after the last one, and no later than without it."""
        self._soon = now + CALM_SECONDS * (1.0 + self._lot())

    def listed(self, started: float, now: float, *, shown: bool) -> None:
        """Note a full list that was begun at `started`."""
        self._listed, self._took = now, now - started
        if self._soon <= started:
            self._soon = inf
        self.pace(shown=shown)

    def pace(self, *, shown: bool) -> None:
        """Set the time between full lists by whether the kind is in view."""
        if self._listed:
            seconds = max(SHOWN_SECONDS if shown else HIDDEN_SECONDS, SHARE * self._took)
            self._regular = self._listed + seconds * (0.8 + 0.4 * self._lot())


class Ways:
    """Which of the requests for a list is made: the best one that is not refused."""

    def __init__(self) -> None:
        self.way = 0
        self.own = False
        """Whether only the caller's own records are listed, because the list of all was refused."""
        self._from_the_best = True
        self._rest = 0
        self._refusals = 0
        """How many lists in a row found the best request refused."""

    def begin(self, *, full: bool) -> None:
        """Begin a list. A full one tries the best request again; where it stays refused, more and more rarely."""
        if full and self._is_lower():
            self._rest -= 1
            if self._rest <= 0:
                self.way, self.own = 0, False
        self._from_the_best = not self._is_lower()

    def listed(self) -> bool:
        """Note that a list was answered; return whether the best request was refused for the first time.

        One refusal proves little: a proxy or a damaged request may be the cause.
        """
        if not self._from_the_best:
            return False
        if not self._is_lower():
            self._refusals = 0
            return False
        self._rest = 2**self._refusals
        self._refusals = min(MOST_REFUSALS, self._refusals + 1)
        return self._refusals == 1

    def _is_lower(self) -> bool:
        return self.way > 0 or self.own
