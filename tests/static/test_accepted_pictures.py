"""Every screen and theme has an accepted picture, and no picture is left over."""

from __future__ import annotations

import re

from console.ui.screens.specs import SCREENS
from tests.snapshots.pictures import EVERY_THEME
from tests.static.source_files import ROOT

SNAPSHOTS = ROOT / "tests" / "snapshots"


def accepted(file: str) -> set[str]:
    return {each.stem for each in (SNAPSHOTS / "__snapshots__" / file).glob("*.svg")}


def test_every_screen_has_a_picture_in_both_usual_sizes():
    wanted = {f"test_screen[{look}-{spec.name}]" for spec in SCREENS for look in ("80x24-mono", "120x40-dark")}
    assert {each for each in accepted("test_screens") if each.startswith("test_screen[")} == wanted, "make snapshots"


def test_every_theme_has_pictures():
    names = [each.replace("]", "-") for each in accepted("test_screens")]
    assert {theme for theme in EVERY_THEME if any(f"-{theme}-" in each for each in names)} == {*EVERY_THEME}
    assert {file.stem for file in (ROOT / "themes").glob("*.toml")} == {*EVERY_THEME}


def test_no_picture_belongs_to_a_removed_test():
    for folder in sorted((SNAPSHOTS / "__snapshots__").iterdir()):
        tests = set(re.findall(r"^def (test_\w+)", (SNAPSHOTS / f"{folder.name}.py").read_text("utf-8"), re.MULTILINE))
        assert {file.stem.partition("[")[0] for file in folder.glob("*.svg")} == tests, folder.name
