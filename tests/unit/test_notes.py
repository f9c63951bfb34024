"""Hand-over notes: kept in one file, by several consoles at once."""

from __future__ import annotations

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from console.config import paths
from console.recording import notes as recording_notes
from console.recording.notes import LONGEST, SHOWN_MS, Notes, fault_of
from tests.patience import PATIENCE

NOW = 1_790_020_800_000
MOST = 60


@pytest.fixture(autouse=True)
def few_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording_notes, "MOST", MOST)


def test_a_note_is_seen_by_everybody_until_each_dismisses_it(tmp_path: Path):
    file = tmp_path / "state" / "notes-day.json"
    mine, theirs = Notes(file), Notes(file)
    made = mine.add("line 3 is down", "eva", NOW, kind="calls", key="a")
    assert [each.text for each in theirs.pending("ana", NOW)] == ["line 3 is down"]
    assert theirs.dismiss([made.id], "ana") == 1
    assert theirs.dismiss([made.id], "ana") == 0
    assert theirs.pending("ana", NOW) == ()
    assert [(each.author, each.kind, each.key) for each in mine.pending("eva", NOW)] == [("eva", "calls", "a")]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_two_consoles_lose_no_note_of_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    # A person would not write twenty without a pause, and waits for one only.
    monkeypatch.setattr(paths, "LOCK_SECONDS", PATIENCE)
    file = tmp_path / "notes-day.json"

    def write(who: str) -> None:
        notes = Notes(file)
        for number in range(20):
            notes.add(f"{who} {number}", who, NOW + number)

    with ThreadPoolExecutor() as threads:
        list(threads.map(write, ("eva", "ana", "bob")))
    assert len({each.text for each in Notes(file).all()}) == 60


@pytest.mark.parametrize("ahead_ms", [SHOWN_MS + 1, 400 * 86_400_000, -400 * 86_400_000])
def test_a_note_with_a_wrong_date_deletes_no_other_and_is_kept_itself(tmp_path: Path, ahead_ms: int):
    notes = Notes(tmp_path / "notes.json")
    for number in range(MOST - 1):
        notes.add(str(number), "eva", NOW + number)
    wrong = notes.add("wrong clock", "bob", NOW + ahead_ms)
    assert len(notes.all()) == MOST
    last = notes.add("afterwards", "ana", NOW + MOST)
    notes.dismiss([last.id], "ana")
    texts = {each.text for each in notes.all()}
    assert texts == {*map(str, range(1, MOST - 1)), "wrong clock", "afterwards"}
    assert (wrong.text in {each.text for each in notes.pending("eva", NOW)}) is (ahead_ms > 0)
    assert len(notes.pending("eva", NOW)) >= MOST - 1


def test_a_note_is_shown_for_a_week(tmp_path: Path):
    notes = Notes(tmp_path / "notes.json")
    notes.add("old", "eva", NOW - SHOWN_MS)
    notes.add("new", "eva", NOW - SHOWN_MS + 1)
    assert [each.text for each in notes.pending("ana", NOW)] == ["new"]
    assert [each.text for each in notes.recent(NOW)] == ["new"]


def test_old_notes_and_more_than_are_kept_go(tmp_path: Path):
    notes = Notes(tmp_path / "notes.json")
    notes.add("old", "eva", NOW - SHOWN_MS)
    for number in range(MOST + 1):
        notes.add(str(number), "eva", NOW + number)
    found = [each.text for each in notes.all()]
    assert len(found) == MOST
    assert found[0] == "1"
    assert [each.text for each in notes.between(NOW + 5, NOW + 6)] == ["5", "6"]


def test_a_note_shows_nothing_that_could_control_a_terminal(tmp_path: Path):
    file = tmp_path / "notes.json"
    Notes(file).add("a\x1b[2J\u202eb\nc", "e\x07va", NOW, kind="ca\x1blls")
    (found,) = Notes(file).all()
    assert all(each.isprintable() for each in (found.text, found.author, found.kind))


def test_a_file_that_is_damaged_or_odd_has_the_notes_that_can_be_read(tmp_path: Path):
    file = tmp_path / "notes.json"
    for text in ("", "{", "[1, {}, null]", '{"a": 1}', "[" * 100_000, '[{"id": 1, "at": "x", "text": []}]'):
        file.write_text(text, encoding="utf-8")
        assert Notes(file).all() == ()
    file.write_text('[{"id": "a", "at": 5, "text": "' + "x" * 5_000 + '", "dismissed": 3}]', encoding="utf-8")
    (found,) = Notes(file).all()
    assert len(found.text) == LONGEST


@pytest.mark.parametrize("content", ["{", '[{"id": "a", "at": 5, "te', "\ufeffx", "[1]"])
def test_a_damaged_file_of_notes_is_kept_when_a_note_is_added(tmp_path: Path, content: str):
    file = tmp_path / "notes.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(OSError, match=f"{file} cannot be read: it is damaged; repair or rename it"):
        Notes(file).add("new", "eva", NOW)
    assert file.read_text(encoding="utf-8") == content
    file.unlink()
    Notes(file).add("new", "eva", NOW)
    assert [note.text for note in Notes(file).all()] == ["new"]


@pytest.mark.parametrize("content", ["", " \n", "[]"])
def test_a_file_without_notes_takes_one(tmp_path: Path, content: str):
    file = tmp_path / "notes.json"
    file.write_text(content, encoding="utf-8")
    Notes(file).add("new", "eva", NOW)
    assert [note.text for note in Notes(file).all()] == ["new"]


def test_a_link_or_a_pipe_in_the_place_of_notes_is_neither_replaced_nor_waited_for(tmp_path: Path):
    link, pipe = tmp_path / "link.json", tmp_path / "pipe.json"
    link.symlink_to("missing.json")
    os.mkfifo(pipe)
    for file in (link, pipe):
        mode = file.lstat().st_mode
        assert Notes(file).all() == ()
        with pytest.raises(OSError, match=f"{file} cannot be read: "):
            Notes(file).add("new", "eva", NOW)
        assert file.lstat().st_mode == mode


def test_a_text_that_is_no_note_is_refused_with_the_reason():
    assert fault_of(" ") == "A note needs a text."
    assert fault_of("x" * (LONGEST + 1)) == f"At most {LONGEST} characters."
    assert fault_of("x" * LONGEST) is None
