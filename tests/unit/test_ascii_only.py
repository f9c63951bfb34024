"""Texts on a terminal that only supports ASCII."""

from __future__ import annotations

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color

from console.ui.widgets.ascii_only import AsciiOnly
from tests.for_each import for_each

NAMES = {
    "Søren Rubio": "Soren Rubio",
    "Łukasz Wałęsa": "Lukasz Walesa",
    "Đorđe Æbelø": "Dorde Abelo",
    "Inés O\u2019Connor": "Ines O'Connor",
    "Straße 4 \u2014 Gijón": "Strase 4 - Gijon",
    "東京": "????",
}


def shown(text: str) -> str:
    return "".join(segment.text for segment in AsciiOnly().apply([Segment(text)], Color(0, 0, 0)))


@for_each("name", NAMES)
def test_a_name_is_readable_in_ascii_and_as_wide_as_before(name: str) -> None:
    assert shown(name) == NAMES[name]
    assert cell_len(shown(name)) == cell_len(name)
