"""Writes a recording: takes the changes of the lists, and notes what is no list."""

from __future__ import annotations

import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from console.clock import Clock
from console.recording.files import put_aside
from console.recording.format import AT, CALLER, HEALTH, LINK, ROW, SAMPLES, open_to_write
from console.recording.journal_tail import JournalTail
from console.recording.kind_writer import KindWriter
from console.recording.limits import cut_after, prune, shrink
from console.recording.observed import health_row, json_row

if TYPE_CHECKING:
    from console.live.backend import Backend
    from console.live.collection import Collection
    from console.recording.recorder import Plan

TICK_SECONDS = 0.5
"""Longest delay of a write."""
BEAT_MS = 1_000
"""Interval in which the end of the recorded time is written, even if nothing changes."""
LATE_MS = 20
PRUNE_MS = 30_000
MOST_QUEUED = 20_000
"""Changes that wait for the writer; with more, the rest is a gap."""
KILLED = "the console was killed"
ENDED = "the console ended"
LOST = "too many changes at once"
OVERLAP_MS = 60_000
"""By how much the clock may be set back so that the same file goes on, without what has later times."""


class Writing:
    """Records the lists of a backend until it is told to end. Belongs to one thread."""

    def __init__(
        self, backend: Backend, plan: Plan, clock: Clock, ended: threading.Event, is_for: Callable[[Path], bool]
    ) -> None:
        """Prepare. `is_for` tells whether the lists are still those of the account of a file."""
        self._backend, self._plan, self._clock, self._ended = backend, plan, clock, ended
        self._is_for = is_for
        self._queue: deque[tuple[int, str, Mapping[str, Any], Sequence[str] | None]] = deque()
        self._overflowed = False
        self._writers: dict[str, KindWriter] = {}
        self._sampled = 0
        self._heard: list[Collection[Any]] = []

    def run(self, gap: str, began: Callable[[], object]) -> None:
        """Record until the end; `gap` is why nothing was recorded before. Raise OSError, sqlite3.Error, RecordingFault.

        `began` is called when all changes are recorded. A file that is ahead, because the clock was set back, is put
        aside: the moments of one file come one after the other.
        """
        gap = gap or KILLED
        while not self._ended.is_set() and self._is_for(self._plan.file):
            with closing(self._opened()) as db:
                try:
                    while not self._ended.is_set() and self._is_for(self._plan.file) and not self._is_ahead(db):
                        gap = self._span(db, gap, began)
                finally:
                    self._attend(False)
                    self._queue.clear()

    def _opened(self) -> sqlite3.Connection:
        """Open the file; one that is ahead of the clock is put aside first."""
        plan = self._plan
        meta = {
            "profile": plan.profile,
            "account": plan.account,
            "zone": plan.zone,
            "version": plan.version,
            "service": plan.service,
        }
        db = open_to_write(plan.file, meta)
        if not self._is_ahead(db):
            return db
        db.close()
        put_aside(plan.file)
        return open_to_write(plan.file, meta)

    def _is_ahead(self, db: sqlite3.Connection) -> bool:
        """Return whether a file was recorded until a moment that is still to come."""
        last = db.execute("SELECT max(end_ms) FROM span").fetchone()[0]
        return last is not None and last - self._clock.now_ms() > OVERLAP_MS

    def _span(self, db: sqlite3.Connection, gap: str, began: Callable[[], object]) -> str:
        """Record until the end, or until something was not recorded. Return why the next one is another span."""
        self._writers.clear()
        self._queue.clear()
        self._overflowed = False
        self._sampled, _ = self._backend.history.added(self._sampled)
        journal = JournalTail(self._plan.journal, self._plan.service)
        breaks, now = self._clock.breaks.look(), self._clock.now_ms()
        with _transaction(db):
            cut_after(db, now)
            db.execute("UPDATE span SET reason = ? WHERE reason = ''", (gap,))
            told = db.execute("INSERT INTO span (start_ms, end_ms, reason) VALUES (?, ?, '')", (now, now))
            first = db.execute("SELECT min(start_ms) FROM span").fetchone()[0]
            recorded = [line for (line,) in db.execute("SELECT entry FROM command ORDER BY id").fetchall()]
            # Own changes are known also where the lists are not: the journal has those that were made in a gap.
            self._write_commands(db, journal.missed(first, recorded))
        span = told.lastrowid
        self._attend(True)
        began()
        written = pruned = removed = 0
        while True:
            ended = self._ended.wait(TICK_SECONDS) or not self._is_for(self._plan.file)
            if ended:
                self._attend(False)
            broken = self._clock.breaks.after(breaks)
            now = broken[0].start_ms if broken else self._clock.now_ms()
            self._drain(now)
            if not broken:
                self._observe(now)
                self._sample()
            with _transaction(db):
                new = any([each.flush(db, now) for each in self._writers.values()])
                new |= self._write_commands(db, journal.read())
                if new or now - written >= BEAT_MS or ended or broken:
                    # A change that is just being told may be from this moment.
                    until = now if ended or broken else now - LATE_MS
                    db.execute("UPDATE span SET end_ms = max(end_ms, ?) WHERE id = ?", (until, span))
                    written = now
                if ended or broken:
                    reason = broken[0].reason if broken else ENDED
                    db.execute("UPDATE span SET reason = ? WHERE id = ?", (reason, span))
                if now - pruned >= PRUNE_MS:
                    removed, pruned = prune(db, now - self._plan.keep_ms, self._plan.most_bytes), now
            if removed:
                shrink(db)
                removed = 0
            if ended or broken or self._overflowed:
                return broken[0].reason if broken else LOST

    def _write_commands(self, db: sqlite3.Connection, entries: Iterable[tuple[int, str]]) -> bool:
        values = [*entries]
        db.executemany("INSERT INTO command (at_ms, entry) VALUES (?, ?)", values)
        return bool(values)

    def _attend(self, on: bool) -> None:
        """Be told of all changes, or of none."""
        for each in self._heard:
            each.tell(None)
        self._heard.clear()
        if on:
            for kind, collection in self._backend.collections().items():
                self._heard.append(collection)
                collection.tell(self._hears(kind))

    def _hears(self, kind: str) -> Callable[[Mapping[str, Any], Sequence[str] | None], object]:
        queue, now_ms = self._queue, self._clock.now_ms

        def hear(upserts: Mapping[str, Any], gone: Sequence[str] | None) -> None:
            if len(queue) < MOST_QUEUED:
                queue.append((now_ms(), kind, upserts, gone))
            else:
                self._overflowed = True

        return hear

    def _drain(self, until_ms: int) -> None:
        """Take the changes that happened until a moment, and a little later ones: they are told in another thread."""
        queue = self._queue
        while queue and queue[0][0] <= until_ms + LATE_MS:
            at_ms, kind, upserts, gone = queue.popleft()
            rows = {key: record.encoded() for key, record in upserts.items()}
            if gone is None:
                self._writer(kind).whole(at_ms, rows)
            else:
                self._writer(kind).change(at_ms, rows, gone)

    def _writer(self, kind: str) -> KindWriter:
        if kind not in self._writers:
            self._writers[kind] = KindWriter(kind)
        return self._writers[kind]

    def _observe(self, now: int) -> None:
        """Note freshness and caller."""
        backend = self._backend
        healths = {kind: backend.health(kind) for kind in self._writers if not kind.startswith(".")}
        healths[LINK] = backend.link
        self._note(HEALTH, now, {kind: health_row(each, now) for kind, each in healths.items()})
        me = backend.me
        if me is not None:
            self._note(CALLER, now, {ROW: me.encoded()})

    def _sample(self) -> None:
        """Note the new samples of the charts, each with its own moment."""
        self._sampled, samples = self._backend.history.added(self._sampled)
        for each in samples:
            # The moment makes each a change, also of the same numbers.
            self._note(SAMPLES, each.at_ms, {each.source: json_row({**each.values, AT: each.at_ms})})

    def _note(self, kind: str, now: int, rows: Mapping[str, bytes]) -> None:
        writer = self._writer(kind)
        if not writer.start_ms:
            writer.whole(now, rows)
        elif changed := {key: row for key, row in rows.items() if writer.rows.get(key) != row}:
            writer.change(now, changed)


class _transaction:
    """A transaction; it is undone after an error."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def __enter__(self) -> None:
        self._db.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: object, error: object, _trace: object) -> None:
        if error is None:
            self._db.execute("COMMIT")
        elif self._db.in_transaction:
            self._db.execute("ROLLBACK")
