"""One queue: the calls that wait in it, and its numbers."""

from __future__ import annotations

import heapq

from console.kinds.queues.windows import Windows

Place = tuple[bool, float, str]
"""Sort key of a wait: the longest first, unknown durations last."""


class Line:
    """The waiting calls of one queue. Adding, removing and asking for the longest wait do not search."""

    def __init__(self, windows: Windows) -> None:
        """Begin without calls."""
        self.windows = windows
        self.skill: str | None = None
        """The skill that its calls ask for."""
        self._waits: dict[str, Place] = {}
        self._heap: list[Place] = []
        """The place of the longest wait is on top; those of ended waits are removed when they reach the top."""

    def __len__(self) -> int:
        return len(self._waits)

    def add(self, key: str, since: float | None) -> None:
        """Add a call."""
        place = (since is None, since or 0, key)
        self._waits[key] = place
        heapq.heappush(self._heap, place)
        if len(self._heap) > 2 * len(self._waits) + 64:
            self._heap = sorted(self._waits.values())
        self.windows.waiting(len(self))

    def drop(self, key: str) -> None:
        """Remove a call."""
        self._waits.pop(key, None)

    def longest(self) -> tuple[str, float | None] | None:
        """Return the key and the beginning of the longest wait, or None."""
        while self._heap:
            unknown, since, key = self._heap[0]
            if self._waits.get(key) == self._heap[0]:
                return key, None if unknown else since
            heapq.heappop(self._heap)
        return None
