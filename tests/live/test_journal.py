"""The journal: written through, private, and any change to it shows."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from console.live.journal import Journal, JournalFault, unresolved, verify


def filled(path: Path, count: int = 5) -> list[bytes]:
    journal = Journal(path)
    for number in range(count):
        journal.append({"what": "intent", "command": str(number), "words": "añ\u2028"})
    return path.read_bytes().splitlines(keepends=True)


def test_lines_follow_from_each_other(tmp_path: Path) -> None:
    lines = filled(tmp_path / "j")
    assert verify(tmp_path / "j") is None
    entries = [json.loads(line) for line in lines]
    assert [entry["number"] for entry in entries] == [1, 2, 3, 4, 5]
    assert entries[1]["previous"] == entries[0]["hash"]


@pytest.mark.parametrize("fault", ["changed", "removed", "first removed", "swapped", "added", "torn"])
def test_tampering_names_the_first_bad_line(tmp_path: Path, fault: str) -> None:
    path = tmp_path / "j"
    lines = filled(path)
    match fault:
        case "changed":
            lines[2] = lines[2].replace(b'"command":"2"', b'"command":"9"')
        case "removed":
            del lines[2]
        case "first removed":
            del lines[0]
        case "swapped":
            lines[2], lines[3] = lines[3], lines[2]
        case "added":
            lines.insert(2, lines[1])
        case _:
            lines[2] = lines[2][:20] + b"\n"
    path.write_bytes(b"".join(lines))
    flaw = verify(path)
    assert flaw is not None
    assert flaw.line == (1 if fault == "first removed" else 3)


def test_it_is_readable_by_its_owner_alone_whatever_the_mask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        filled(tmp_path / "deep" / "j")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "deep" / "j").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "deep").stat().st_mode) == 0o700


def test_a_file_open_to_others_is_closed_to_them(tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.touch(0o644)
    path.chmod(0o644)
    filled(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "j").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(JournalFault):
        Journal(tmp_path / "j").append({})
    assert not (tmp_path / "elsewhere").exists()


def test_what_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(JournalFault, match="cannot be written"):
        Journal(tmp_path / "file" / "j").append({})
    (tmp_path / "dir").mkdir()
    with pytest.raises(JournalFault):
        Journal(tmp_path / "dir").append({})


def test_two_consoles_may_share_one(tmp_path: Path) -> None:
    one, other = Journal(tmp_path / "j"), Journal(tmp_path / "j")
    for number in range(10):
        (one if number % 2 else other).append({"n": number})
    assert verify(tmp_path / "j") is None


def test_processes_that_write_at_once_make_one_chain(tmp_path: Path) -> None:
    program = (
        "import sys, pathlib; from console.live.journal import Journal\n"
        "j = Journal(pathlib.Path(sys.argv[1]))\n"
        "[j.append({'n': n}) for n in range(50)]"
    )
    writers = [subprocess.Popen([sys.executable, "-c", program, str(tmp_path / "j")]) for _ in range(3)]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    assert verify(tmp_path / "j") is None
    assert len((tmp_path / "j").read_bytes().splitlines()) == 150


def test_after_a_torn_line_it_goes_on_and_the_tear_shows(tmp_path: Path) -> None:
    path = tmp_path / "j"
    filled(path, 2)
    with path.open("ab") as file:
        file.write(b'{"number":3,"what":"int')
    Journal(path).append({"what": "intent", "command": "x"})
    flaw = verify(path)
    assert flaw is not None
    assert flaw.line == 3
    assert unresolved(path)[-1]["command"] == "x"


def test_intents_without_an_end_are_found(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    for name in "ab":
        journal.append({"what": "intent", "command": name})
    journal.append({"what": "outcome", "command": "a", "step": 0})
    journal.append({"what": "result", "command": "a"})
    assert [entry["command"] for entry in unresolved(tmp_path / "j")] == ["b"]
    assert unresolved(tmp_path / "none") == ()
