"""`console journal`: own changes, and whether the file is intact."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from console.live.journal import Journal, JournalFault
from tests.cli.conftest import Console


def decided(journal: Journal, name: str, stage: str = "done", **more: Any) -> None:
    """Write one change as the console does."""
    step = {"words": f"accepted {name}", "operation": "alerts.accept", "key": name}
    at = 1_790_000_000_000
    intent = {"what": "intent", "command": name, "at": at, "who": "eva", "title": "Accept", "steps": [step]}
    journal.append(intent | more)
    if stage:
        outcome = {"what": "outcome", "command": name, "step": 0, "stage": stage}
        journal.append(outcome | ({"reason": "bob was first"} if stage == "refused" else {}))
        journal.append({"what": "result", "command": name, "stage": stage})


@pytest.fixture
def path(home: Path) -> Path:
    return home / "state" / "journal.jsonl"


def test_an_intact_journal_is_reported_as_intact(offline: Console, path: Path):
    assert offline("journal", "verify").code == 0
    decided(Journal(path), "a1")
    ended = offline("journal", "verify")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == f"3 lines verified, none altered: {path}\n"


def test_the_first_bad_line_is_reported_and_sets_the_exit_code(offline: Console, path: Path):
    decided(Journal(path), "a1")
    path.write_text(path.read_text().replace("done", "gone", 1))
    ended = offline("journal", "verify")
    assert (ended.code, ended.out) == (5, "")
    assert ended.err == f"console: {path}, line 2: it was altered\n"


def test_lines_that_cannot_be_read_are_told_beside_the_changes(offline: Console, path: Path):
    decided(Journal(path), "a1")
    path.write_bytes(b"\xff\x00garbage\n" + path.read_bytes() + b"{")
    ended = offline("journal", "show")
    assert (ended.code, "accepted a1" in ended.out) == (1, True)
    assert ended.err == f"console: {path}: 2 lines cannot be read; see `console journal verify`\n"


def test_a_named_journal_must_exist_and_be_readable(offline: Console, home: Path):
    (home / "folder").mkdir()
    for command in ("verify", "show"):
        for name in (str(home / "none"), str(home / "folder"), "/dev/zero"):
            ended = offline("journal", command, "--journal", name)
            assert (ended.code, ended.err) == (1, f"console: no journal at {name}\n")


def test_a_journal_that_is_not_a_regular_file_is_an_error_and_never_waited_for(offline: Console, path: Path):
    path.parent.mkdir(parents=True)
    os.mkfifo(path)
    for command in ("verify", "show"):
        ended = offline("journal", command)
        assert (ended.code, ended.out) == (1, "")
        assert ended.err == f"console: cannot read {path}: it is not a regular file\n"


@pytest.mark.parametrize("target", ["missing.jsonl", "journal.jsonl"])
def test_a_journal_whose_link_leads_nowhere_is_not_reported_as_intact_or_empty(
    offline: Console, path: Path, target: str
):
    path.parent.mkdir(parents=True)
    path.symlink_to(target)
    for command in ("verify", "show"):
        ended = offline("journal", command)
        assert (ended.code, ended.out) == (1, "")
        assert ended.err.startswith(f"console: cannot read {path}: ")


def test_a_pipe_in_the_place_of_the_mark_is_never_waited_for(offline: Console, path: Path):
    decided(Journal(path), "a1")
    mark = path.with_name("journal.jsonl.end")
    mark.unlink()
    os.mkfifo(mark)
    ended = offline("journal", "verify")
    assert (ended.code, ended.err) == (1, f"console: cannot read {mark}: it is not a regular file\n")
    with pytest.raises(JournalFault, match="not a regular file"):
        decided(Journal(path), "a2")


def test_changes_are_shown_with_their_outcomes(offline: Console, path: Path):
    journal = Journal(path)
    decided(journal, "a1")
    decided(journal, "a2", "refused")
    decided(journal, "a3", "")
    lines = offline("journal", "show").out.splitlines()
    assert [line.strip() for line in lines[1::2]] == [
        "accepted a1  a1  done",
        "accepted a2  a2  refused: bob was first",
        "accepted a3  a3  unknown",
    ]
    assert all(line.endswith("  eva  Accept") for line in lines[::2])
    assert "a3" in offline("journal", "show", "--unresolved").out
    assert "a2" not in offline("journal", "show", "--unresolved").out
    (told,) = offline("journal", "show", "--last", "1", "--json").out.splitlines()
    assert json.loads(told)["intent"]["command"] == "a3"
    assert json.loads(told)["stage"] is None


def test_text_of_the_journal_cannot_control_the_terminal(offline: Console, path: Path):
    journal = Journal(path)
    decided(journal, "a1", who="e\x1b[2Jva", title="x\x9b31m")
    journal.append({"what": "intent", "command": "odd", "steps": "none", "at": "soon"})
    for form in ((), ("--json",)):
        said = offline("journal", "show", *form)
        assert said.code == 0
        assert not {"\x1b", "\x9b"} & set(said.out)
