"""Records that leave a list after a time, without an event.

The service lists some records for a limited time, such as alerts that ended within the last day. No event reports the
end of this time, so the follower computes it.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from console.records.record import Record

Expires = Callable[[Any], float | None]
"""Returns when the list stops showing a record, in ms since the epoch; None for never."""


class Expiries:
    """The times at which the records of one kind leave its list."""

    def __init__(self, expires: Expires | None) -> None:
        self._expires = expires
        self._heap: list[tuple[float, str]] = []

    def note(self, records: Mapping[str, Record]) -> bool:
        """Note when these records expire. Return whether the time of the next expiry changed."""
        if self._expires is None:
            return False
        before = self._heap[0] if self._heap else None
        for key, record in records.items():
            moment = self._expires(record)
            if moment is not None:
                heapq.heappush(self._heap, (moment, key))
        return bool(self._heap) and self._heap[0] != before

    def seconds_to_next(self, now_ms: int) -> float | None:
        """Return the seconds until the next record expires, or None."""
        return max(0.0, (self._heap[0][0] - now_ms) / 1000) if self._heap else None

    def due(self, now_ms: int, known: Callable[[str], Record | None]) -> set[str]:
        """Return the keys of expired records, and forget them. `known` returns the current record."""
        keys: set[str] = set()
        while self._expires is not None and self._heap and self._heap[0][0] <= now_ms:
            key = heapq.heappop(self._heap)[1]
            record = known(key)
            moment = None if record is None else self._expires(record)
            if moment is not None and moment <= now_ms:
                keys.add(key)
        return keys
