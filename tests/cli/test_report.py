"""`console report` and `console notes`."""

from __future__ import annotations

import json
import re
import shlex
import sqlite3
import stat
from pathlib import Path

import pytest

from tests.cli.conftest import Console, profile
from tests.for_each import for_each
from tests.identities import recording_of_desk
from tests.report.tape import Tape, agent, call


@pytest.fixture
def night(home: Path) -> Path:
    """Write a recording: a call was given up."""
    profile(home, "http://127.0.0.1:9/core", 'time_zone = "Europe/Madrid"')
    file = recording_of_desk()
    file.parent.mkdir(parents=True)
    made = Tape(file, profile="desk")
    open_before = {"alertId": "k", "title": "Trunk down", "createdAt": made.now - 100_000, "state": "active"}
    skill = {"skill": "night shift", "agents": ["ana"]}
    made.begin({"calls": {}, "agents": {}, "skills": {"night shift": skill}, "alerts": {"k": open_before}})
    made.at = 50
    made.put("agents", "ana", agent("ana", online=False, activity="offline"))
    made.at = 100
    made.put("calls", "a", call("a", "queued", 100))
    made.at = 150
    made.put("calls", "a", call("a", "abandoned", 100, to=150))
    made.at = 3600
    made.end()
    made.db.close()
    return file


def test_a_report_is_printed_as_markdown_for_the_time_in_the_zone_of_the_profile(offline: Console, night: Path):
    found = offline("report", "--from", "2026-09-21 22:00", "--to", "23:00")
    assert found.code == 0, found.err
    assert "# Shift report 2026-09-21 22:00 to 23:00, Europe/Madrid" in found.out
    assert "1 call offered, 0 answered, 1 abandoned" in found.out


def test_a_report_of_a_file_ends_with_its_recording_and_needs_no_profile(offline: Console, night: Path):
    found = offline("report", "--file", str(night), "--from", "30m", "--format", "json")
    assert found.code == 0, found.err
    data = json.loads(found.out)
    assert data["to_ms"] - data["from_ms"] == 30 * 60_000
    assert data["zone"] == "Europe/Madrid"
    assert data["calls"]["queues"] == []


def test_a_report_counts_nothing_as_none_that_cannot_be_read(offline: Console, night: Path):
    with sqlite3.connect(night) as db:
        db.execute("UPDATE segment SET frame = 'damaged' WHERE kind IN ('calls', 'agents')")
    db.close()
    found = offline("report", "--from", "2026-09-21 22:00", "--to", "23:00")
    for none in ("0 calls", "No call waited", "Nobody had a support chat"):
        assert none not in found.out
    assert "Not all calls could be read: there may be more." in found.out


@pytest.mark.parametrize("out", [[], ["--out", "night.json"]], ids=["printed", "written"])
def test_a_report_of_a_damaged_recording_is_made_and_the_command_fails(
    offline: Console, night: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, out: list[str]
):
    monkeypatch.chdir(tmp_path)
    with sqlite3.connect(night) as db:
        db.execute("UPDATE segment SET frame = 'damaged' WHERE kind = 'calls'")
    db.close()
    found = offline("report", "--from", "2026-09-21 22:00", "--to", "23:00", "--format", "json", *out)
    assert (found.code, f"{night} is damaged: the rows of calls at 2026-09-21 " in found.err) == (1, True), found.err
    made = Path("night.json").read_text(encoding="utf-8") if out else found.out
    assert json.loads(made)["damage"]


def test_a_report_is_written_privately_in_the_format_of_the_files_name(offline: Console, night: Path, tmp_path: Path):
    out = tmp_path / "night.html"
    found = offline("report", "--from", "2026-09-21 22:00", "--to", "23:00", "--out", str(out))
    assert (found.code, found.out) == (0, "")
    assert out.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert stat.S_IMODE(out.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("--from", "noon"), 2, "is not a past time"),
        (("--from", "2020-01-01 10:00", "--to", "11:00"), 1, "nothing was recorded in that time"),
        (("--file", "/nowhere.rec"), 1, "there is no recording"),
    ],
)
def test_what_cannot_be_reported_is_said(
    offline: Console, night: Path, arguments: tuple[str, ...], code: int, words: str
):
    found = offline("report", *arguments)
    assert found.code == code
    assert words in found.err


def test_damaged_notes_are_not_listed_as_none(offline: Console, home: Path):
    profile(home, "http://127.0.0.1:9/core")
    assert offline("notes", "add", "line 3 is down").code == 0
    (file,) = (home / "state").glob("notes-*.json")
    content = file.read_bytes()[:-9]
    file.write_bytes(content)
    reason = f"{file} cannot be read: it is damaged; repair or rename it\n"
    ended = offline("notes", "list")
    assert (ended.code, ended.out, ended.err) == (1, "", f"console: {reason}")
    ended = offline("notes", "add", "another")
    assert (ended.code, ended.out, ended.err) == (1, "", f"console: the note cannot be written: {reason}")
    assert file.read_bytes() == content


@for_each("form", ["markdown", "json", "html"])
def test_a_report_tells_that_its_notes_cannot_be_read(offline: Console, night: Path, home: Path, form: str):
    assert offline("notes", "add", "line 3 is down").code == 0
    (file,) = (home / "state").glob("notes-*.json")
    file.write_text("[{")
    ended = offline("report", "--from", "2026-09-21 22:00", "--to", "23:00", "--format", form)
    file.unlink()
    assert ended.code == 1
    assert all("it is damaged; repair or rename it" in text for text in (ended.err, ended.out))


def test_notes_are_added_listed_and_dismissed_by_each_person(offline: Console, home: Path):
    profile(home, "http://127.0.0.1:9/core")
    added = offline("notes", "add", "line 3 \x1b[2Jis down")
    assert added.code == 0, added.err
    identifier = added.out.strip()
    listed = offline("notes", "list")
    assert "eva  line 3" in listed.out
    assert "\x1b" not in listed.out
    assert offline("notes", "dismiss", identifier, "--by", "ana").code == 0
    assert json.loads(offline("notes", "list", "--json").out)[0]["dismissed"] == ["ana"]
    assert offline("notes", "dismiss", "nothing").code == 5
    assert offline("notes", "add", " ").code == 2
    assert offline("notes", "add", "x" * 300).code == 2


def test_the_command_of_each_moment_prints_what_was_there(offline: Console, night: Path):
    found = offline("report", "--from", "2026-09-21 22:00", "--to", "23:00")
    commands = [shlex.split(each) for each in re.findall(r"`console (list .*)`", found.out)]
    assert {each[1] for each in commands} == {"alerts", "calls", "skills"}
    for each in commands:
        listed = offline(*each, "--jsonl")
        assert listed.code == 0, (each, listed.err)
        assert len(listed.out.splitlines()) == 1, each
