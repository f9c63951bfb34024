"""Writes one kind of a recording: segments of a key frame with all rows, and the changes since."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping

from console.recording.format import packed, packed_frame
from console.records.changes_by_column import folded, frame_of
from console.records.row_changes import Entry, entry_of, entry_row, key_of, read_entries, text_of, without_loss

SEGMENT_MS = 600_000
"""Age of a segment with changes from which a new one begins."""
LONGEST_MS = 3_600_000
"""Age from which one without changes ends, so that old ones can be removed."""
MOST_CHANGES = 5_000
"""Changes from which a new segment begins, if they are also many times the rows: reading them takes longer than reading
a key frame."""
CHANGES_PER_ROW = 6
TAIL_BYTES = 524_288
"""Uncompressed changes from which they become a block."""
TAIL_MS = 60_000
"""The same as their age; a few changes compress badly, so it takes `TAIL_SMALL` as well."""
TAIL_SMALL = 8_192


class KindWriter:
    """The state of one kind in the file. Belongs to one thread."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.rows: dict[str, bytes] = {}
        """The rows as they are, unmasked."""
        self.segment = 0
        """The id of its segment, 0 before it is written."""
        self.start_ms = 0
        self.last_ms = 0
        self._continues = False
        self._frame: bytes | None = None
        self._numbers: dict[str, int] = {}
        self._count = 0
        self._pending: list[bytes] = []
        self._blocks = 0
        """Number of changes in compressed blocks."""
        self._written = 0
        self._tail: list[bytes] = []
        self._tail_bytes = 0
        self._tail_ms = 0

    def whole(self, at_ms: int, rows: Mapping[str, bytes]) -> None:
        """Begin with these rows, after a time that was not recorded. What was known before is flushed."""
        self.rows = dict(rows)
        self._begin(max(at_ms, self.last_ms), continues=False)

    def change(self, at_ms: int, upserts: Mapping[str, bytes], gone: Iterable[str] = ()) -> None:
        """Add changes of one moment."""
        at_ms = max(at_ms, self.last_ms)
        for key in gone:
            if self.rows.pop(key, None) is not None:
                self._add(at_ms, key, b"null")
        for key, row in upserts.items():
            before = self.rows.get(key)
            self.rows[key] = row
            if before != row:
                self._add_difference(at_ms, key, before, row)

    def _add(self, at_ms: int, key: str, value: bytes) -> None:
        self._append(at_ms, key, b"[%d,%b,%b]" % (at_ms - self.last_ms, self._name(key), value))

    def _add_difference(self, at_ms: int, key: str, before: bytes | None, row: bytes) -> None:
        entry = entry_of(at_ms - self.last_ms, self._name(key), before, row)
        if entry is not None:
            self._append(at_ms, key, entry)

    def _append(self, at_ms: int, key: str, entry: bytes) -> None:
        self._pending.append(entry)
        self._numbers.setdefault(key, len(self._numbers))
        self._count += 1
        self.last_ms = at_ms

    def _name(self, key: str) -> bytes:
        """Return the number of a key in this segment, or the key itself, which thereby gets the next number."""
        number = self._numbers.get(key)
        return text_of(key) if number is None else b"%d" % number

    def _begin(self, at_ms: int, *, continues: bool) -> None:
        """Begin a segment with the current rows."""
        self.start_ms = self.last_ms = at_ms
        self.segment, self._continues = 0, continues
        self._count = self._blocks = self._written = 0
        self._numbers = {key: number for number, key in enumerate(self.rows)}
        self._tail, self._tail_bytes = [], 0
        self._frame = packed_frame(frame_of(self._entries()))

    def _entries(self) -> Iterator[Entry]:
        """Yield the current rows, as changes without rows before."""
        for key, row in self.rows.items():
            yield Entry(0, key_of(key), entry_row(without_loss(row)))

    def flush(self, db: sqlite3.Connection, now_ms: int) -> bool:
        """Write the new changes, within a transaction. Return whether there were any."""
        wrote = self._write(db, now_ms)
        age = now_ms - self.start_ms
        many = self._count >= max(MOST_CHANGES, CHANGES_PER_ROW * len(self.rows))
        if self.segment and (many or (age >= SEGMENT_MS and self._count) or age >= LONGEST_MS):
            self.compact(db)
            self._begin(max(now_ms, self.last_ms), continues=True)
            return self._write(db, now_ms)
        if self._tail_bytes >= TAIL_BYTES or (self._tail_bytes >= TAIL_SMALL and now_ms - self._tail_ms >= TAIL_MS):
            self.compact(db)
        return wrote

    def _write(self, db: sqlite3.Connection, now_ms: int) -> bool:
        wrote = False
        if self._frame is not None:
            values = (self.kind, self.start_ms, int(self._continues), self._frame)
            cursor = db.execute("INSERT INTO segment (kind, start_ms, continues, frame) VALUES (?, ?, ?, ?)", values)
            self.segment, self._frame, wrote = cursor.lastrowid or 0, None, True
        if self._pending:
            text, many = b",".join(self._pending), len(self._pending)
            self._pending.clear()
            db.execute("INSERT INTO tail VALUES (?, ?, ?, ?)", (self.segment, self._written, many, b"[%b]" % text))
            self._written += many
            self._tail_ms = self._tail_ms if self._tail else now_ms
            self._tail.append(text)
            self._tail_bytes += len(text)
            wrote = True
        return wrote

    def compact(self, db: sqlite3.Connection) -> None:
        """Make one compressed block of the uncompressed changes, within a transaction."""
        if self._tail:
            block = packed(folded(read_entries(b"[%b]" % b",".join(self._tail))))
            many = self._written - self._blocks
            db.execute("INSERT INTO block VALUES (?, ?, ?, ?)", (self.segment, self._blocks, many, block))
            db.execute("DELETE FROM tail WHERE segment = ?", (self.segment,))
            self._blocks = self._written
            self._tail, self._tail_bytes = [], 0
