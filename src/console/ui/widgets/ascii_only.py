"""Line filter for terminals that only support ASCII."""

from __future__ import annotations

import unicodedata
from functools import cache

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from console.base.signs import LETTERS, SIGNS, STAND_INS
from console.base.text import cells


class AsciiOnly(LineFilter):
    """Replaces all other characters: letters by their base letters, the rest by `?`."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments of a line in ASCII, with unchanged widths."""
        return [
            segment if segment.text.isascii() else Segment("".join(map(_ascii, segment.text)), segment.style)
            for segment in segments
        ]


@cache
def _ascii(character: str) -> str:
    if character.isascii():
        return character
    stand_in = SIGNS.get(character) or STAND_INS.get(character) or LETTERS.get(character)
    if stand_in is None:
        bare = "".join(value for value in unicodedata.normalize("NFKD", character) if value.isascii())
        stand_in = bare if len(bare) == cells(character) else "?" * cells(character)
    return stand_in
