"""The bugs of `make mutants` match the source, and the tests that must detect them exist."""

from __future__ import annotations

import pytest

from tests.mutants.planted import BUGS, Bug
from tests.static.source_files import ROOT


def test_there_are_at_least_eighty_bugs_with_distinct_names():
    assert len({bug.name for bug in BUGS}) == len(BUGS) >= 80


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_each_bug_can_be_planted_and_its_tests_exist(bug: Bug):
    text = (ROOT / "src" / "console" / bug.file).read_text(encoding="utf-8")
    for old, new in bug.edits:
        assert text.count(old) == 1, f"{bug.file} has changed: {old!r}"
        text = text.replace(old, new)
    compile(text, bug.file, "exec")
    assert all((ROOT / "tests" / each).exists() for each in bug.tests.partition(" -k ")[0].split())
