"""A recording stays within its limits, and a disk that cannot be written stops nothing but the recording."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Mapping
from pathlib import Path

import pytest

from console.base.clock import SystemClock
from console.kinds.catalogue import FEEDS
from console.recording import file_writer
from console.recording.format import open_to_write
from console.recording.kind_writer import KindWriter
from console.recording.limits import prune, used_bytes
from console.recording.recording import ListRecording
from tests.live.until import until
from tests.recording.desk import Desk, plan_of, recorded, recorder_of

BEGAN = 1_790_000_000_000
MINUTE = 60_000


def written(db: sqlite3.Connection, minutes: int) -> dict[int, dict[str, bytes]]:
    """Write two lists for a time, and return the rows of the first at each minute."""
    lot = random.Random(1)
    busy, quiet = KindWriter("calls"), KindWriter("groups")
    shown: dict[int, dict[str, bytes]] = {}
    rows: dict[str, bytes] = {}
    db.execute("INSERT INTO span (start_ms, end_ms, reason) VALUES (?, ?, '')", (BEGAN, BEGAN + minutes * MINUTE))
    quiet.whole(BEGAN, {"g": b'{"id":"g"}'})
    busy.whole(BEGAN, {})
    for minute in range(minutes):
        at = BEGAN + minute * MINUTE
        key = f"c{lot.randrange(20)}"
        rows[key] = json.dumps({"id": key, "text": str(lot.getrandbits(4_000))}).encode()
        busy.change(at, {key: rows[key]})
        shown[at] = dict(rows)
        db.execute("BEGIN")
        busy.flush(db, at)
        quiet.flush(db, at)
        db.execute("COMMIT")
    return shown


@pytest.mark.parametrize("limit", ["age", "size"])
def test_the_oldest_part_is_removed_and_the_rest_is_whole(tmp_path: Path, limit: str):
    db = open_to_write(tmp_path / "a.rec", {})
    shown = written(db, 6 * 60)
    before = used_bytes(db)
    oldest, most = (BEGAN + 4 * 60 * MINUTE, 10**9) if limit == "age" else (0, before // 3)
    db.execute("BEGIN")
    removed = prune(db, oldest, most)
    db.execute("COMMIT")
    assert removed
    assert used_bytes(db) < before * 0.5
    with ListRecording.open(tmp_path / "a.rec") as read:
        span = read.span
        assert span is not None
        assert BEGAN < span[0] < span[1] == BEGAN + 6 * 60 * MINUTE
        assert limit == "size" or span[0] >= oldest
        for at, rows in shown.items():
            if at >= span[0]:
                assert dict(read.rows("calls", at)) == {key: FEEDS["calls"].read(row) for key, row in rows.items()}
                assert [*read.rows("groups", at)] == ["g"]
    db.close()


def test_a_full_disk_stops_the_recording_which_goes_on_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    full, opened = [True], file_writer.open_to_write

    def small(path: Path, meta: Mapping[str, str]) -> sqlite3.Connection:
        db = opened(path, meta)
        if full:
            db.execute("PRAGMA max_page_count=30")
        return db

    monkeypatch.setattr(file_writer, "open_to_write", small)
    desk, plan, lot = Desk("calls"), plan_of(tmp_path), random.Random(2)
    with recorded(desk, plan):
        number = 0
        while not desk.recording_fault:
            number += 1
            desk.put("calls", id=f"c{number}", text=str(lot.getrandbits(8_000)))
        assert desk.recording_fault == "database or disk is full"
        until(lambda: not desk.recorded)
        full.clear()
        until(lambda: not desk.recording_fault)
        assert desk.recorded
        desk.put("calls", id="after")
        with ListRecording.open(plan.file) as read:
            until(lambda: "after" in read.rows("calls", SystemClock().now_ms()))
            assert "database or disk is full" in [gap.reason for gap in read.gaps]
            assert len(read.rows("calls", SystemClock().now_ms())) == number + 1
            assert read.damage == ()


def test_a_folder_that_cannot_be_written_is_a_fault_that_names_it(tmp_path: Path):
    (tmp_path / "file").write_text("")
    desk = Desk("calls")
    made = recorder_of(desk, plan_of(tmp_path / "file"))
    made.start()
    until(lambda: desk.recording_fault == f"{tmp_path / 'file'}: Not a directory")
    made.stop()
