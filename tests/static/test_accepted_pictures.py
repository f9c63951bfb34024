"""Every screen, size and theme has an accepted picture, and no picture is left from what is gone."""

from __future__ import annotations

import re

from console.screens.catalogue import CLASSES
from tests.snapshots.pictures import EVERY_THEME, MAIN_THEMES, SIZES, named
from tests.static.source_files import ROOT

SNAPSHOTS = ROOT / "tests" / "snapshots"
ACCEPTED = {file.stem for file in (SNAPSHOTS / "__snapshots__" / "test_screens").glob("*.svg")}


def test_every_screen_has_a_picture_in_every_size_and_main_theme():
    wanted = {
        f"test_screen[{name}-{named(size)}-{theme}]" for name in CLASSES for size in SIZES for theme in MAIN_THEMES
    }
    assert {each for each in ACCEPTED if each.startswith("test_screen[")} == wanted, "make snapshots"


def test_every_theme_has_pictures():
    assert {theme for theme in EVERY_THEME if any(each.endswith(f"-{theme}]") for each in ACCEPTED)} == {*EVERY_THEME}
    assert {file.stem for file in (ROOT / "themes").glob("*.toml")} == {*EVERY_THEME}


def test_no_picture_is_left_of_a_test_that_is_gone():
    for folder in sorted((SNAPSHOTS / "__snapshots__").iterdir()):
        tests = set(re.findall(r"^def (test_\w+)", (SNAPSHOTS / f"{folder.name}.py").read_text("utf-8"), re.MULTILINE))
        assert {file.stem.partition("[")[0] for file in folder.glob("*.svg")} == tests, folder.name
