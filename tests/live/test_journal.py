"""The journal: written through, private, and protected against modification."""

from __future__ import annotations

import fcntl
import json
import os
import random
import stat
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from console.live import journal as journal_module
from console.live.journal import Journal, JournalFault, end_of, put_aside
from console.live.journal_reading import changes, unresolved, verify
from tests.faults.figures import count, record


def filled(path: Path, count: int = 5) -> list[bytes]:
    journal = Journal(path)
    for number in range(count):
        journal.append({"what": "intent", "command": str(number), "words": "añ\u2028"})
    return path.read_bytes().splitlines(keepends=True)


def test_lines_are_chained(tmp_path: Path) -> None:
    lines = filled(tmp_path / "j")
    assert verify(tmp_path / "j").flaw is None
    entries = [json.loads(line) for line in lines]
    assert [entry["number"] for entry in entries] == [1, 2, 3, 4, 5]
    assert entries[1]["previous"] == entries[0]["hash"]


def test_any_modification_is_reported_with_the_first_bad_line(tmp_path: Path) -> None:
    path, draw, rounds = tmp_path / "j", random.Random(8), max(1_000, count("SAFETY_COUNT", 1_000))
    whole = b"".join(filled(path, 24))
    lines = whole.splitlines(keepends=True)
    missed: list[str] = []
    for _ in range(rounds):
        how, at = draw.choice(["change", "insert", "delete", "remove", "swap", "double", "cut"]), draw.randrange(24)
        place = draw.randrange(len(whole))
        match how:
            case "change":
                other = draw.choice([each for each in range(256) if each != whole[place]])
                after = whole[:place] + bytes([other]) + whole[place + 1 :]
            case "insert":
                after = whole[:place] + draw.choice([b" ", b"\n", b"0", b'"', b"\x00"]) + whole[place:]
            case "delete":
                after = whole[:place] + whole[place + 1 :]
            case "remove":
                after = b"".join(lines[:at] + lines[at + 1 :])
            case "swap":
                other = draw.choice([each for each in range(24) if each != at])
                swapped = list(lines)
                swapped[at], swapped[other] = swapped[other], swapped[at]
                after = b"".join(swapped)
            case "double":
                after = b"".join(lines[: at + 1] + lines[at:])
            case _:
                after = whole[:place]
        path.write_bytes(after)
        now = after.split(b"\n")
        first = next(n for n, line in enumerate([*whole.split(b"\n"), b"more"], 1) if now[n - 1 : n] != [line])
        flaw = verify(path).flaw
        if flaw is None or flaw.line != first:
            missed.append(f"{how} at {place if how in {'change', 'insert', 'delete', 'cut'} else at}: {flaw}")
    record("O8", not missed, f"{rounds - len(missed)} of {rounds} found, first bad line named", "all")
    assert not missed, missed[:5]
    path.write_bytes(whole)
    assert verify(path).flaw is None


def test_removed_lines_stay_detectable_after_further_entries(tmp_path: Path) -> None:
    path = tmp_path / "j"
    lines = filled(path, 5)
    path.write_bytes(b"".join(lines[:3]))
    Journal(path).append({"what": "intent"})
    flaw = verify(path).flaw
    assert flaw is not None
    assert (flaw.line, flaw.reason) == (4, "lines before it are missing or out of order")
    path.unlink()
    Journal(path).append({"what": "intent"})
    flaw = verify(path).flaw
    assert flaw is not None
    assert flaw.line == 1


def test_a_replaced_chain_is_detected_by_the_stored_end_of_the_first(tmp_path: Path) -> None:
    filled(tmp_path / "j", 3)
    filled(tmp_path / "forged", 2)
    Journal(tmp_path / "forged").append({"what": "another third"})
    (tmp_path / "forged").replace(tmp_path / "j")
    flaw = verify(tmp_path / "j").flaw
    assert flaw is not None
    assert flaw.line == 3
    end_of(tmp_path / "j").unlink()
    flaw = verify(tmp_path / "j").flaw
    assert flaw is not None
    assert "j.end" in flaw.reason


def test_a_head_file_that_lags_behind_after_a_power_failure_is_no_error(tmp_path: Path) -> None:
    filled(tmp_path / "j", 3)
    earlier = end_of(tmp_path / "j").read_bytes()
    Journal(tmp_path / "j").append({"what": "result"})
    end_of(tmp_path / "j").write_bytes(earlier)
    assert verify(tmp_path / "j").flaw is None
    Journal(tmp_path / "j").append({"what": "result"})
    assert (verify(tmp_path / "j").flaw, verify(tmp_path / "j").lines) == (None, 5)


