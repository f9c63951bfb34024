from __future__ import annotations

import re

from tests.static.source_files import ROOT
from tools.generate_docs import stale


def test_generated_pages_say_what_the_code_says():
    assert stale() == [], "run `make docs`"


def test_links_between_pages_lead_somewhere():
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
    broken = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in pages
        for target in re.findall(r"\]\(([^)#:]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]
    assert not broken
