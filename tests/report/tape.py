"""Recordings made by hand: each change at a moment of your choice."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from console.live.delta import Freshness, Health
from console.recording.format import CALLER, HEALTH, LINK, ROW, SAMPLES, open_to_write
from console.recording.kind_writer import KindWriter
from console.recording.observed import health_row, json_row
from console.recording.recording import ListRecording
from console.records.record import Record
from console.report.report import Report, report
from console.views.render_context import RenderContext

FIRST = 1_790_020_800_000
"""Monday, 21 September 2026, 22:00 in Madrid."""
ZONE = ZoneInfo("Europe/Madrid")
LIVE, LOST = Health(Freshness.LIVE, 0.0), Health(Freshness.OFFLINE, 0.0, "connection refused")
EVA = {"user": {"id": "eva", "username": "eva", "role": "admin"}}


class Tape:
    """Writes a recording. Moments are seconds after `first`, by default 22:00."""

    def __init__(self, file: Path, first: int = FIRST, profile: str = "night") -> None:
        self.first = first
        meta = {"profile": profile, "service": "http://core.test", "zone": "Europe/Madrid", "version": "1"}
        self.file = file
        self.db: sqlite3.Connection = open_to_write(file, meta)
        self.at = 0.0
        self._writers: dict[str, KindWriter] = {}
        self._healths: dict[str, Health] = {}
        self._span = 0

    @property
    def now(self) -> int:
        return self.first + round(1000 * self.at)

    def begin(self, lists: Mapping[str, Mapping[str, Any]], link: Health = LIVE) -> None:
        """Begin a recorded time with the rows of lists by key, which are current a moment later."""
        self._writers = {}
        told = self.db.execute("INSERT INTO span (start_ms, end_ms, reason) VALUES (?, ?, '')", (self.now, self.now))
        self._span = told.lastrowid or 0
        for kind, rows in lists.items():
            self._writer(kind).whole(self.now, {key: _row(each) for key, each in rows.items()})
        self._healths = {LINK: link, **dict.fromkeys(lists, LIVE)}
        self._writer(HEALTH).whole(self.now, {kind: health_row(each, self.now) for kind, each in self._healths.items()})
        self._writer(CALLER).whole(self.now, {ROW: json_row(EVA)})
        self._flush()

    def put(self, kind: str, key: str, row: Any = None, /, **fields: Any) -> None:
        """Add or replace a row now."""
        self._writer(kind).change(self.now, {key: _row(fields if row is None else row)})
        self._flush()

    def remove(self, kind: str, *keys: str) -> None:
        """Remove rows now."""
        self._writer(kind).change(self.now, {}, keys)
        self._flush()

    def keys(self, kind: str) -> tuple[str, ...]:
        """Return the keys of the current rows."""
        return tuple(self._writer(kind).rows)

    def health(self, health: Health, *names: str) -> None:
        """Set the freshness of lists, or of the link, now."""
        for name in names:
            self._writer(HEALTH).change(self.now, {name: health_row(health, self.now)})
        self._flush()

    def sample(self, **values: float) -> None:
        """Add a sample of charts."""
        writer = self._writer(SAMPLES)
        if writer.start_ms:
            writer.change(self.now, {ROW: json_row(values)})
        else:
            writer.whole(self.now, {ROW: json_row(values)})
        self._flush()

    def journal(self, **entry: Any) -> None:
        """Add an entry of the journal."""
        self.db.execute(
            "INSERT INTO command (at_ms, entry) VALUES (?, ?)", (self.now, json.dumps({"at": self.now, **entry}))
        )

    def end(self, reason: str = "the console ended") -> None:
        """End the recorded time now."""
        self._flush()
        self.db.execute("UPDATE span SET reason = ? WHERE id = ?", (reason, self._span))

    def _writer(self, kind: str) -> KindWriter:
        return self._writers.setdefault(kind, KindWriter(kind))

    def _flush(self) -> None:
        self.db.execute("BEGIN")
        for each in self._writers.values():
            each.flush(self.db, self.now)
        self.db.execute("UPDATE span SET end_ms = max(end_ms, ?) WHERE id = ?", (self.now, self._span))
        self.db.execute("COMMIT")


def _row(row: Any) -> bytes:
    return row.encoded() if isinstance(row, Record) else json.dumps(row).encode()


@contextmanager
def tape(folder: Path) -> Generator[Tape]:
    """Write a recording within the block."""
    made = Tape(folder / "night.rec")
    try:
        yield made
    finally:
        made.db.close()


def render_of(recording: ListRecording, at_ms: int) -> RenderContext:
    def lookup(kind: str) -> Mapping[str, Record]:
        return recording.rows(kind, at_ms)

    return RenderContext(at_ms, ZONE, "eva", lookup, role="admin")


def reported(made: Tape, first: float = 0, last: float | None = None) -> Report:
    """Return the report of a time in seconds after 22:00, until the end of the recording if there is no end."""
    with ListRecording.open(made.file) as recording:
        end = made.now if last is None else FIRST + round(1000 * last)
        return report(recording, FIRST + round(1000 * first), end, render_of(recording, end))


def call(
    key: str, state: str, since: float, *, to: float | None = None, first: int = FIRST, **fields: Any
) -> dict[str, Any]:
    """Return a call that began at a second, and ended at another."""
    found = {"id": key, "state": state, "date": first + round(1000 * since), "target": "billing", "caller": "tel:1"}
    return {**found, **({} if to is None else {"to": first + round(1000 * to)}), **fields}


def agent(key: str, *chats: str, online: bool = True, activity: str = "available") -> dict[str, Any]:
    """Return an agent with support chats."""
    channels = {"chat": [{"chatId": each, "timestamp": FIRST} for each in chats]}
    return {"id": key, "displayName": key.title(), "online": online, "activity": activity, "channels": channels}


def at(seconds: float) -> int:
    """Return a moment in ms since the epoch."""
    return FIRST + round(1000 * seconds)


def by(items: Iterable[Any], name: str) -> dict[str, Any]:
    """Return items by one of their members."""
    return {getattr(each, name): each for each in items}
