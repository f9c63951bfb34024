"""A segment of a recording in memory: all rows at its start, and the changes since."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

from console.records.moments import LATEST_MS
from console.records.raw import Json
from console.records.record import Record
from console.records.row_changes import Entry, Row, odd_row, read_row, row_after, row_of

ReadRow = Callable[[bytes, str | None], Record]
"""Creates the record of a row."""

Told = tuple[int, str, Record | None, Record | None]
"""Moment, key, and the record before and after a change."""


class Segment:
    """The rows of one kind at any moment from its start to that of the next segment.

    It moves forward cheaply; backwards, it begins at its start again. Not safe for threads.
    """

    def __init__(self, kind: str, start_ms: int, frame: Sequence[tuple[str, Json]], read: ReadRow) -> None:
        self.kind = kind
        self.start_ms = start_ms
        self.damage = ""
        """Why what follows cannot be read."""
        self._read = read
        self._raw = dict(frame)
        self._moments: list[int] = []
        self._changed: list[str] = []
        self._entries: list[Entry] = []
        self._keys = list(self._raw)
        self._known = set(self._keys)
        self.last_ms = start_ms
        self._base: dict[str, Record] = {}
        """Records of the frame, as far as they were read."""
        self._began = self._unread = False
        self._rows: dict[str, Row | None] = {}
        """The rows that changed, None for removed ones."""
        self._records: dict[str, Record | None] = {}
        """None is a row of the frame that was not read yet; there is none between two calls."""
        self._place = 0
        self._snapshot: Mapping[str, Record] | None = None

    def add(self, entries: Sequence[Entry]) -> None:
        """Add changes that follow. Raise ValueError for a key that is not known, or a time that cannot be."""
        keys = [self._named(entry.key) for entry in entries]
        if self.last_ms + sum(max(0, entry.after) for entry in entries) >= LATEST_MS:
            raise ValueError("a change is too late")
        for entry in entries:
            self.last_ms += max(0, entry.after)
            self._moments.append(self.last_ms)
        self._changed += keys
        self._entries += entries

    def _named(self, key: int | str) -> str:
        if isinstance(key, int):
            if not 0 <= key < len(self._keys):
                raise ValueError("a change is about an unknown key")
            return self._keys[key]
        if key not in self._known:
            self._known.add(key)
            self._keys.append(key)
        return key

    @property
    def many(self) -> int:
        """Number of changes."""
        return len(self._entries)

    def life(self, key: str) -> tuple[Record | None, list[Told]]:
        """Return a record at the start, and its changes."""
        row: Row | None = None
        record = first = None
        if key in self._raw:
            row = read_row(self._raw[key])
            record = first = self._record(key, row)
        found: list[Told] = []
        for place, changed in enumerate(self._changed if key in self._known else ()):
            if changed == key:
                row, before = row_after(row, self._entries[place]), record
                record = None if row is None else self._record(key, row)
                found.append((self._moments[place], key, before, record))
        return first, found

    def records_at(self, at_ms: int) -> Mapping[str, Record]:
        """Return the records at a moment, by key in the order of the list; the same object if nothing changed."""
        self._move(at_ms)
        if self._snapshot is None:
            self._snapshot = cast("dict[str, Record]", dict(self._records))
        return self._snapshot

    def _move(self, at_ms: int) -> None:
        """Apply the changes until a moment. This is most of the time of opening one."""
        if not self._began or (self._place and self._moments[self._place - 1] > at_ms):
            self._restart()
        end = bisect_right(self._moments, at_ms, lo=self._place)
        records, rows, apply = self._records, self._rows, self._apply
        dirty: dict[str, None] = {}
        for place in range(self._place, end):
            key = self._changed[place]
            dirty[key] = None
            if apply(place, key) is None:
                # A row that comes again is at the end.
                records.pop(key, None)
        if end > self._place:
            self._snapshot = None
        self._place = end
        for key in dirty:
            row = rows[key]
            if row is not None:
                records[key] = self._record(key, row)
        if self._unread:
            self._unread = False
            for key, record in records.items():
                if record is None:
                    records[key] = self._base[key] = self._read(self._bytes(self._raw[key]), key)

    def _restart(self) -> None:
        """Begin with the rows of the frame; those that do not change at once are read then."""
        self._began, self._unread = True, len(self._base) < len(self._raw)
        self._records = {key: self._base.get(key) for key in self._raw}
        self._rows = {}
        self._place = 0
        self._snapshot = None

    def _apply(self, place: int, key: str) -> Row | None:
        """Return the row of a key after a change."""
        rows = self._rows
        try:
            row = rows[key] if key in rows else read_row(self._raw[key]) if key in self._raw else None
            rows[key] = row = row_after(row, self._entries[place])
        except ValueError as error:
            self.damage = str(error)
            rows[key] = row = rows.get(key)
        return row

    def _bytes(self, value: Json) -> bytes:
        """Return a row of the frame."""
        text = bytes(value)
        try:
            return odd_row(text) if text[:1] == b"[" else text
        except ValueError as error:
            self.damage = str(error)
            return text

    def _record(self, key: str, row: Row) -> Record:
        return self._read(row_of(row), key)

    def steps(self, from_ms: int, to_ms: int) -> Iterator[Told]:
        """Yield moment, key, and the record before and after each change after `from_ms`, until `to_ms`."""
        self._move(from_ms)
        self._snapshot = None
        records = self._records
        while self._place < len(self._moments) and self._moments[self._place] <= to_ms:
            place, key = self._place, self._changed[self._place]
            self._place += 1
            before = records.get(key)
            row = self._apply(place, key)
            if row is None:
                records.pop(key, None)
                after = None
            else:
                after = records[key] = self._record(key, row)
            if before is not None or after is not None:
                yield self._moments[place], key, before, after
