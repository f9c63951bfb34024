from __future__ import annotations

import re
from pathlib import Path

from console.cli.parser import COMMANDS, GROUPS
from tests.static.source_files import ROOT
from tools.generate_docs import stale

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]


def test_generated_pages_are_current():
    assert stale() == [], "run `make docs`"


def test_links_between_pages_have_targets():
    broken = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in PAGES
        for target in re.findall(r"\]\(([^)\s#:]+)(?:#[^)]*)?\)", _prose(page))
        if not (page.parent / target).exists()
    ]
    assert not broken


def test_the_examples_of_tests_are_in_the_suite():
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    before, *blocks = page.split("```python\n")
    assert len(blocks) == 5
    for block in blocks:
        file = re.findall(r"in `(tests/[^`]+)`", before)[-1]
        text, _, after = block.partition("```")
        assert text in (ROOT / file).read_text(encoding="utf-8"), f"{file} has changed"
        before = after


def test_files_and_names_in_the_pages_exist():
    missing = [
        f"{page.name}: {words}"
        for page in PAGES
        for words in re.findall(r"`([^`\n]+)`", _prose(page))
        if not _is_there(words)
    ]
    assert not missing


def _is_there(words: str) -> bool:
    """Return whether project files by path, make targets and console commands exist; True for anything else."""
    first, _, rest = words.partition(" ")
    second = rest.partition(" ")[0]
    if re.fullmatch(r"(src|tests|docs|themes|seeds|tools)/[\w./-]+", words):
        return (ROOT / words).exists()
    if first == "make" and second:
        return re.search(rf"^{re.escape(second)}:", MAKEFILE, re.MULTILINE) is not None
    if first == "console" and second and not second.startswith("-"):
        return second in {name for name, *_ in COMMANDS} | {*GROUPS}
    return True


def _prose(page: Path) -> str:
    """Return a page without its code blocks and without the names of files that a reader creates."""
    prose = re.sub(r"^( *)```.*?^\1```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"new file,\s+`[^`]+`:", "", prose)