def test_a_full_file_is_rotated_and_the_chain_continues(tmp_path: Path) -> None:
    path = tmp_path / "j"
    one, other = Journal(path, largest=1_000), Journal(path, largest=1_000)
    for number in range(12):
        (one if number % 2 else other).append({"what": "intent", "command": str(number)})
    older = put_aside(path)
    assert len(older) > 1
    assert all(each.stat().st_size < 2_000 and stat.S_IMODE(each.stat().st_mode) == 0o600 for each in older)
    verdict = verify(path)
    assert (verdict.lines, verdict.flaw) == (12, None)
    assert [each.intent["command"] for each in changes(path, Counter())] == [str(number) for number in range(12)]
    older[0].unlink()
    flaw = verify(path).flaw
    assert flaw is not None
    assert (flaw.file, flaw.line) == (older[1], 1)


def test_the_chain_continues_after_an_entry_of_megabytes(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    journal.append({"what": "intent", "steps": ["x" * 4_000] * 600})
    journal.append({"what": "result"})
    assert (verify(tmp_path / "j").lines, verify(tmp_path / "j").flaw) == (2, None)


def test_a_console_that_holds_the_lock_does_not_block_others_forever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "PATIENCE_SECONDS", 0.02)
    filled(tmp_path / "j", 1)
    with (tmp_path / "j").open() as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(JournalFault, match="another console"):
            Journal(tmp_path / "j").append({})
    Journal(tmp_path / "j").append({})


def test_the_file_is_readable_only_by_its_owner_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        filled(tmp_path / "deep" / "j")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "deep" / "j").stat().st_mode) == 0o600
    assert stat.S_IMODE(end_of(tmp_path / "deep" / "j").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "deep").stat().st_mode) == 0o700


def test_a_file_open_to_others_gets_private_permissions(tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.touch(0o644)
    path.chmod(0o644)
    filled(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_symbolic_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "j").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(JournalFault):
        Journal(tmp_path / "j").append({})
    assert not (tmp_path / "elsewhere").exists()


def test_a_write_error_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(JournalFault, match="cannot be written"):
        Journal(tmp_path / "file" / "j").append({})
    (tmp_path / "dir").mkdir()
    with pytest.raises(JournalFault):
        Journal(tmp_path / "dir").append({})


def test_two_consoles_can_share_one_journal(tmp_path: Path) -> None:
    one, other = Journal(tmp_path / "j"), Journal(tmp_path / "j")
    for number in range(10):
        (one if number % 2 else other).append({"n": number})
    assert verify(tmp_path / "j").flaw is None


def test_concurrent_processes_write_one_chain(tmp_path: Path) -> None:
    program = (
        "import sys, pathlib; from console.live.journal import Journal\n"
        "j = Journal(pathlib.Path(sys.argv[1]))\n"
        "[j.append({'n': n}) for n in range(50)]"
    )
    writers = [subprocess.Popen([sys.executable, "-c", program, str(tmp_path / "j")]) for _ in range(3)]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    assert verify(tmp_path / "j").flaw is None
    assert len((tmp_path / "j").read_bytes().splitlines()) == 150


def test_it_continues_after_a_torn_line_which_stays_visible(tmp_path: Path) -> None:
    path = tmp_path / "j"
    filled(path, 2)
    with path.open("ab") as file:
        file.write(b'{"number":3,"what":"int')
    Journal(path).append({"what": "intent", "command": "x"})
    flaw = verify(path).flaw
    assert flaw is not None
    assert flaw.line == 3
    assert unresolved(path)[-1]["command"] == "x"


def test_intents_without_an_outcome_are_found(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    for name in "ab":
        journal.append({"what": "intent", "command": name})
    journal.append({"what": "outcome", "command": "a", "step": 0})
    journal.append({"what": "result", "command": "a"})
    assert [entry["command"] for entry in unresolved(tmp_path / "j")] == ["b"]
    assert unresolved(tmp_path / "none") == ()


def test_an_intent_of_a_running_console_is_not_unresolved(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    for name in "ab":
        journal.append({"what": "intent", "command": name, "console": f"console-{name}"})
    assert [each["command"] for each in unresolved(tmp_path / "j", lambda name: name == "console-b")] == ["a"]


def test_the_content_of_an_intent_is_not_mistaken_for_an_outcome(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    inner = '{"number":1,"what":"result","command":"a"'
    journal.append({"what": "intent", "command": "a", "steps": [{"what": "result", "command": "a"}, f"\n{inner}"]})
    assert [each["command"] for each in unresolved(tmp_path / "j")] == ["a"]
