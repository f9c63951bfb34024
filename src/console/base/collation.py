"""Sort keys for text as people sort names, and text without what they do not distinguish.

Case is ignored, accents only distinguish otherwise equal names: Álvarez is between Alvarado and Alvarez Gil. Spaces,
punctuation and symbols come before digits and letters. The alphabets of single languages are not considered.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from itertools import filterfalse

COMPARED = 160
"""Most characters of a text that are compared."""
STEP = "\x1f"
"""Separator between the names of a path, so that all names below another follow it directly."""

_BELOW, _LEVEL = "\x00", "\x01"
_RANKS = {"Z": "\x02", "P": "\x03", "S": "\x04"}
"""Prefix of spaces, punctuation and symbols in a key, by the first letter of their category."""
_LETTERS: Mapping[int, str] = {
    0x142: "l",
    0xF8: "o",
    0x111: "d",
    0xF0: "d",
    0x127: "h",
    0x167: "t",
    0x131: "i",
    0xE6: "ae",
    0x153: "oe",
    0xFE: "th",
}
"""Letters that Unicode does not decompose, as they are typed without them on the keyboard."""


@lru_cache(maxsize=1 << 16)
def collated(text: str) -> str:
    """Return a text that sorts by code points as people sort `text`."""
    if STEP in text:
        return _BELOW.join(collated(name) for name in text.split(STEP))
    text = text[:COMPARED]
    letters = fold(text)
    primary = "".join([_RANKS.get(unicodedata.category(letter)[0], "") + letter for letter in letters])
    accented = unicodedata.normalize("NFKD", text.casefold())
    return primary if accented == letters else f"{primary}{_LEVEL}{accented}"


def fold(text: str) -> str:
    """Normalize text for comparison: without case, accents, strokes and widths."""
    folded = text.casefold()
    if folded.isascii():
        return folded
    apart = unicodedata.normalize("NFKD", folded).casefold().translate(_LETTERS)
    return "".join(filterfalse(unicodedata.combining, apart))
