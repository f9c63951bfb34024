"""Writes the file of a recording, beat by beat, with the own changes that the journal tells of."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from console.config.paths import open_regular
from console.live import journal
from console.recording.files import put_aside
from console.recording.format import open_to_write
from console.recording.kind_writer import KindWriter
from console.recording.limits import cut_after, prune, shrink
from console.recording.messages import Beat, Begin, RecordingPlan
from console.records.moments import LATEST_MS

BEAT_MS = 1_000
"""Interval in which the end of the recorded time is written, even if nothing changes."""
PRUNE_MS = 30_000
OVERLAP_MS = 60_000
"""By how much the clock may be set back so that the same file goes on, without what has later times."""
_LARGEST = 4 * 1024 * 1024
"""Most bytes of the journal that are read at once."""
_AT = re.compile(rb'"at":(\d{1,16})[,}]')
_RESULT = b'"what":"result"'
"""In a line of the journal without a moment."""


class FileWriter:
    """The open file and the state of its kinds. All methods raise OSError, sqlite3.Error or RecordingFault."""

    def __init__(self, plan: RecordingPlan) -> None:
        """Prepare without effect until `begin`."""
        self._plan = plan
        self._db: sqlite3.Connection | None = None
        self._journal: JournalTail | None = None
        self._writers: dict[str, KindWriter] = {}
        self._span: int | None = None
        self._written_ms = self._pruned_ms = 0

    def begin(self, begin: Begin) -> None:
        """Begin a recorded time.

        A file that is ahead, because the clock was set back, is put aside: the moments of one file come one after the
        other.
        """
        now, db = begin.now_ms, self._opened(begin.now_ms)
        self._writers.clear()
        self._journal = JournalTail(self._plan.journal, self._plan.service)
        self._written_ms = self._pruned_ms = 0
        with _transaction(db):
            cut_after(db, now)
            db.execute("UPDATE span SET reason = ? WHERE reason = ''", (begin.gap,))
            inserted = db.execute("INSERT INTO span (start_ms, end_ms, reason) VALUES (?, ?, '')", (now, now))
            first = db.execute("SELECT min(start_ms) FROM span").fetchone()[0]
            recorded = [line for (line,) in db.execute("SELECT entry FROM command ORDER BY id").fetchall()]
            # Own changes are known also where the lists are not: the journal has those that were made in a gap.
            _write_commands(db, self._journal.missed(first, recorded))
        self._span = inserted.lastrowid

    def write(self, beat: Beat) -> None:
        """Write the changes, and remove outdated segments, within one transaction."""
        assert self._db is not None
        assert self._journal is not None
        db, now = self._db, beat.now_ms
        for change in beat.changes:
            writer = self._writer(change.kind)
            if change.gone is None:
                writer.whole(change.at_ms, change.rows)
            else:
                writer.change(change.at_ms, change.rows, change.gone)
        for at_ms, kind, rows in beat.notes:
            self._note(kind, at_ms, rows)
        removed = 0
        with _transaction(db):
            is_new = any([writer.flush(db, now) for writer in self._writers.values()])
            is_new |= _write_commands(db, self._journal.read())
            if is_new or beat.end or now - self._written_ms >= BEAT_MS:
                db.execute("UPDATE span SET end_ms = max(end_ms, ?) WHERE id = ?", (beat.until_ms, self._span))
                self._written_ms = now
            if beat.end:
                db.execute("UPDATE span SET reason = ? WHERE id = ?", (beat.end, self._span))
            if now - self._pruned_ms >= PRUNE_MS:
                removed = prune(db, now - self._plan.keep_ms, self._plan.most_bytes)
                self._pruned_ms = now
        if removed:
            shrink(db)

    def close(self) -> None:
        """Close the file."""
        if self._db is not None:
            self._db.close()
            self._db = None

    def _opened(self, now_ms: int) -> sqlite3.Connection:
        """Return the open file; one that is ahead of the clock is put aside first."""
        plan = self._plan
        meta = {
            "profile": plan.profile,
            "account": plan.account,
            "zone": plan.zone,
            "version": plan.version,
            "service": plan.service,
        }
        db = self._db or open_to_write(plan.file, meta)
        if _is_ahead(db, now_ms):
            db.close()
            put_aside(plan.file)
            db = open_to_write(plan.file, meta)
        self._db = db
        return db

    def _writer(self, kind: str) -> KindWriter:
        if kind not in self._writers:
            self._writers[kind] = KindWriter(kind)
        return self._writers[kind]

    def _note(self, kind: str, at_ms: int, rows: Mapping[str, bytes]) -> None:
        writer = self._writer(kind)
        if not writer.start_ms:
            writer.whole(at_ms, rows)
        elif changed := {key: row for key, row in rows.items() if writer.rows.get(key) != row}:
            writer.change(at_ms, changed)


def _is_ahead(db: sqlite3.Connection, now_ms: int) -> bool:
    """Return whether a file was recorded until a moment that is still to come."""
    last = db.execute("SELECT max(end_ms) FROM span").fetchone()[0]
    return last is not None and last - now_ms > OVERLAP_MS


def _write_commands(db: sqlite3.Connection, entries: Iterable[tuple[int, str]]) -> bool:
    values = [*entries]
    db.executemany("INSERT INTO command (at_ms, entry) VALUES (?, ?)", values)
    return bool(values)


@contextmanager
def _transaction(db: sqlite3.Connection) -> Generator[None]:
    """Begin a transaction; it is undone after an error."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


