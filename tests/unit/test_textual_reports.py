"""The programs of the reports for Textual print what docs/textual.md says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from console.ui.textual_compat.pieces import WRITTEN_FOR, installed

DOCS = Path(__file__).resolve().parents[2] / "docs"
PROGRAMS = sorted(DOCS.glob("textual/*.py"), key=lambda file: file.name)


def _printed() -> dict[str, str]:
    page = (DOCS / "textual.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^\[.*\]\(textual/(.*)\) prints:\n\n```text\n([^`]*)```", page, re.MULTILINE))


def test_the_page_has_every_program():
    assert sorted(_printed()) == [file.name for file in PROGRAMS]


@pytest.mark.skipif(installed() != WRITTEN_FOR, reason="the reports are about another version of Textual")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda file: file.stem)
def test_a_program_prints_what_its_report_says(program: Path):
    ended = subprocess.run([sys.executable, program], capture_output=True, text=True, check=False)
    assert (ended.stdout, ended.returncode) == (_printed()[program.name], 0), ended.stderr
