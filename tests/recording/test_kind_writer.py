"""What was written of a list is read again, row by row, at every moment."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from console.kinds.catalogue import FEEDS
from console.recording import kind_writer
from console.recording.format import open_to_write
from console.recording.kind_writer import KindWriter
from console.recording.recording import ListRecording
from console.records.record import Record

STATES = ("ringing", "connected", "queued", "ended", "stånge\u200b", None, 7, {"a": [1]})
ODD = (b"7", b"[1,2]", b'"text"', b"{not json", b'{"id":"\xff","state":"ringing"}', b"", b'{"id":"a","id":"b"}')


def any_row(lot: random.Random, key: str) -> bytes:
    if lot.random() < 0.05:
        return lot.choice(ODD)
    row: dict[str, Any] = {"id": key, "state": lot.choice(STATES), "createdAt": lot.randrange(2_000_000_000_000)}
    for name in ("domain", "unknown", "x y", 'quo"te'):
        if lot.random() < 0.5:
            row[name] = lot.choice((None, 1.5, "text", [{"b": 1}], "é\ud800" if lot.random() < 0.1 else "ö"))
    return json.dumps(row, ensure_ascii=lot.random() < 0.5).encode(errors="replace")


@pytest.mark.parametrize("seed", range(3))
def test_the_rows_of_all_moments_are_read_as_they_were(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(kind_writer, "MOST_CHANGES", 40)
    monkeypatch.setattr(kind_writer, "TAIL_BYTES", 2_000)
    lot, now, shown = random.Random(seed), 1_790_000_000_000, dict[str, bytes]()
    told: list[tuple[int, dict[str, bytes]]] = []
    db = open_to_write(tmp_path / "a.rec", {"profile": "day"})
    writer = KindWriter("calls")
    writer.whole(now, {})
    with ListRecording.open(tmp_path / "a.rec") as read:
        for _ in range(300):
            now += lot.choice((0, 1, 5, 400))
            upserts = {key: any_row(lot, key) for key in (f"c{lot.randrange(12)}" for _ in range(lot.randrange(4)))}
            gone = [key for key in (f"c{lot.randrange(12)}",) if lot.random() < 0.3 and key not in upserts]
            if lot.random() < 0.01:
                shown = dict(upserts)
                writer.flush(db, now)
                writer.whole(now, shown)
            else:
                for key in gone:
                    shown.pop(key, None)
                shown = {**shown, **upserts}
                writer.change(now, upserts, gone)
            told.append((now, dict(shown)))
            if lot.random() < 0.3:
                with db:
                    db.execute("BEGIN")
                    writer.flush(db, now)
                assert rows(read, now) == records(shown), read.damage
        writer.flush(db, now)
        last = {at: rows for at, rows in told}
        moments = [(at, records(rows)) for at, rows in last.items()]
        lot.shuffle(moments)
        assert [at for at, expected in moments if rows(read, at) != expected] == []
        assert read.damage == ()
        changes_lead_from_one_moment_to_any_other(read, lot, [at for at, _ in moments])
        lives_have_the_same_changes(read, min(last), now)
        with ListRecording.open(tmp_path / "a.rec") as again:
            lives_have_the_same_changes(again, min(last), now)
    db.close()


def test_a_secret_that_changes_is_no_change_and_its_mask_comes_and_goes(tmp_path: Path) -> None:
    db = open_to_write(tmp_path / "a.rec", {"profile": "day"})
    writer = KindWriter("calls")
    writer.whole(1_000, {"c": b'{"id":"c","token":"one"}'})
    writer.change(2_000, {"c": b'{"id":"c","token":"two"}'})
    writer.change(3_000, {"c": b'{"id":"c","token":"two","in":{"pin":"7","x":1}}'})
    writer.change(4_000, {"c": b'{"id":"c","token":"","in":{"pin":"8","x":1}}'})
    writer.flush(db, 4_000)
    db.close()
    with ListRecording.open(tmp_path / "a.rec") as read:
        told = read.changes("calls", 1_000, 5_000)
        changes = [(each.at_ms, json.loads(each.after.encoded())) for each in told if each.after is not None]
    masked = {"pin": "(secret)", "x": 1}
    assert changes == [
        (3_000, {"id": "c", "token": "(secret)", "in": masked}),
        (4_000, {"id": "c", "token": "", "in": masked}),
    ]


def changes_lead_from_one_moment_to_any_other(read: ListRecording, lot: random.Random, moments: list[int]) -> None:
    for _ in range(50):
        first, last = sorted(lot.sample(moments, 2))
        found = rows(read, first)
        for change in read.changes("calls", first, last):
            assert found.get(change.key) == change.before
            assert first < change.at_ms <= last
            if change.after is None:
                del found[change.key]
            else:
                found[change.key] = change.after
        assert found == rows(read, last)


def lives_have_the_same_changes(read: ListRecording, first: int, last: int) -> None:
    """Compare what is read of one row with what is read of all, except at the starts of what was not known before."""
    starts = {*read.starts("calls")}
    of_all = [change for change in read.changes("calls", first, last) if change.at_ms not in starts]
    assert of_all
    for key in (f"c{number}" for number in range(12)):
        history = [
            change for change in read.history("calls", key) if change.at_ms > first and change.at_ms not in starts
        ]
        assert history == [change for change in of_all if change.key == key]
    assert read.damage == ()


def rows(read: ListRecording, at_ms: int) -> dict[str, Record]:
    return dict(read.rows("calls", at_ms))


def records(shown: dict[str, bytes]) -> dict[str, Record]:
    return {key: FEEDS["calls"].read(row, key) for key, row in shown.items()}


def test_the_life_of_a_record_has_each_of_its_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(kind_writer, "MOST_CHANGES", 3)
    db = open_to_write(tmp_path / "a.rec", {})
    writer = KindWriter("calls")
    writer.whole(1_000, {"b": b'{"id":"b"}'})
    states = ["ringing", "queued", "connected", "ended", "ringing"]
    for number, state in enumerate(states):
        writer.change(2_000 + number, {"a": json.dumps({"id": "a", "state": state}).encode()})
        writer.change(2_000 + number, {"b": json.dumps({"id": "b", "to": str(number)}).encode()})
        writer.flush(db, 2_000 + number)
    writer.change(3_000, {}, ["a"])
    writer.flush(db, 3_000)
    with ListRecording.open(tmp_path / "a.rec") as read:
        history = read.history("calls", "a")
        assert [(each.at_ms, getattr(each.after, "state", None)) for each in history] == [
            *((2_000 + number, state) for number, state in enumerate(states)),
            (3_000, None),
        ]
        assert [each.before for each in history[1:]] == [each.after for each in history[:-1]]
    db.close()