class JournalTail:
    """The changes at one service, as the journal that all consoles of this person write tells them.

    It begins at the end of the journal and follows it. The changes contain no secrets. Raises nothing.

    Each entry is a moment in ms since the epoch, and a line. A result has the moment of the entry before it.
    """

    def __init__(self, path: Path, service: str) -> None:
        """Begin at the current end."""
        self._path, self._service = path, service
        self._file, self._place = self._now()
        self._commands: dict[str, int] = {}
        """When each change was last reported."""

    def _now(self) -> tuple[int, int]:
        try:
            status = os.stat(self._path)
        except OSError:
            return 0, 0
        return status.st_ino, status.st_size

    def missed(self, since_ms: int, recorded: Iterable[str]) -> Iterator[tuple[int, str]]:
        """Yield the entries between a moment and the beginning of the tail that are not among the recorded lines."""
        known: set[str] = set()
        for line in recorded:
            entry = journal.entry_of(line.encode())
            if entry is not None:
                known.add(entry["hash"])
                self._moment(entry)
        for line in self._lines_since(since_ms):
            # Most lines of a long journal are older; they are not parsed.
            at = _AT.search(line)
            if _RESULT not in line and (at is None or int(at[1]) <= since_ms):
                continue
            entry = journal.entry_of(line)
            if entry is not None and entry["hash"] not in known:
                yield from self._ours(entry, line)

    def _lines_since(self, since_ms: int) -> Iterator[bytes]:
        """Yield the lines before the tail, of files that were written after a moment."""
        for file in (*journal.put_aside(self._path), self._path):
            left = self._place if file == self._path else None
            try:
                if os.stat(file).st_mtime * 1000 < since_ms:
                    continue
                with open_regular(file) as lines:
                    for line in lines:
                        if left is not None and left <= 0:
                            break
                        left = None if left is None else left - len(line)
                        yield line
            except OSError:
                continue

    def read(self) -> Iterator[tuple[int, str]]:
        """Yield the new entries."""
        file, size = self._now()
        if file != self._file:
            # The journal was put aside, and a new one begun.
            self._file = file
            self._place = 0
        if size <= self._place:
            return
        try:
            with open_regular(self._path) as lines:
                lines.seek(self._place)
                text = lines.read(_LARGEST)
        except OSError:
            return
        complete_lines = text[: text.rfind(b"\n") + 1]
        self._place += len(complete_lines)
        for line in complete_lines.splitlines():
            entry = journal.entry_of(line)
            if entry is not None:
                yield from self._ours(entry, line)

    def _ours(self, entry: dict[str, Any], line: bytes) -> Iterator[tuple[int, str]]:
        at_ms = self._moment(entry)
        if at_ms is not None:
            yield at_ms, line.decode(errors="replace").rstrip("\n")

    def _moment(self, entry: dict[str, Any]) -> int | None:
        """Return the moment of an entry, None if it is about another service."""
        command, at = str(entry.get("command")), entry.get("at")
        if command not in self._commands and (entry.get("what") != "intent" or entry.get("where") != self._service):
            return None
        if not isinstance(at, int) or not 0 <= at < LATEST_MS:
            at = self._commands.get(command, 0)
        self._commands[command] = at
        return at
