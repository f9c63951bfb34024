"""Hostile files of recordings: small ones that decompress to gigabytes, and ones of which nothing can be shown."""

from __future__ import annotations

import lzma
import resource
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from console.cli.program import run
from console.recording import format as recording_format
from console.recording.format import CALLER, HEALTH, SAMPLES
from console.recording.recording import ListRecording
from tests.report.tape import tape

MEMORY = 1024 * 1024 * 1024
"""Address space of a process that reads such a file; without limits, each of them takes more."""


def part(after: bytes, keys: bytes, values: bytes) -> bytes:
    """Return changes of the field `a`, by columns."""
    return b'{"after":[%b],"keys":[%b],"fields":{"a":[null,[%b]]},"times":{},"rest":[]}' % (after, keys, values)


def many_changes() -> bytes:
    return zlib.compress(part(b"0," * 999_999 + b"0", b"0," * 999_999 + b"0", b"1," * 999_999 + b"1"))


def recorded(folder: Path) -> Path:
    with tape(folder) as made:
        made.begin({name: {"a": {"id": "a"}} for name in ("calls", "agents", "alerts", "users", "presence", "groups")})
        made.sample(waiting=1.0)
        made.at = 10
        made.put("calls", "b", id="b")
        made.end()
        made.db.execute("PRAGMA journal_mode=DELETE")
    return made.file


def changed(file: Path, *statements: str, value: bytes = b"") -> Path:
    db = sqlite3.connect(file, isolation_level=None)
    for each in statements:
        db.execute(each, (value,) if "?" in each else ())
    db.close()
    return file


def limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def test_a_small_file_that_decompresses_to_gigabytes_is_damaged(tmp_path: Path):
    statement = "INSERT INTO block SELECT id, value, 1000000, ? FROM segment, (SELECT 0 AS value)"
    file = changed(recorded(tmp_path), statement, value=many_changes())
    assert file.stat().st_size < 400_000
    command = [sys.executable, "-m", "console", "recordings", "verify", str(file)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=limit_memory)
    assert ended.returncode == 5, ended.stderr
    assert "more than its size allows" in ended.stderr


Verify = Callable[[Path], tuple[int, str]]


@pytest.fixture
def verify(capsys: pytest.CaptureFixture[str]) -> Verify:
    """Run `console recordings verify`: return its exit code and its messages."""
    return lambda file: (run(["recordings", "verify", str(file)]), capsys.readouterr().err)


@pytest.mark.parametrize("size", [900_000, 50_000_000])
def test_parts_that_together_are_larger_than_the_file_allows_are_damage(
    verify: Verify, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
):
    monkeypatch.setattr(recording_format, "LEAST", 1_000_000)
    long_text = lzma.compress(part(b"0", b'"a"', b'"' + b"x" * size + b'"'), preset=0)
    code, words = verify(changed(recorded(tmp_path), "UPDATE segment SET frame = ?", value=long_text))
    assert code == 5, words
    assert "more than its size allows" in words or "too large" in words


def test_default_values_are_refused(verify: Verify, tmp_path: Path):
    file = changed(recorded(tmp_path), f"ALTER TABLE span ADD COLUMN more TEXT DEFAULT '{'x' * 1000}'")
    code, words = verify(file)
    assert code == 1
    assert "a table has default values" in words


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("DELETE FROM span", "it contains no recorded time"),
        ("UPDATE span SET start_ms = 'x'", "a recorded time is at no moment"),
        ("UPDATE segment SET start_ms = -1 WHERE kind = 'calls'", "rows of calls are at no moment"),
        (f"UPDATE segment SET frame = 'x' WHERE kind = '{HEALTH}'", f"the rows of {HEALTH} at"),
        (f"UPDATE segment SET frame = 'x' WHERE kind = '{SAMPLES}'", f"the rows of {SAMPLES} at"),
        (f"UPDATE segment SET frame = 'x' WHERE kind = '{CALLER}'", f"the rows of {CALLER} at"),
    ],
)
def test_a_file_with_parts_that_nothing_can_show_is_not_whole(
    verify: Verify, tmp_path: Path, statement: str, words: str
):
    code, shown = verify(changed(recorded(tmp_path), statement))
    assert code == 5, shown
    assert words in shown


@pytest.mark.parametrize(
    ("fields", "rest"), [('{"state":[null,["unheard"]]}', "[]"), ("{}", '[[0,["7"]]]'), ("{}", '[[0,["{"]]]')]
)
def test_a_freshness_that_is_none_is_damage(verify: Verify, tmp_path: Path, fields: str, rest: str):
    file = recorded(tmp_path)
    text = f'{{"after":[0],"keys":["calls"],"fields":{fields},"times":{{}},"rest":{rest}}}'
    statement = f"UPDATE segment SET frame = ? WHERE kind = '{HEALTH}'"
    code, words = verify(changed(file, statement, value=lzma.compress(text.encode())))
    assert code == 5, words
    assert "the freshness of a list cannot be read" in words


def test_a_whole_file_is_whole(verify: Verify, tmp_path: Path):
    file = recorded(tmp_path)
    assert verify(file)[0] == 0
    with ListRecording.open(file) as read:
        assert len(read.rows("calls", read.spans[0][1])) == 2
