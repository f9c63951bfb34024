"""The bugs of `make mutants` match the source, and the tests that must detect them exist."""

from __future__ import annotations

from collections import Counter

from tests.for_each import for_each
from tests.mutants.bug import Bug
from tests.mutants.planted import BUGS
from tests.static.source_files import ROOT

SOURCE = ROOT / "src" / "console"


def test_there_are_at_least_120_bugs_with_distinct_names():
    assert len({bug.name for bug in BUGS}) == len(BUGS) >= 120


def test_every_package_has_three_bugs():
    packages = {folder.parent.name for folder in SOURCE.glob("*/__init__.py")}
    counts = Counter(bug.package for bug in BUGS)
    assert {package: counts[package] for package in packages if counts[package] < 3} == {}


@for_each("bug", BUGS)
def test_each_bug_can_be_planted_and_its_tests_exist(bug: Bug):
    compile(bug.applied((SOURCE / bug.file).read_text(encoding="utf-8")), bug.file, "exec")
    assert all((ROOT / "tests" / path).exists() for path in bug.tests.partition(" -k ")[0].split())
