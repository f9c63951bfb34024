"""Schedule full lists of kinds that seem current, because undetected damage is always possible.

A byte changed in transit, or an event that a service forgets, leaves a row that looks valid: later events are in order,
and the ETag says that the list is unchanged. So each kind is listed periodically, without an ETag and by its preferred
request, and soon after any sign of damage.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from math import inf

SHOWN_SECONDS = 30.0
HIDDEN_SECONDS = 300.0
"""Interval of full lists of shown and hidden kinds."""
SHARE = 20.0
"""Minimum interval as a multiple of a list's duration: on a slow line, full lists take a twentieth of the time."""
CALM_SECONDS = 2.0
"""Delay after the last sign of damage, up to twice as long, because damage often affects several messages."""
MOST_REFUSALS = 6
"""Up to this number, refusals double the number of full lists until the preferred request is tried again."""


class Resync:
    """The time of the next full list of one kind. All times are on the monotonic clock."""

    def __init__(self, lot: Callable[[], float] = random.random) -> None:
        """`lot` returns random numbers from 0 to 1, to spread consoles that listed at the same time."""
        self._lot = lot
        self._regular = inf
        self._soon = inf
        self._listed = 0.0
        self._took = 0.0

    @property
    def due(self) -> float:
        """When to list the kind in full."""
        return min(self._regular, self._soon)

    def suspect(self, now: float) -> None:
        """Note a sign of damage: list soon after the last one."""
        self._soon = now + CALM_SECONDS * (1.0 + self._lot())

    def listed(self, started: float, now: float, *, shown: bool) -> None:
        """Note a full list that was requested at `started`."""
        self._listed, self._took = now, now - started
        if self._soon <= started:
            self._soon = inf
        self.pace(shown=shown)

    def pace(self, *, shown: bool) -> None:
        """Set the interval of full lists, by whether the kind is shown."""
        if self._listed:
            seconds = max(SHOWN_SECONDS if shown else HIDDEN_SECONDS, SHARE * self._took)
            self._regular = self._listed + seconds * (0.8 + 0.4 * self._lot())


class ListRequests:
    """Selects the request for a list: the preferred one that is not refused."""

    def __init__(self) -> None:
        self.way = 0
        self.own = False
        """Whether only the caller's own records are listed, because the list of all was refused."""
        self._from_the_best = True
        self._rest = 0
        self._refusals = 0
        """Number of consecutive lists whose preferred request was refused."""

    def begin(self, *, full: bool) -> None:
        """Start a list. A full one tries the preferred request again, less often after repeated refusals."""
        if full and self._is_lower():
            self._rest -= 1
            if self._rest <= 0:
                self.way, self.own = 0, False
        self._from_the_best = not self._is_lower()

    def listed(self) -> bool:
        """Note a successful list; return whether the preferred request was refused for the first time.

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
