"""The bugs of `make mutants` match the source, and the tests that must detect them exist."""

from __future__ import annotations

import subprocess
import sys
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


def test_each_word_for_the_tests_of_a_bug_selects_one():
    chosen = {bug.tests: bug.tests.partition(" -k ") for bug in BUGS if " -k " in bug.tests}
    paths = dict.fromkeys(f"tests/{path}" for paths, _, _ in chosen.values() for path in paths.split())
    command = [sys.executable, "-m", "pytest", "--collect-only", "-p", "no:cacheprovider", "-o"]
    command += ["addopts=-q --import-mode=importlib -p no:xdist -p no:schemathesis", *paths]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.casefold()
    tests = [line for line in listed.splitlines() if "::" in line]
    selected = {
        text: any(test.startswith(f"tests/{path}") and word in test for test in tests for path in paths.split())
        for text, (paths, _, word) in chosen.items()
    }
    assert [text for text, is_selected in selected.items() if not is_selected] == []
