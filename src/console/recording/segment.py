"""A segment of a recording in memory: all rows at its start, and the changes since."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from console.records.raw import Json
from console.records.record import Record
from console.records.row_changes import Entry, Row, odd_row, read_row, row_after, row_of

ReadRow = Callable[[bytes, str | None], Record]
"""Creates the record of a row."""

Told = tuple[int, str, Record | None, Record | None]
"""Moment, key, and the record before and after a change."""


class Step(NamedTuple):
    """One change."""

    at_ms: int
    key: str
    entry: Entry


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
        self._steps: list[Step] = []
        self._keys = list(self._raw)
        self._known = set(self._keys)
        self.last_ms = start_ms
        self._base: dict[str, Record] | None = None
        self._rows: dict[str, Row | None] = {}
        """The rows that changed, None for removed ones."""
        self._records: dict[str, Record] = {}
        self._place = 0
        self._snapshot: Mapping[str, Record] | None = None

    def add(self, entries: Sequence[Entry]) -> None:
        """Add changes that follow. Raise ValueError for a key that is not known."""
        for entry in entries:
            key = self._named(entry.key)
            self.last_ms += max(0, entry.after)
            self._steps.append(Step(self.last_ms, key, entry))

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
        return len(self._steps)

    def life(self, key: str) -> tuple[Record | None, list[Told]]:
        """Return a record at the start, and its changes."""
        row: Row | None = None
        record = first = None
        if key in self._raw:
            row = read_row(self._raw[key])
            record = first = self._record(key, row)
        found: list[Told] = []
        for step in self._steps if key in self._known else ():
            if step.key == key:
                row, before = row_after(row, step.entry), record
                record = None if row is None else self._record(key, row)
                found.append((step.at_ms, key, before, record))
        return first, found

    def records_at(self, at_ms: int) -> Mapping[str, Record]:
        """Return the records at a moment, by key in the order of the list; the same object if nothing changed."""
        self._move(at_ms)
        if self._snapshot is None:
            self._snapshot = dict(self._records)
        return self._snapshot

    def _move(self, at_ms: int) -> None:
        if self._base is None or (self._place and self._steps[self._place - 1].at_ms > at_ms):
            self._restart()
        dirty: dict[str, Row | None] = {}
        while self._place < len(self._steps) and self._steps[self._place].at_ms <= at_ms:
            step = self._steps[self._place]
            self._place += 1
            self._snapshot = None
            row = self._apply(step)
            if row is None:
                # A row that comes again is at the end.
                self._records.pop(step.key, None)
            dirty[step.key] = row
        for key, row in dirty.items():
            if row is not None:
                self._records[key] = self._record(key, row)

    def _restart(self) -> None:
        if self._base is None:
            self._base = {key: self._read(self._bytes(value), key) for key, value in self._raw.items()}
        self._records = dict(self._base)
        self._rows = {}
        self._place = 0
        self._snapshot = None

    def _apply(self, step: Step) -> Row | None:
        """Return the row of a key after a change."""
        key = step.key
        try:
            row = row_after(self._row(key), step.entry)
        except ValueError as error:
            self.damage = str(error)
            row = self._rows.get(key)
        self._rows[key] = row
        return row

    def _bytes(self, value: Json) -> bytes:
        """Return a row of the frame."""
        text = bytes(value)
        try:
            return odd_row(text) if text[:1] == b"[" else text
        except ValueError as error:
            self.damage = str(error)
            return text

    def _row(self, key: str) -> Row | None:
        if key in self._rows:
            return self._rows[key]
        return read_row(self._raw[key]) if key in self._raw else None

    def _record(self, key: str, row: Row) -> Record:
        return self._read(row_of(row), key)

    def steps(self, from_ms: int, to_ms: int) -> Iterator[Told]:
        """Yield moment, key, and the record before and after each change after `from_ms`, until `to_ms`."""
        self._move(from_ms)
        records = self._records
        while self._place < len(self._steps) and self._steps[self._place].at_ms <= to_ms:
            step = self._steps[self._place]
            before = records.get(step.key)
            self._snapshot = None
            row = self._apply(step)
            self._place += 1
            if row is None:
                records.pop(step.key, None)
                after = None
            else:
                after = records[step.key] = self._record(step.key, row)
            if before is not None or after is not None:
                yield step.at_ms, step.key, before, after
