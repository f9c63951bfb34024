"""Texts of before are offered again: the last used first, bounded, private, and clean whatever the file contains."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from console.commands.action import TextAsk
from console.config.paths import places
from console.ui.screens.remembered import LONGEST, MOST, remember, texts_file, used_before

ASK = TextAsk("note", "Note", remembered="note")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return texts_file(places({"CONSOLE_HOME": str(tmp_path)}), "day")


def test_the_last_used_is_first_and_each_text_is_there_once(file: Path) -> None:
    assert used_before(file, ASK) == ()
    for each in ("back 15:30", "lunch", " back 15:30 "):
        remember(file, "note", each)
    assert used_before(file, ASK) == ("back 15:30", "lunch")
    assert used_before(file, TextAsk("note", "Note", "lunch", remembered="note")) == ("back 15:30",)
    assert used_before(file, TextAsk("other", "Other", remembered="other")) == ()


def test_only_a_few_short_texts_are_kept_and_only_for_their_owner(file: Path) -> None:
    for number in range(20):
        remember(file, "note", f"note {number}")
    for each in ("", "   ", "x" * (LONGEST + 1), "a\x1b]0;b\x07", "two\nlines"):
        remember(file, "note", each)
    assert used_before(file, ASK) == tuple(f"note {each}" for each in range(19, 19 - MOST, -1))
    assert file.stat().st_mode & 0o077 == 0
    assert file.parent.stat().st_mode & 0o077 == 0
    assert [each.name for each in file.parent.iterdir()] == [file.name], "and nothing else is left"


@pytest.mark.parametrize("text", ["", "[1]", "{", '{"note": 3}', '{"note": [1, "a\\u0007", "", "ok"]}', "[" * 100_000])
def test_a_damaged_file_offers_what_is_valid_in_it(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True)
    file.write_text(text)
    assert used_before(file, ASK) == (("ok",) if "ok" in text else ())
    remember(file, "note", "new")
    assert used_before(file, ASK)[0] == "new"
    assert json.loads(file.read_text())["note"][0] == "new"


def test_a_folder_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file")
    remember(texts_file(places({"CONSOLE_HOME": str(tmp_path)}), "day"), "note", "lunch")
