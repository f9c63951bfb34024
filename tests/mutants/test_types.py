"""Bugs have no type errors: one that has could only crash."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.mutants.bug import Bug, bug
from tests.mutants.planted import BUGS
from tests.static.source_files import ROOT
from tools.mutant_types import new_type_errors

UNTYPED: Bug = bug(
    "a name that does not exist",
    "live/commands.py",
    "self._engine.client.send(step.request,",
    "self._backend.send(step.request,",
    "",
)


# It takes 20 s on one free processor.
@pytest.mark.timeout(600)
def test_no_bug_has_a_type_error(tmp_path: Path):
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    errors = new_type_errors(tmp_path, [*BUGS, UNTYPED])
    assert errors.keys() == {UNTYPED.name}, errors
    assert any("_backend" in message for message in errors[UNTYPED.name])
