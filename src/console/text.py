"""The one way in which text from outside reaches the screen.

A remote string can press keys, run actions, crash markup or hang the terminal. `clean` makes it harmless, character by
character, and marks it as such by its type; widgets take `SafeText`, Textual `Content` made from it, or literals.

Single characters are replaced, never sequences: whoever removes `ESC [ 2 J` as a whole can join the halves of another
one. The raw value stays in the record and goes back to the service unchanged.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from enum import IntEnum

from rich.cells import get_character_cell_size

REPLACED = "\ufffd"
CUT = "\u2026"
MARKS = 2
"""Combining marks that one base may carry: terminals keep them all, one after the other, in a single cell."""

_BASELESS = "\u25cc"
_DROPPED = frozenset(
    [
        *(0x200D, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0), 0x180B, 0x180C, 0x180D, 0x180F),
        *(*range(0x1F1E6, 0x1F200), *range(0x1F3FB, 0x1F400)),
    ]
)
"""Joiner, variation selectors, regional letters and skin tones: terminals disagree on how wide they make a text."""
_BLANK = frozenset([0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, 0xFFFC])
"""Characters of harmless categories that show nothing, so that two different texts would look alike."""
_SPACES = frozenset(["Zs", "Zl", "Zp"])
_UNSEEN = frozenset(["Cc", "Cf", "Cs", "Co", "Cn"])
_WORST = 8
"""Characters looked at per cell wanted: a bound on the work that a text of millions of marks can cause."""


class SafeText(str):
    """Text that may be painted. Made only by this module. Still never parse it as markup: wrap it in `Content`."""

    __slots__ = ()


class _Sort(IntEnum):
    BASE = 0
    MARK = 1
    DROPPED = 2


class _Looks(dict[str, tuple[str, _Sort, int]]):
    """What becomes of a character: its replacement, its sort and its width, remembered within bounds."""

    def __missing__(self, character: str) -> tuple[str, _Sort, int]:
        if len(self) >= 16_384:
            self.clear()
        look = self[character] = _look(character)
        return look


def _look(character: str) -> tuple[str, _Sort, int]:
    code = ord(character)
    if code in _DROPPED:
        return "", _Sort.DROPPED, 0
    if code < 0x20:
        return chr(0x2400 + code), _Sort.BASE, 1
    if code == 0x7F:
        return "\u2421", _Sort.BASE, 1
    if 0x4E00 <= code <= 0x9FFC or 0xAC00 <= code <= 0xD7A3:
        return character, _Sort.BASE, 2
    category = unicodedata.category(character)
    if category in _SPACES:
        return " ", _Sort.BASE, 1
    if category in _UNSEEN or code in _BLANK:
        return REPLACED, _Sort.BASE, 1
    width = get_character_cell_size(character)
    if width == 0 or category[0] == "M":
        return character, _Sort.MARK, width
    return character, _Sort.BASE, width


_looks = _Looks()


def clean(value: object, limit: int = 512) -> SafeText:
    """Make one line of text harmless for a cell, title or message, at most `limit` cells wide; a cut ends in `…`.

    Control characters become their pictures, so that an operator sees that something was there; what cannot be seen
    or would reorder the row becomes U+FFFD. The work is bounded by `limit`, not by the length of the text.
    """
    if isinstance(value, SafeText) and len(value) * 2 <= limit:
        return value
    text = value if isinstance(value, str) else _words(value)
    if len(text) <= limit and text.isascii() and text.isprintable():
        return SafeText(text)
    if limit <= 0:
        return SafeText("")
    whole = len(text) <= limit * _WORST
    return _within(_harmless(text if whole else text[: limit * _WORST]), limit, whole)


def clean_lines(value: object, max_lines: int = 2000, max_chars: int = 65536) -> tuple[SafeText, ...]:
    """Make a text of several lines harmless, for a detail or a message; a last line says how much was cut off.

    Lines end at CR LF, LF or CR; tabs become spaces. No line is wider than `max_chars` characters.
    """
    text = value if isinstance(value, str) else _words(value)
    cut = len(text) > max_chars
    shown = text[:max_chars].replace("\r\n", "\n").replace("\r", "\n").expandtabs(4)
    cut = cut or len(shown) > max_chars
    lines = shown[:max_chars].split("\n", max_lines)
    if len(lines) > max_lines:
        cut = bool(lines.pop()) or cut
    elif len(lines) > 1 and not lines[-1] and not cut:
        lines.pop()
    safe = [SafeText(line if line.isascii() and line.isprintable() else _harmless(line)) for line in lines]
    if cut:
        # Of tabs, which grow, there may be neither more lines nor more characters than are shown.
        more = left_out(line_count(text) - len(lines), "line") or left_out(len(text) - max_chars, "character")
        safe.append(more or SafeText(f"{CUT} the rest is not shown"))
    return tuple(safe)


def line_count(text: str) -> int:
    """Return how many lines a text has; what stands behind the last end of line counts if it is anything."""
    ends = text.count("\n") + text.count("\r") - text.count("\r\n")
    return ends + (not text.endswith(("\n", "\r")))


def left_out(amount: int, what: str) -> SafeText:
    """Say how much is not shown, `… 499,000 more lines are not shown`; empty where that is nothing."""
    if amount <= 0:
        return SafeText("")
    plural = what[:-1] + "ies" if what.endswith("y") else f"{what}s"
    told = f"{what} is" if amount == 1 else f"{plural} are"
    return SafeText(f"{CUT} {amount:,} more {told} not shown")


def clean_and_rest(value: object, limit: int = 512) -> tuple[SafeText, SafeText]:
    """Make one line harmless like `clean`, and say how much of it was cut off; empty where nothing was."""
    text = value if isinstance(value, str) else _words(value)
    shown = clean(text, limit)
    if len(text) <= limit // 2 or not shown.endswith(CUT) or text.endswith(CUT):
        return shown, SafeText("")
    more = line_count(text) - 1 - max(shown.count("\u240a"), shown.count("\u240d"))
    return shown, left_out(more, "line") if more > 1 else left_out(len(text) - len(shown) + 1, "character")


def cells(text: str) -> int:
    """Return how many cells a clean text takes in the terminal. For raw text the answer means nothing."""
    if text.isascii():
        return len(text)
    looks = _looks
    return sum(looks[character][2] for character in text)


def fit(text: SafeText, width: int, right: bool = False) -> SafeText:
    """Bring a clean text to exactly `width` cells: padded, or cut with `…`; `right` aligns it to the right."""
    if width <= 0:
        return SafeText("")
    if text.isascii() and len(text) <= width:
        return SafeText(text.rjust(width) if right else text.ljust(width))
    if cells(text) > width:
        text = _within(text, width, whole=True)
    blank = " " * (width - cells(text))
    return SafeText(blank + text if right else text + blank)


def join(separator: str, parts: Iterable[SafeText]) -> SafeText:
    """Put clean texts together; the separator is the program's own words."""
    return SafeText(clean(separator).join(parts))


