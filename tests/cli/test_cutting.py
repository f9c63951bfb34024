"""`console recordings cut` writes a file that `console` reads, or says why not."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from console.recording.recording import ListRecording
from tests.cli.conftest import Console
from tests.recording.film import AT, MINUTE, incident


def test_a_part_of_a_file_is_written_and_not_overwritten(offline: Console, tmp_path: Path):
    file, out = incident(tmp_path / "incident.rec"), tmp_path / "part.rec"
    told = ("recordings", "cut", str(file), "--from", "10:44", "--to", "10:47", "--out", str(out))
    found = offline(*told)
    assert found.code == 0, found.err
    assert "2025-11-19 10:44:00.000 to 2025-11-19 10:47:00.000" in found.out
    assert "--anonymize replaces them" in found.err
    with ListRecording.open(out, finished=True) as part:
        assert part.span == (AT + 4 * MINUTE, AT + 7 * MINUTE)
        assert {*part.rows("calls", AT + 6 * MINUTE)} == {"a", "b"}
    assert "part.rec exists: name another file, or add --force" in " ".join(offline(*told).err.split())
    assert offline(*told, "--force", "--anonymize").code == 0
    with ListRecording.open(out, finished=True) as part:
        assert not {"a", "b"} & {*part.rows("calls", AT + 6 * MINUTE)}
    with sqlite3.connect(out) as db:
        assert db.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    db.close()


@pytest.mark.parametrize(
    ("first", "last", "words"),
    [
        ("10:47", "10:44", "is not before --to"),
        ("soon", "10:44", "--from 'soon' is not a past moment"),
        ("09:00", "09:30", "nothing was recorded from 2025-11-19 09:00"),
    ],
)
def test_a_time_that_cannot_be_cut_is_refused(offline: Console, tmp_path: Path, first: str, last: str, words: str):
    file = incident(tmp_path / "incident.rec")
    found = offline("recordings", "cut", str(file), "--from", first, "--to", last, "--out", str(tmp_path / "x.rec"))
    assert words in found.err
    assert found.code != 0
    assert not (tmp_path / "x.rec").exists()


def test_what_can_be_read_of_a_damaged_recording_is_cut_and_the_command_fails(offline: Console, tmp_path: Path):
    file, out = incident(tmp_path / "incident.rec"), tmp_path / "x.rec"
    with sqlite3.connect(file) as db:
        db.execute("UPDATE segment SET frame = 'damaged' WHERE kind = 'calls'")
    db.close()
    found = offline("recordings", "cut", str(file), "--from", "10:44", "--to", "10:47", "--out", str(out))
    assert f"{file} is damaged: the rows of calls at 2025-11-19 10:40:00 cannot be read" in found.err
    assert (found.code, out.is_file()) == (1, True)


def test_a_place_that_cannot_be_written_is_named(offline: Console, tmp_path: Path):
    file = incident(tmp_path / "incident.rec")
    out = str(tmp_path / "none" / "x.rec")
    found = offline("recordings", "cut", str(file), "--from", "10:41", "--to", "10:42", "--out", out)
    assert "cannot be written" in found.err
    assert found.code == 1
