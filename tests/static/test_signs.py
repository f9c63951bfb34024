"""Every symbol of the plain set is in common fonts, one cell wide, and has an ASCII replacement."""

from __future__ import annotations

import ast
import html
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from rich.cells import get_character_cell_size

from console.base.signs import AMBIGUOUS, FULL_ONLY, LETTERS, SIGNS, STAND_INS, drawn
from tests.for_each import for_each
from tests.static.source_files import ROOT, nodes, place_of, python_files, tree_of

_WGL4 = """
00A0-017F 0192 01FA-01FF 02C6-02C7 02C9 02D8-02DD 0384-038A 038C 038E-03A1 03A3-03CE 0401-040C 040E-044F 0451-045C
045E-045F 0490-0491 1E80-1E85 1EF2-1EF3 2013-2015 2017-201E 2020-2022 2026 2030 2032-2033 2039-203A 203C 203E 207F
20A3-20A4 20A7 20AC 2105 2116 2122 2126 212E 215B-215E 2190-2195 21A8 2202 2206 220F 2211-2212 2215 2219-221A 221E-221F
2229 222B 2248 2260-2261 2264-2265 2302 2310 2320-2321 2500 2502 250C 2510 2514 2518 251C 2524 252C 2534 253C 2550-256C
2580 2584 2588 258C 2590-2593 25A0-25A1 25AA-25AC 25B2 25BA 25BC 25C4 25CA-25CB 25CF 25D8-25D9 25E6 263A-263C 2640 2642
2660 2663 2665-2666 266A-266B
"""
"""The characters of Windows Glyph List 4 beyond ASCII that DejaVu Sans Mono also has. Consolas has all of them."""

EMOJI = frozenset("▪▫‼↔↕☺☻♀♂♠♣♥♦™©®")
"""Characters of the list that some terminals draw as emoji, two cells wide."""

NOT_SHOWN = ("service", "api/shape.py", "api/answer_check.py")
"""Files whose texts are data of the embedded service, patterns, or for developers."""


def _fonts() -> frozenset[str]:
    found: set[str] = set()
    for part in _WGL4.split():
        first, _, last = part.partition("-")
        found |= {chr(code) for code in range(int(first, 16), int(last or first, 16) + 1)}
    return frozenset(found)


IN_FONTS = _fonts()


def _said(file: Path) -> Iterator[ast.Constant]:
    """Yield the texts of a file without docstrings."""
    tree = tree_of(file)
    told = {
        id(each.value)
        for node in nodes(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        for each in node.body
        if isinstance(each, ast.Expr)
    }
    for node in nodes(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node


def test_every_symbol_in_a_text_of_the_program_is_in_the_table() -> None:
    found: list[str] = []
    for file in python_files("src/console"):
        place = file.relative_to(ROOT / "src" / "console").as_posix()
        if place.startswith(NOT_SHOWN) or place in {"base/text.py", "base/signs.py"}:
            continue
        for node in _said(file):
            signs = {each for each in str(node.value) if ord(each) > 127} - {*SIGNS, *STAND_INS, *FULL_ONLY}
            found += [f"{place_of(file, node)}: {each} U+{ord(each):04X}" for each in signs]
    assert not found


def test_every_symbol_in_a_theme_is_in_the_table() -> None:
    for file in (ROOT / "themes").glob("*.toml"):
        assert file.read_text(encoding="utf-8").isascii()


@for_each("sign", SIGNS)
def test_every_symbol_is_in_common_fonts_and_one_cell_wide(sign: str) -> None:
    assert sign in IN_FONTS
    assert sign not in EMOJI
    assert get_character_cell_size(sign) == 1
    assert unicodedata.east_asian_width(sign) in {"N", "Na", "A"}
    assert (unicodedata.east_asian_width(sign) == "A") == (sign in AMBIGUOUS)


def test_the_symbols_of_the_full_set_are_one_cell_wide_and_in_no_other_set() -> None:
    assert not FULL_ONLY & SIGNS.keys()
    assert {get_character_cell_size(sign) for sign in FULL_ONLY} == {1}


def test_the_replacement_of_a_symbol_is_one_ascii_character() -> None:
    for sign, plain in (*SIGNS.items(), *STAND_INS.items(), *LETTERS.items()):
        assert plain.isascii()
        assert plain.isprintable()
        assert len(plain) == 1, sign
    assert drawn("● connected → 3", "ascii") == "* connected > 3"
    assert drawn("● connected → 3", "full") == "● connected → 3"


PICTURES = sorted((ROOT / "tests" / "snapshots" / "__snapshots__").rglob("*.svg"))
_WORDS = re.compile(r"<text[^>]*>([^<]*)</text>")


def test_no_accepted_picture_contains_a_symbol_that_fonts_lack() -> None:
    """The pictures also contain what the framework draws itself: borders and scrollbars."""
    found: dict[str, str] = {}
    for picture in PICTURES:
        if "hostile_texts" in picture.name:
            continue  # Hostile texts in all scripts.
        shown = html.unescape("".join(_WORDS.findall(picture.read_text(encoding="utf-8"))))
        found |= {each: picture.name for each in {*shown} if ord(each) > 126 and not _is_known(each)}
    assert not found
    assert len(PICTURES) > 150


def _is_known(character: str) -> bool:
    return (
        character in FULL_ONLY
        or character in SIGNS
        or character in STAND_INS
        or character == "\xa0"
        or character.isalpha()
    )
