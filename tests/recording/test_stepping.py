"""A step from one moment to the next reads only what changed, also where another segment begins."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from console.recording import kind_writer
from console.recording.format import open_to_write
from console.recording.kind_writer import KindWriter
from console.recording.past import READ_AHEAD, Past
from console.recording.recording import ListRecording
from tests.live.until import until

BEGAN = 1_790_000_000_000
STEP = 10_000
STEPS = 12
PARTS = [("segment", "frame"), ("block", "changes"), ("tail", "changes")]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Each step changes one of five calls; every three steps, a segment begins."""
    monkeypatch.setattr(kind_writer, "MOST_CHANGES", 3)
    monkeypatch.setattr(kind_writer, "CHANGES_PER_ROW", 0)
    monkeypatch.setattr(kind_writer, "TAIL_BYTES", 1)
    db, writer = open_to_write(tmp_path / "a.rec", {}), KindWriter("calls")
    db.execute("INSERT INTO span (start_ms, end_ms, reason) VALUES (?, ?, '')", (BEGAN, BEGAN + STEPS * STEP))
    writer.whole(BEGAN, {f"c{number}": b'{"id":"c%d"}' % number for number in range(5)})
    for number in range(STEPS):
        row = json.dumps({"id": f"c{number % 5}", "state": f"s{number}"}).encode()
        writer.change(BEGAN + number * STEP, {f"c{number % 5}": row})
        writer.flush(db, BEGAN + number * STEP)
    assert db.execute("SELECT count(*) FROM segment").fetchone()[0] > 3
    yield tmp_path / "a.rec"
    db.close()


@pytest.mark.parametrize("direction", [1, -1])
def test_a_step_keeps_the_records_that_did_not_change(file: Path, direction: int):
    steps = range(1, STEPS) if direction > 0 else range(STEPS - 2, -1, -1)
    with ListRecording.open(file) as read:
        before = read.rows("calls", BEGAN + (steps[0] - direction) * STEP)
        for step in steps:
            now = read.rows("calls", BEGAN + step * STEP)
            changed = (step if direction > 0 else step + 1) % 5
            assert [key for key, record in now.items() if record is not before[key]] == [f"c{changed}"]
            states = {key: record.encoded() for key, record in now.items()}
            assert f's{step}"'.encode() in states[f"c{step % 5}"]
            before = now


@pytest.mark.parametrize("direction", [1, -1])
def test_the_next_step_is_read_ahead(file: Path, direction: int):
    damage = [f"UPDATE {table} SET {column} = 'damaged'" for table, column in PARTS]
    with closing(sqlite3.connect(":memory:")) as intact, closing(sqlite3.connect(file)) as db:
        db.backup(intact)
        for first in range(2, STEPS - 2):
            past = Past(ListRecording.open(file), BEGAN)
            past.records("calls")
            past.move(BEGAN + first * STEP)
            until(lambda: READ_AHEAD not in {thread.name for thread in threading.enumerate()})
            db.executescript(";".join(damage))
            assert len(past.recording.rows("calls", BEGAN + (first + direction) * STEP)) == 5
            assert past.recording.damage == ()
            past.stop()
            intact.backup(db)
