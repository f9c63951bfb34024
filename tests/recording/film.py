"""Recordings written row by row."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from console.recording.format import CALLER, HEALTH, LINK, ROW, open_to_write
from console.recording.kind_writer import KindWriter

AT = 1_763_545_200_000
"""When these recordings begin: 2025-11-19 10:40 in Madrid."""
MINUTE = 60_000
META = {"profile": "day", "service": "http://voice.example/core", "zone": "Europe/Madrid", "version": "1"}
LIVE = b'{"state":"live","proven":0}'
Row = dict[str, Any]


class Film:
    """A recording that is being written. Moments are in ms since its beginning."""

    def __init__(self, path: Path, began: int = AT, **meta: str) -> None:
        self.path, self._began = path, began
        self._db = open_to_write(path, META | meta)
        self._writers: dict[str, KindWriter] = {}

    def _writer(self, kind: str) -> KindWriter:
        return self._writers.setdefault(kind, KindWriter(kind))

    def whole(self, kind: str, at: int, rows: Iterable[Row]) -> None:
        """Let a list have these rows."""
        writer = self._writer(kind)
        writer.whole(self._began + at, {row["id"]: _text(row) for row in rows})
        writer.flush(self._db, self._began + at)

    def change(self, kind: str, at: int, *rows: Row, gone: Iterable[str] = ()) -> None:
        """Change rows of a list."""
        writer = self._writer(kind)
        writer.change(self._began + at, {row["id"]: _text(row) for row in rows}, gone)
        writer.flush(self._db, self._began + at)

    def known(self, at: int, *kinds: str) -> None:
        """Let lists and the connection be live, and eva be logged in."""
        self._writer(HEALTH).whole(self._began + at, {name: LIVE for name in (LINK, *kinds)})
        me = {"user": {"id": "u-eva", "username": "eva", "domain": "desk.example", "role": "admin"}}
        self._writer(CALLER).whole(self._began + at, {ROW: _text(me)})
        for kind in (HEALTH, CALLER):
            self._writer(kind).flush(self._db, self._began + at)

    def span(self, start: int, end: int, reason: str = "") -> None:
        """Add a recorded time."""
        self.execute(
            "INSERT INTO span (start_ms, end_ms, reason) VALUES (?, ?, ?)",
            self._began + start,
            self._began + end,
            reason,
        )

    def command(self, at: int, entry: Row) -> None:
        """Add an entry of the journal."""
        self.execute("INSERT INTO command (at_ms, entry) VALUES (?, ?)", self._began + at, json.dumps(entry))

    def execute(self, statement: str, *values: object) -> None:
        """Change the file itself."""
        self._db.execute(statement, values)

    def close(self) -> None:
        """Complete the file."""
        for each in self._writers.values():
            each.compact(self._db)
        self._db.close()


def _text(row: Row) -> bytes:
    return json.dumps(row).encode()


@contextmanager
def film(path: Path, began: int = AT, **meta: str) -> Generator[Film]:
    made = Film(path, began, **meta)
    try:
        yield made
    finally:
        made.close()


def incident(path: Path) -> Path:
    """Write ten minutes: call `a` all the time, call `b` and a warning from the fifth on."""
    with film(path) as made:
        made.known(0, "calls", "episodes")
        made.whole("calls", 0, [{"id": "a", "caller": "tel:+34911000001", "state": "queued"}])
        made.whole("episodes", 0, [])
        made.change("calls", 5 * MINUTE, {"id": "b", "caller": "tel:+34911000002", "state": "queued"})
        episode = {"id": "e1", "rule": "alert", "state": "active", "title": "alert", "words": "Line down"}
        made.change("episodes", 5 * MINUTE, episode | {"beganAt": AT + 5 * MINUTE, "worst": "warning"})
        made.span(0, 10 * MINUTE, "the console ended")
    return path