def _words(value: object) -> str:
    """Return what a value calls itself; a value that cannot say is named by its type."""
    try:
        return str(value)
    except Exception as error:  # whatever a foreign __str__ raises, the row must still be painted
        return f"{type(value).__name__} ({type(error).__name__})"


def _harmless(text: str) -> str:
    """Replace what must not be painted, and thin out marks."""
    parts: list[str] = []
    looks = _looks
    marks = MARKS + 1
    for character in text:
        shown, sort, _ = looks[character]
        if sort is _Sort.BASE:
            marks = 0
        elif sort is _Sort.MARK:
            if marks > MARKS:
                parts.append(_BASELESS)
                marks = 0
            elif marks == MARKS:
                continue
            marks += 1
        else:
            continue
        parts.append(shown)
    return "".join(parts)


def _within(text: str, limit: int, whole: bool) -> SafeText:
    """Cut a harmless text to `limit` cells, marks staying with their base; `whole` if nothing was lost before."""
    room = limit if whole else limit - 1
    width = 0
    fits = 0
    looks = _looks
    for index, character in enumerate(text):
        width += looks[character][2]
        if width > room:
            break
        if width <= limit - 1:
            fits = index + 1
    else:
        return SafeText(text if whole else text + CUT)
    return SafeText(text[:fits] + CUT)
