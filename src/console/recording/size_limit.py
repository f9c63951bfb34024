"""Limits the memory that the parts of a recording take: a few kilobytes may decompress to gigabytes."""

from __future__ import annotations

from pathlib import Path

from console.live.bounds import ROW_COST
from console.recording.format import unpacked

VALUE_COST = 64
"""Memory of a value of a row in bytes, without its own bytes."""
LEAST = 128 * 1024 * 1024
"""Bytes that the parts of any file may take."""
TIMES = 100
"""Bytes more for each byte of the file."""


class SizeLimit:
    """Counts the approximate memory of all parts of a file that were read. Not safe for threads."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._costs: dict[tuple[int, int], int] = {}
        self._total = 0

    def unpack(self, segment: int, first: int, data: object) -> bytes:
        """Decompress a part of a segment, unless it is plain. Raise ValueError for more than the file may contain."""
        left = self._left((segment, first))
        text = data if isinstance(data, bytes) and data[:1] == b"[" else unpacked(data, left)
        self._note((segment, first), len(text) + VALUE_COST * text.count(b","))
        return text

    def add_rows(self, segment: int, first: int, rows: int) -> None:
        """Count the rows of a part that was decompressed. Raise ValueError for more than the file may contain."""
        part = segment, first
        self._note(part, self._costs[part] + ROW_COST * rows)

    def _left(self, part: tuple[int, int]) -> int:
        most = LEAST + TIMES * self._path.stat().st_size
        return most - self._total + self._costs.get(part, 0)

    def _note(self, part: tuple[int, int], cost: int) -> None:
        if cost > self._left(part):
            raise ValueError("the file contains more than its size allows")
        self._total += cost - self._costs.get(part, 0)
        self._costs[part] = cost
