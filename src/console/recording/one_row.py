"""The changes of one row in a segment, read without the others."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from console.recording.segment import Count, ReadRow, Told
from console.records.changes_by_column import some_entries
from console.records.moments import LATEST_MS
from console.records.record import Record
from console.records.row_changes import Row, row_after, row_of


class OneRow:
    """One key in a segment. It grows with `extend`, and keeps nothing of what it reads of other keys."""

    def __init__(self, kind: str, key: str, start_ms: int, read: ReadRow) -> None:
        """Begin before the frame."""
        self.kind, self._key, self._read = kind, key, read
        self.last_ms = start_ms
        self.many = 0
        """Number of changes that were read, of all keys, without the rows of the frame."""
        self.damage = ""
        """Why what follows cannot be read."""
        self.first: Record | None = None
        """The record at the start of the segment."""
        self.changes: list[Told] = []
        self._number: int | None = None
        """The number by which changes name the key, once it came."""
        self._numbers = 0
        """How many keys came so far."""
        self._row: Row | None = None
        self._record: Record | None = None

    def begin(self, frame: bytes, count: Count) -> None:
        """Read the frame. Raise ValueError."""
        start = self.last_ms
        self._read_part(frame, 0, count)
        self.first = self._record
        self.last_ms, self.many = start, 0

    def extend(self, first: int, text: bytes, count: Count) -> None:
        """Read a part of which the first change has this number. Raise ValueError."""
        if first > self.many:
            raise ValueError("a part is missing")
        self.changes += self._read_part(text, self.many - first, count)

    def _read_part(self, text: bytes, known: int, count: Count) -> list[Told]:
        """Return the changes of the key in a part, without those of the part that are known already."""

        def wanted(keys: Sequence[int | str]) -> list[int]:
            count(len(keys))
            return self._places(keys, known)

        after, entries = some_entries(text, wanted)
        moments = [*accumulate(after[known:], initial=self.last_ms)]
        if moments[-1] >= LATEST_MS or min(after, default=0) < 0:
            raise ValueError("a change is at no moment")
        changes: list[Told] = []
        for place, entry in entries:
            before = self._record
            self._row = row_after(self._row, entry)
            self._record = None if self._row is None else self._read(row_of(self._row), self._key)
            changes.append((moments[place - known + 1], self._key, before, self._record))
        self.last_ms = moments[-1]
        self.many += len(after) - known
        return changes

    def _places(self, keys: Sequence[int | str], known: int) -> list[int]:
        """Return at which places of a part the key is. Each new key gets the next number."""
        places: list[int] = []
        highest = -1
        for place in range(known, len(keys)):
            key = keys[place]
            if isinstance(key, str):
                if key == self._key:
                    self._number = self._numbers
                self._numbers += 1
            elif key > highest:
                highest = key
            if key in (self._number, self._key):
                places.append(place)
        if highest >= self._numbers or min((key for key in keys if isinstance(key, int)), default=0) < 0:
            raise ValueError("a change is about an unknown key")
        return places
