from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.figures import DIRECTORY_VARIABLE, record
from tools import measure


def test_without_a_directory_nothing_is_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(DIRECTORY_VARIABLE, raising=False)
    monkeypatch.chdir(tmp_path)
    record("C3", True, "9.4 s", "10 s")
    assert not list(tmp_path.iterdir())
    with pytest.raises(KeyError):
        record("Z9", True, "", "")


def test_a_figure_is_met_if_all_its_records_meet_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DIRECTORY_VARIABLE, str(tmp_path))
    record("C3", True, "9.4 s", "10 s")
    record("C3", False, "11 s | late", "10 s")
    record("T9", True, "0", "0")
    results = measure.recorded(tmp_path)
    assert results["T9"] == {"held": True, "values": ["0"], "holds": ["0"]}
    rows = measure.table({id: {**each, "by": "make faults", "on": "2026-01-01"} for id, each in results.items()})
    assert "| C3 | detection of a dead connection | 10 s | 9.4 s; 11 s \\| late | **no** |" in rows
    assert rows.index("C3") < rows.index("### Hostile input") < rows.index("T9")


def test_the_page_shows_the_stored_results() -> None:
    assert not measure.stale(), "run the measurement again, or take its edits back"
