"""The pictures of the README are current and self-contained."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

from tests.static.source_files import ROOT
from tools.make_pictures import FOLDER, PAST, PICTURES, make

NAMES = {picture.name for picture in (*PICTURES, PAST)}


def test_the_program_makes_every_picture(tmp_path: Path):
    make(tmp_path, minutes=0, night_hours=0.01)
    assert {file.stem for file in tmp_path.iterdir()} == NAMES
    for picture in (*PICTURES, PAST):
        svg = (tmp_path / f"{picture.name}.svg").read_text(encoding="utf-8")
        said = "".join(ElementTree.fromstring(svg).itertext()).replace("\N{NO-BREAK SPACE}", " ")
        assert picture.shows in said
        assert not re.search(r"@font-face|url\((?!#)|href", svg), "fetches something"


def test_the_readme_shows_existing_pictures():
    shown = re.findall(r"!\[[^\]]+\]\(docs/pictures/([a-z]+)\.svg\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert set(shown) == NAMES == {file.stem for file in FOLDER.iterdir()}
