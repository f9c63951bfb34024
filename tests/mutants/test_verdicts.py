"""A bug counts as caught only if a test finds that the program misbehaves, and not because the bug crashes it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.mutants.bug import Bug
from tests.static.source_files import ROOT
from tools.plant import Verdict, imports, verdict

TESTS = """
import console.part as part

def test_the_first_value_is_one():
    assert part.first() == 1

def test_the_second_value_is_two():
    assert part.second() == 2
"""
SOUND = "def first():\n    return 1\n\n\ndef second():\n    return 2\n"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    for name in ("tests", "tools", "src/console/cli", "src/console/ui"):
        (tmp_path / name).mkdir(parents=True)
    shutil.copy(ROOT / "tools" / "crash_plugin.py", tmp_path / "tools")
    (tmp_path / "pyproject.toml").write_text('[tool.pytest.ini_options]\naddopts = "-p no:schemathesis"\n')
    (tmp_path / "tests" / "test_part.py").write_text(TESTS)
    for name in ("", "cli/", "ui/"):
        (tmp_path / "src" / "console" / f"{name}__init__.py").touch()
    (tmp_path / "src" / "console" / "ui" / "app.py").write_text("import console.part\n")
    return tmp_path


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("return 2", "return 3", Verdict.CAUGHT),
        ("return 2", "return two", Verdict.VACUOUS),
        ("return 1\n\n\ndef second():\n    return 2", "return one\n\n\ndef second():\n    return 3", Verdict.CAUGHT),
    ],
    ids=["wrong value", "only a crash", "a crash and a wrong value"],
)
def test_a_crash_in_the_file_with_the_bug_is_no_detection(place: Path, old: str, new: str, expected: Verdict):
    file = place / "src" / "console" / "part.py"
    file.write_text(SOUND.replace(old, new))
    assert verdict(place, "test_part.py", file) is expected


def test_a_crash_elsewhere_detects_a_bug(place: Path):
    (place / "src" / "console" / "part.py").write_text("from console.other import first, second\n")
    other = place / "src" / "console" / "other.py"
    other.write_text(SOUND.replace("return 2", "return None"))
    (place / "tests" / "test_part.py").write_text(TESTS.replace("second() ==", "second() + 0 =="))
    assert verdict(place, "test_part.py", other) is Verdict.CAUGHT


@pytest.mark.parametrize(("line", "expected"), [("", True), ("undefined\n", False)])
def test_a_bug_that_an_import_detects_is_recognized(place: Path, line: str, expected: bool):
    (place / "src" / "console" / "part.py").write_text(SOUND + line)
    assert imports(place, Bug("", "cli/__init__.py", (), "")) is expected
