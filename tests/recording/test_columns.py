"""Changes by columns are those that were written, and damaged or hostile ones do no harm."""

from __future__ import annotations

import json
import sqlite3
import time
import tracemalloc
import zlib
from pathlib import Path
from typing import Any

import pytest

from console.recording import kind_writer
from console.recording.changes import record_class
from console.recording.format import open_to_write
from console.recording.kind_writer import KindWriter
from console.recording.recording import ListRecording
from console.recording.segment import OneRow
from console.records import changes_by_column
from console.records.changes_by_column import folded, frame_of, unfolded
from console.records.row_changes import read_entries

BEGAN = 1_790_000_000_000
CHANGES = [
    [0, "a", {"state": "queued", "from": BEGAN}],
    [5, 0, {"state": None, "from": BEGAN + 7}, ["to"]],
    [0, "b", ["no obj\u00e9ct"]],
    [9, 0, {"from": None, "x": 1.50}],
    [1, 0, None],
    [2, 0, {"from": 1_790_000_000_001, "state": {"a": [1]}}],
]


def test_changes_by_columns_are_those_that_were_written():
    entries = read_entries(json.dumps(CHANGES).encode())
    text = folded(entries)
    assert unfolded(text).entries() == entries
    # A time is written as the difference to the one before.
    assert json.loads(text)["times"]["from"] == [[0, 1, 2, 2], [BEGAN, 7, None, -6]]


def test_a_frame_of_several_batches_has_the_rows_of_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(changes_by_column, "BATCH", 2)
    rows: dict[str, bytes] = {
        "a": b'{"id":"a","data":{"x":\n 1},"from":1790000000001}',
        "b": b'{"id":"b","to":1790000000002}',
        "c": b'["no object\x1e"]',
        "d": b'{"id":"d","from":1790000000003,"text":"\\u001e"}',
        "e": b'{"id":"e"}',
    }
    db, writer = open_to_write(tmp_path / "a.rec", {}), KindWriter("calls")
    db.execute("INSERT INTO span (start_ms, end_ms, reason) VALUES (?, ?, '')", (BEGAN, BEGAN + 100))
    writer.whole(BEGAN, rows)
    for key in ("b", "e"):
        writer.change(BEGAN + 5, {key: b'{"id":"%b","state":"over"}' % key.encode()})
    writer.flush(db, BEGAN + 5)
    with ListRecording.open(tmp_path / "a.rec") as read:
        assert {key: record.encoded() for key, record in read.rows("calls", BEGAN).items()} == rows
        lives = {key: [change.after for change in read.history("calls", key)] for key in rows}
        assert {key: len(states) for key, states in lives.items()} == {"a": 1, "b": 2, "c": 1, "d": 1, "e": 2}
        assert read.damage == ()
    db.close()


def test_a_moment_is_read_without_the_changes_long_after_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(kind_writer, "TAIL_BYTES", 1)
    db, writer = open_to_write(tmp_path / "a.rec", {}), KindWriter("calls")
    db.execute("INSERT INTO span (start_ms, end_ms, reason) VALUES (?, ?, '')", (BEGAN, BEGAN + 100))
    writer.whole(BEGAN, {})
    for number in range(9):
        writer.change(BEGAN + 10 * number, {f"c{number}": b'{"id":"c"}'})
        writer.flush(db, BEGAN + 10 * number)
    db.execute("UPDATE block SET changes = 'damaged' WHERE first = 5")
    with ListRecording.open(tmp_path / "a.rec") as read:
        assert len(read.rows("calls", BEGAN + 10)) == 2
        assert len(read.rows("calls", BEGAN + 35)) == 4
        assert read.damage == ()
        assert len(read.rows("calls", BEGAN + 90)) == 5
        assert "cannot be read" in read.damage[0]
    db.close()


GOOD: dict[str, Any] = {"after": [0], "keys": ["a"], "fields": {"id": [None, ["a"]]}, "times": {}, "rest": []}


