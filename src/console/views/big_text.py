"""Text in large characters, three lines high, for a screen that is read from a distance.

A character is five pixels high and mostly three wide; half blocks show two pixels in one cell. Larger sizes have round
corners, so that 0 and 8, or B and D, differ from far away. Accents are dropped, and characters that have no glyph
become a box: names on a wall are read at a glance, and lists have the exact ones.
"""

from __future__ import annotations

import unicodedata
from functools import cache

from console.base.signs import drawn
from console.base.text import SafeText, clean

LINES = 3
"""Height of a line of large text in cells."""
_PIXELS = 5
_GLYPHS = """
A .#. #.# ### #.# #.#
B ##. #.# ##. #.# ##.
C .## #.. #.. #.. .##
D ##. #.# #.# #.# ##.
E ### #.. ##. #.. ###
F ### #.. ##. #.. #..
G .## #.. #.# #.# .##
H #.# #.# ### #.# #.#
I ### .#. .#. .#. ###
J ..# ..# ..# #.# .#.
K #.# #.# ##. #.# #.#
L #.. #.. #.. #.. ###
M #...# ##.## #.#.# #...# #...#
N #..# ##.# #.## #..# #..#
O .#. #.# #.# #.# .#.
P ##. #.# ##. #.. #..
Q .##. #..# #..# #.## .###
R ##. #.# ##. #.# #.#
S .## #.. .#. ..# ##.
T ### .#. .#. .#. .#.
U #.# #.# #.# #.# ###
V #.# #.# #.# #.# .#.
W #...# #...# #.#.# ##.## #...#
X #.# #.# .#. #.# #.#
Y #.# #.# .#. .#. .#.
Z ### ..# .#. #.. ###
0 ### #.# #.# #.# ###
1 .#. ##. .#. .#. ###
2 ### ..# ### #.. ###
3 ### ..# .## ..# ###
4 #.# #.# ### ..# ..#
5 ### #.. ### ..# ###
6 ### #.. ### #.# ###
7 ### ..# ..# .#. .#.
8 ### #.# ### #.# ###
9 ### #.# ### ..# ###
: . # . # .
. . . . . #
, .. .. .. .# #.
; .# .. .. .# #.
- ... ... ### ... ...
+ ... .#. ### .#. ...
~ .... .#.# #.#. .... ....
/ ..# ..# .#. #.. #..
% #.# ..# .#. #.. #.#
! # # # . #
? ##. ..# .#. ... .#.
( .# #. #. #. .#
) #. .# .# .# #.
' # # . . .
" #.# #.# ... ... ...
= ... ### ... ### ...
< ..# .#. #.. .#. ..#
> #.. .#. ..# .#. #..
* ... #.# .#. #.# ...
# .#.#. ##### .#.#. ##### .#.#.
& .#.. #.#. .#.. #.#. .#.#
@ .###. #..## #.#.# #.### .##..
_ ... ... ... ... ###
"""
_UNKNOWN = ("###", "#.#", "#.#", "#.#", "###")
_SPACE = ("..",) * _PIXELS
_BLOCKS = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}
_SAME = {"≈": "~", "≥": ">", "–": "-", "“": '"', "”": '"'}
"""Characters that are drawn like another one."""


@cache
def _glyphs() -> dict[str, tuple[str, ...]]:
    glyphs: dict[str, tuple[str, ...]] = {" ": _SPACE}
    for line in _GLYPHS.strip().splitlines():
        character, *rows = line.split(" ")
        glyphs[character] = tuple(rows)
    return glyphs


def _glyph(character: str) -> tuple[str, ...] | None:
    """Return the glyph of a character, None for one that adds nothing, such as an accent."""
    glyphs = _glyphs()
    plain = unicodedata.normalize("NFKD", character.upper())[:1]
    plain = _SAME.get(plain, plain)
    if unicodedata.combining(plain):
        return None
    return glyphs.get(plain, _UNKNOWN)


def _pixels(text: str, scale: int) -> list[str]:
    rows = [""] * _PIXELS * scale
    for character in text:
        glyph = _enlarged(character, scale)
        if glyph:
            gap = "." * scale
            rows = [f"{row}{gap if row else ''}{part}" for row, part in zip(rows, glyph, strict=True)]
    return rows


@cache
def _enlarged(character: str, scale: int) -> tuple[str, ...]:
    """Return the pixels of a character at a scale, empty for one that adds nothing."""
    glyph = _glyph(character)
    if glyph is None:
        return ()
    rows: list[str] = []
    for top, middle, bottom in zip(("", *glyph), glyph, (*glyph[1:], ""), strict=False):
        above, below = (line or "." * len(middle) for line in (top, bottom))
        left, right = f".{middle}"[:-1], f"{middle[1:]}."
        parts = [_rounded(*pixels, scale) for pixels in zip(middle, above, below, left, right, strict=True)]
        rows += ["".join(lines) for lines in zip(*parts, strict=True)]
    return tuple(rows)


def _rounded(pixel: str, above: str, below: str, left: str, right: str, scale: int) -> list[str]:
    """Return the square of an enlarged pixel; a corner between two equal neighbours becomes like them (Scale2x)."""
    square = [[pixel] * scale for _ in range(scale)]
    if scale > 1 and above != below and left != right:
        square[0 if above != pixel else -1][0 if left != pixel else -1] = above if above != pixel else below
    return ["".join(line) for line in square]


def height_of(scale: int = 1) -> int:
    """Return the height of large text in cells."""
    return (_PIXELS * scale + 1) // 2


def width_of_big(text: str, scale: int = 1) -> int:
    """Return the width of large text in cells."""
    return len(_pixels(text, scale)[0])


def big(text: str, symbols: str, scale: int = 1, room: int | None = None) -> list[SafeText]:
    """Draw text in large characters, in lines of equal width; `room` cuts it to whole characters that fit."""
    if room is not None and width_of_big(text, scale) > room:
        text = _cut(text, scale, room)
    pixels = [[pixel == "#" for pixel in row] for row in _pixels(text, scale)]
    if len(pixels) % 2:
        pixels.append([False] * len(pixels[0]))
    lines = (
        "".join(_BLOCKS[pair] for pair in zip(top, bottom, strict=True))
        for top, bottom in zip(pixels[::2], pixels[1::2], strict=True)
    )
    return [clean(drawn(line, symbols), 4000) for line in lines]


def _cut(text: str, scale: int, room: int) -> str:
    """Return the longest beginning with dots after it that fits."""
    for length in range(len(text), 0, -1):
        cut = f"{text[:length].rstrip()}.."
        if width_of_big(cut, scale) <= room:
            return cut
    return ""
