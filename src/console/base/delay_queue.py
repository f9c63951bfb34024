"""Keys that are due at a time, such as rows whose match changes with it."""

from __future__ import annotations

import heapq


class DelayQueue:
    """Keys by due time in ms since the epoch; each key has one time, the last one put."""

    def __init__(self) -> None:
        self._heap: list[tuple[float, str]] = []
        self._when: dict[str, float] = {}

    @property
    def soonest(self) -> float | None:
        """When to take keys next, or None; then there may be none, if their times have changed."""
        return self._heap[0][0] if self._heap else None

    def clear(self) -> None:
        """Remove all entries."""
        self._heap.clear()
        self._when.clear()

    def copy(self) -> DelayQueue:
        """Return an independent copy."""
        queue = DelayQueue()
        queue._heap, queue._when = [*self._heap], dict(self._when)
        return queue

    def put(self, key: str, when_ms: float | None) -> None:
        """Set the due time of a key; None means never."""
        if when_ms is None:
            self._when.pop(key, None)
        elif self._when.get(key) != when_ms:
            self._when[key] = when_ms
            heapq.heappush(self._heap, (when_ms, key))

    def take(self, now_ms: float) -> list[str]:
        """Return and remove the keys that are due."""
        found: list[str] = []
        while self._heap and self._heap[0][0] <= now_ms:
            when, key = heapq.heappop(self._heap)
            if self._when.get(key) == when:
                del self._when[key]
                found.append(key)
        return found
