"""Facts about the connection of this console."""

from __future__ import annotations

from typing import TYPE_CHECKING

from console.live.delta import Freshness
from console.views.wording import duration, number

if TYPE_CHECKING:
    from console.records.connection import Connection

_NOTICEABLE_MS = 2_000
"""A smaller difference of clocks does not matter in ages of whole seconds, and may be an error of measurement."""
_LOST = frozenset({Freshness.OFFLINE.value, Freshness.REFUSED.value})


def lost(connection: Connection) -> bool:
    """Return whether the service cannot be reached, or refuses the console."""
    return connection.state in _LOST


def noticeable(difference_ms: int | None) -> int | None:
    """Return a difference of clocks in ms, rounded to seconds, so that it is the same in each measurement; or None."""
    if difference_ms is None or abs(difference_ms) < _NOTICEABLE_MS:
        return None
    return 1000 * round(difference_ms / 1000)


def clock_words(connection: Connection) -> str:
    """Return how far this machine's clock is off, and what that does to ages; empty if it is not noticeable."""
    ahead = number(connection.clock_ahead)
    if not ahead:
        return ""
    by = duration(abs(ahead))
    return f"{by} behind the service: ages too short" if ahead > 0 else f"{by} ahead of the service: ages too long"
