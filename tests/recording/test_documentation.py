"""The program in the documentation reads a recording with the standard library alone."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

from console.recording import kind_writer
from console.recording.format import open_to_write
from console.recording.kind_writer import KindWriter
from console.recording.recording import ListRecording
from console.records import changes_by_column
from tests.recording.test_kind_writer import any_row

PAGE = Path(__file__).resolve().parents[2] / "docs" / "recording.md"


def test_the_documented_program_finds_the_same_rows(tmp_path: Path, monkeypatch: Any):
    found = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    names: dict[str, Any] = {}
    exec(found[1], names)
    monkeypatch.setattr(changes_by_column, "BATCH", 3)
    monkeypatch.setattr(kind_writer, "MOST_CHANGES", 60)
    monkeypatch.setattr(kind_writer, "TAIL_BYTES", 2_000)
    lot, at = random.Random(4), 1_790_000_000_000
    db, writer = open_to_write(tmp_path / "a.rec", {}), KindWriter("calls")
    writer.whole(at, {"a": b'{"id":"a"}'})
    for _ in range(200):
        at += lot.randrange(500)
        key = f"c{lot.randrange(9)}"
        gone = [key] if lot.random() < 0.2 else []
        row = any_row(lot, key)
        plain = row.startswith(b'{"id": ') and b"ud800" not in row
        writer.change(at, {key: row} if plain and not gone else {}, gone)
        writer.flush(db, at)
    with ListRecording.open(tmp_path / "a.rec") as read:
        for moment in range(1_790_000_000_000, at, 3_000):
            expected = {key: json.loads(each.encoded()) for key, each in read.rows("calls", moment).items()}
            assert names["rows"](tmp_path / "a.rec", "calls", moment) == expected
    db.close()
