"""Cuts a part of a recording into a file of its own, to be sent to others."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from console.base.frozen import Frozen
from console.config.paths import write_output
from console.recording.format import CALLER, HEALTH, SAMPLES, open_to_write
from console.recording.kind_writer import KindWriter
from console.recording.pseudonyms import Pseudonyms
from console.recording.recording import ListRecording
from console.recording.writing import ENDED, KILLED, LOST
from console.records.record import Record

CUT = "the recording was cut here"
_OWN_REASONS = frozenset({ENDED, KILLED, LOST, CUT})
_FLUSHED = 500
"""Changes after which they are written."""


class CutPart(Frozen):
    """A cut part: its first and last moment in ms since the epoch, its numbers of lists and changes, its bytes."""

    start_ms: int
    end_ms: int
    lists: int
    changes: int
    size: int


class NothingRecorded(Exception):
    """Nothing was recorded in the wanted time."""


def cut(
    recording: ListRecording, from_ms: int, to_ms: int, out: Path, pseudonyms: Pseudonyms | None, *, force: bool
) -> CutPart:
    """Write the part of a recording from a moment to another into a new file, with pseudonyms if given.

    The file is written as `write_output` does. It replaces an existing one only with `force`. Raise NothingRecorded,
    FileExistsError, OSError or sqlite3.Error.
    """
    spans = _spans(recording, from_ms, to_ms)
    if not spans:
        raise NothingRecorded
    if out.is_file() and not force:
        raise FileExistsError(out)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "part"
        with closing(open_to_write(file, _meta(recording.meta, pseudonyms))) as db:
            cutter = _Cutter(recording, db, pseudonyms)
            with db:
                db.execute("BEGIN")
                cutter.write(spans)
            # One file without others beside it, that programs without a write access can open.
            db.execute("PRAGMA journal_mode=DELETE")
            db.execute("VACUUM")
        content = file.read_bytes()
    write_output(out, content, may_replace=force, inputs=[recording.path])
    return CutPart(spans[0][0], spans[-1][1], len(cutter.kinds), cutter.changes, len(content))


def _spans(recording: ListRecording, from_ms: int, to_ms: int) -> list[tuple[int, int, str]]:
    """Return the recorded times between two moments, and why each ended."""
    reasons = {gap.start_ms: gap.reason for gap in recording.gaps}
    spans = [
        (max(start, from_ms), min(end, to_ms), CUT if end > to_ms else reasons.get(end, CUT))
        for start, end in recording.spans
        if start <= to_ms and end >= from_ms
    ]
    return [*spans[:-1], (*spans[-1][:2], CUT)] if spans else []


def _meta(meta: Mapping[str, str], pseudonyms: Pseudonyms | None) -> dict[str, str]:
    kept = {name: value for name, value in meta.items() if name in {"profile", "service", "zone", "version"}}
    if pseudonyms is None:
        return kept
    return {name: value if name in {"zone", "version"} else pseudonyms.text(value) for name, value in kept.items()}


class _Cutter:
    """Writes the parts of all kinds into an open file."""

    def __init__(self, recording: ListRecording, db: sqlite3.Connection, pseudonyms: Pseudonyms | None) -> None:
        self._recording, self._db, self._pseudonyms = recording, db, pseudonyms
        self.kinds = recording.kinds
        self.changes = 0

    def write(self, spans: list[tuple[int, int, str]]) -> None:
        first, last = spans[0][0], spans[-1][1]
        for kind in (*self.kinds, HEALTH, SAMPLES, CALLER):
            self._write_kind(kind, first, last)
        for start, end, reason in spans:
            text = reason if self._pseudonyms is None or reason in _OWN_REASONS else self._pseudonyms.text(reason)
            self._db.execute("INSERT INTO span (start_ms, end_ms, reason) VALUES (?, ?, ?)", (start, end, text))
        for entry in self._recording.commands(first, last):
            written_entry = entry if self._pseudonyms is None else self._pseudonyms.entry(entry)
            values = entry.get("at", first), json.dumps(written_entry, separators=(",", ":"))
            self._db.execute("INSERT INTO command (at_ms, entry) VALUES (?, ?)", values)

    def _write_kind(self, kind: str, first: int, last: int) -> None:
        starts = self._recording.starts(kind)
        if not starts or starts[0] > last:
            return
        begins = [first] if starts[0] <= first else []
        begins += [start for start in starts if first < start <= last]
        writer = KindWriter(kind)
        for begin, next_begin in zip(begins, (*begins[1:], last + 1), strict=True):
            rows = self._recording.rows(kind, begin)
            writer.whole(begin, {self._key(kind, key): self._row(kind, record) for key, record in rows.items()})
            for number, change in enumerate(self._recording.changes(kind, begin, next_begin - 1), 1):
                key = self._key(kind, change.key)
                if change.after is None:
                    writer.change(change.at_ms, {}, [key])
                else:
                    writer.change(change.at_ms, {key: self._row(kind, change.after)})
                self.changes += not kind.startswith(".")
                if number % _FLUSHED == 0:
                    writer.flush(self._db, change.at_ms)
            writer.flush(self._db, next_begin - 1)
            writer.compact(self._db)

    def _key(self, kind: str, key: str) -> str:
        return key if self._pseudonyms is None else self._pseudonyms.key(kind, key)

    def _row(self, kind: str, record: Record) -> bytes:
        row = record.encoded()
        return row if self._pseudonyms is None else self._pseudonyms.row(kind, row)
