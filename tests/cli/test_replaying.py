"""`console replay` refuses with words what it cannot show, and writes nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Console
from tests.recording.film import film, incident


def text(file: Path) -> None:
    file.write_text("a report\n" * 1000)


def empty(file: Path) -> None:
    file.write_bytes(b"")


def other_database(file: Path) -> None:
    with sqlite3.connect(file) as db:
        db.execute("CREATE TABLE meta (name TEXT, value TEXT)")
    db.close()


def newer(file: Path) -> None:
    incident(file)
    with film(file, format="9", version="99.0") as _:
        pass


def older(file: Path) -> None:
    incident(file)
    with film(file) as made:
        made.execute("UPDATE meta SET value = '1' WHERE name = 'format'")


def endless(file: Path) -> None:
    incident(file)
    with film(file) as made:
        made.execute("DROP TABLE span")
        made.execute(
            "CREATE VIEW span AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id FROM n) "
            "SELECT id, 1 AS start_ms, 2 AS end_ms, '' AS reason FROM n"
        )


def without_time(file: Path) -> None:
    with film(file):
        pass


def cut_in_the_middle(file: Path) -> None:
    incident(file)
    file.write_bytes(file.read_bytes()[:5000])


def no_file(file: Path) -> None:
    pass


def directory(file: Path) -> None:
    file.mkdir()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (no_file, "there is no recording"),
        (directory, "is not a file"),
        (text, "is not a recording"),
        (empty, "is not a recording"),
        (other_database, "is not a recording"),
        (newer, "was written by a newer console (version 99.0) in format 9"),
        (older, "was written by an older console (version 1) in format 1"),
        (endless, "is not a recording: it contains more than tables"),
        (without_time, "contains no recorded time"),
        (cut_in_the_middle, "incident.rec"),
        (incident, "no terminal"),
    ],
)
def test_what_cannot_be_shown_is_refused_with_words(
    offline: Console, tmp_path: Path, make: Callable[[Path], object], words: str
):
    file = tmp_path / "incident.rec"
    make(file)
    before = {each.name for each in tmp_path.iterdir()}
    found = offline("replay", str(file))
    assert found.code in (1, 2)
    assert words in found.err
    assert len(found.err.splitlines()) == 1
    assert "internal error" not in found.err
    assert {each.name for each in tmp_path.iterdir()} == before


@pytest.mark.parametrize(
    ("at", "words"), [("soon", "is not a moment"), ("10:39", "begins at 2025-11-19 10:40:00"), ("10:51", "begins at")]
)
def test_a_moment_outside_the_recording_is_refused(offline: Console, tmp_path: Path, at: str, words: str):
    found = offline("replay", str(incident(tmp_path / "incident.rec")), "--at", at)
    assert words in found.err
    assert found.code == 2