WRONG: list[dict[str, Any]] = [
    {"after": []},
    {"after": [-1]},
    {"after": [2**60]},
    {"after": [2**70]},
    {"keys": [7]},
    {"keys": [-1]},
    {"fields": {"id": [[1], ["a"]]}},
    {"fields": {"id": [[-1], ["a"]]}},
    {"fields": {"id": [[0, 0], ["a", "b"]]}},
    {"fields": {"id": [None, []]}},
    {"fields": {"id": [None, ["a"], [3]]}},
    {"times": {"to": [[0, 9], [1, 2]]}},
    {"times": {"to": [[0], [10**18]]}},
    {"rest": [[1, None]]},
    {"rest": [[0, []]]},
    {"rest": [[0, ["\u20ac"]]]},
    {"rest": [[0, ["a", "b"]]]},
]


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_part_is_damage_and_what_was_before_it_is_shown(tmp_path: Path, wrong: dict[str, Any]):
    db, writer = open_to_write(tmp_path / "a.rec", {}), KindWriter("calls")
    db.execute("INSERT INTO span (start_ms, end_ms, reason) VALUES (?, ?, '')", (BEGAN, BEGAN + 100))
    writer.whole(BEGAN, {"first": b'{"id":"first"}'})
    writer.flush(db, BEGAN)
    put(db, GOOD)
    with ListRecording.open(tmp_path / "a.rec") as read:
        assert [*read.rows("calls", BEGAN + 50)] == ["first", "a"]
    put(db, GOOD | wrong)
    with ListRecording.open(tmp_path / "a.rec") as read:
        assert [*read.rows("calls", BEGAN + 50)] == ["first"]
        assert len(read.damage) == 1
        assert [each.key for each in read.changes("calls", BEGAN, BEGAN + 50)] == []
        assert len(read.history("calls", "first")) == 1
    db.close()


def put(db: sqlite3.Connection, part: dict[str, Any]) -> None:
    db.execute("DELETE FROM block")
    db.execute("INSERT INTO block VALUES (1, 0, 1, ?)", (zlib.compress(json.dumps(part).encode()),))


def test_a_part_with_very_many_fields_is_read_in_time(tmp_path: Path):
    many = 20_000
    part = {
        "after": [0] * many,
        "keys": [f"c{number}" for number in range(many)],
        "fields": {f"f{number}": [[number], [1]] for number in range(many)},
        "times": {},
        "rest": [],
    }
    db, writer = open_to_write(tmp_path / "a.rec", {}), KindWriter("calls")
    writer.whole(BEGAN, {})
    writer.flush(db, BEGAN)
    put(db, part)
    began = time.process_time()
    with ListRecording.open(tmp_path / "a.rec") as read:
        assert len(read.rows("calls", BEGAN + 50)) == many
    assert time.process_time() - began < 5
    db.close()


def test_the_life_of_one_among_thousands_takes_the_memory_of_one(tmp_path: Path):
    names = [f"field{number}" for number in range(20)]
    rows = {
        f"c{row}": json.dumps({"id": f"c{row}", **{name: f"{name} {row}" for name in names}}) for row in range(3_000)
    }
    db, writer = open_to_write(tmp_path / "a.rec", {}), KindWriter("calls")
    db.execute("INSERT INTO span (start_ms, end_ms, reason) VALUES (?, ?, '')", (BEGAN, BEGAN + 100))
    writer.whole(BEGAN, {key: row.encode() for key, row in rows.items()})
    writer.flush(db, BEGAN)
    db.close()
    size = sum(map(len, rows.values()))
    with ListRecording.open(tmp_path / "a.rec") as read:
        tracemalloc.start()
        try:
            (first,) = read.history("calls", "c7")
            kept, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert first.after is not None
    assert json.loads(first.after.encoded()) == json.loads(rows["c7"])
    assert kept < size / 20
    assert peak < 2.5 * size


def test_a_row_is_found_in_a_frame_without_reading_the_values_of_most_others(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(changes_by_column, "BATCH", 100)
    frame = frame_of(
        read_entries(json.dumps([[0, f"c{row}", {"id": f"c{row}", "x": row}] for row in range(3_000)]).encode())
    )
    one = OneRow("calls", "c1234", BEGAN, record_class("calls"))
    tracemalloc.start()
    try:
        one.begin(frame, lambda _: None)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert one.first is not None
    assert json.loads(one.first.encoded()) == {"id": "c1234", "x": 1234}
    assert peak < len(frame) / 2
