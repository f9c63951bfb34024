"""Cleaning of text from outside, required before it is displayed.

A remote string can press keys, run actions, crash markup or hang the terminal. `clean` makes it safe, character by
character, and marks it by its type; widgets accept `SafeText`, Textual `Content` made from it, or literals.

Single characters are replaced, never sequences: removing `ESC [ 2 J` as a whole could join the halves of another
sequence. Records keep the raw value, which is sent back to the service unchanged.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from enum import IntEnum

from rich.cells import get_character_cell_size

REPLACED = "\ufffd"
CUT = "\u2026"
MARKS = 2
"""Combining marks per base character: terminals draw any number of them in a single cell."""

_BASELESS = "\u25cc"
_DROPPED = frozenset(
    [
        *(0x200D, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0), 0x180B, 0x180C, 0x180D, 0x180F),
        *(*range(0x1F1E6, 0x1F200), *range(0x1F3FB, 0x1F400)),
    ]
)
"""Joiners, variation selectors, regional indicators and skin tones: terminals disagree on their width."""
_BLANK = frozenset([0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, 0xFFFC])
"""Characters that are invisible, so that two different texts would look alike."""
_SPACES = frozenset(["Zs", "Zl", "Zp"])
_UNSEEN = frozenset(["Cc", "Cf", "Cs", "Co", "Cn"])
_WORST = 8
"""Characters examined per cell: limits the cost of a text with millions of marks."""


class SafeText(str):
    """Text that is safe to display. Created only by this module. Never parse it as markup: wrap it in `Content`."""

    __slots__ = ()


class _Sort(IntEnum):
    BASE = 0
    MARK = 1
    DROPPED = 2


class _Looks(dict[str, tuple[str, _Sort, int]]):
    """Cache of characters: replacement, sort and width, bounded in size."""

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
_is_plain = re.compile(
    "[ -~\u00a1-\u00ac\u00ae-\u017f\u03a3-\u0482\u048a-\u052f\u2010-\u2027\u2190-\u2319\u2460-\u25fc\u2801-\u28ff]*"
).fullmatch
"""Whether a text has only characters of one cell that stay as they are: of European languages, symbols and charts.

Most texts have no others, and are not examined one by one.
"""


def clean(value: object, limit: int = 512) -> SafeText:
    """Make one line of text safe for a cell, title or message, at most `limit` cells wide; a cut ends in `…`.

    Control characters are replaced by their pictures, so that they stay visible; invisible characters and those that
    reorder text become U+FFFD. The cost is bounded by `limit`, not by the length of the text.
    """
    if isinstance(value, SafeText) and len(value) * 2 <= limit:
        return value
    text = value if isinstance(value, str) else _words(value)
    if len(text) <= limit and _is_plain(text):
        return SafeText(text)
    if limit <= 0:
        return SafeText("")
    fits = len(text) <= limit * _WORST
    return _within(_harmless(text if fits else text[: limit * _WORST]), limit, fits)


def clean_lines(value: object, max_lines: int = 2000, max_chars: int = 65536) -> tuple[SafeText, ...]:
    """Make a text of several lines safe, for a detail or a message; a last line counts what was cut.

    Lines end at CR LF, LF or CR; tabs become spaces. No line is longer than `max_chars` characters.
    """
    text = value if isinstance(value, str) else _words(value)
    cut = len(text) > max_chars
    expanded = text[:max_chars].replace("\r\n", "\n").replace("\r", "\n").expandtabs(4)
    cut = cut or len(expanded) > max_chars
    lines = expanded[:max_chars].split("\n", max_lines)
    if len(lines) > max_lines:
        cut = bool(lines.pop()) or cut
    elif len(lines) > 1 and not lines[-1] and not cut:
        lines.pop()
    safe = [SafeText(line if _is_plain(line) else _harmless(line)) for line in lines]
    if cut:
        # Tabs expand, so neither more lines nor more characters may be hidden although the text was cut.
        more = left_out(line_count(text) - len(lines), "line") or left_out(len(text) - max_chars, "character")
        safe.append(more or SafeText(f"{CUT} the rest is not shown"))
    return tuple(safe)


def line_count(text: str) -> int:
    """Return the number of lines of a text, including a last line without a line end."""
    ends = text.count("\n") + text.count("\r") - text.count("\r\n")
    return ends + (not text.endswith(("\n", "\r")))


def left_out(amount: int, what: str) -> SafeText:
    """Return the note on hidden parts, `… 499,000 more lines are not shown`; empty for none."""
    if amount <= 0:
        return SafeText("")
    return SafeText(f"{CUT} {amount:,} more {of_number(amount, what)} {of_number(amount, 'is')} not shown")


_IRREGULAR = {"person": "people", "is": "are", "was": "were", "ends": "end", "needs": "need", "waits": "wait"}
_SIBILANT = ("s", "x", "ch", "sh")


def of_number(number: float, one: str) -> str:
    """Return a noun, or one of a few verbs, in the form for a number: `entry` or `entries`, `is` or `are`."""
    *before, last = one.split(" ")
    if number == 1:
        return one
    if last in _IRREGULAR:
        many = _IRREGULAR[last]
    elif last.endswith("y") and last[-2:-1] not in set("aeiou"):
        many = f"{last[:-1]}ies"
    else:
        many = f"{last}es" if last.endswith(_SIBILANT) else f"{last}s"
    return " ".join((*before, many))


def clean_and_rest(value: object, limit: int = 512) -> tuple[SafeText, SafeText]:
    """Make one line safe as `clean` does, and return the note on what was cut; empty for nothing."""
    text = value if isinstance(value, str) else _words(value)
    safe_text = clean(text, limit)
    if len(text) <= limit // 2 or not safe_text.endswith(CUT) or text.endswith(CUT):
        return safe_text, SafeText("")
    more = line_count(text) - 1 - max(safe_text.count("\u240a"), safe_text.count("\u240d"))
    return safe_text, left_out(more, "line") if more > 1 else left_out(len(text) - len(safe_text) + 1, "character")


def cells(text: str) -> int:
    """Return the width of a clean text in cells. Meaningless for raw text."""
    if text.isascii() or _is_plain(text):
        return len(text)
    looks = _looks
    return sum([looks[character][2] for character in text])


def fit(text: SafeText, width: int, right: bool = False) -> SafeText:
    """Pad or cut a clean text to exactly `width` cells; a cut ends in `…`; `right` aligns it to the right."""
    if width <= 0:
        return SafeText("")
    if text.isascii() and len(text) <= width:
        return SafeText(text.rjust(width) if right else text.ljust(width))
    if cells(text) > width:
        text = _within(text, width, complete=True)
    blank = " " * (width - cells(text))
    return SafeText(blank + text if right else text + blank)


def join(separator: str, parts: Iterable[SafeText]) -> SafeText:
    """Join clean texts; the separator is the program's own text."""
    return SafeText(clean(separator).join(parts))


def _words(value: object) -> str:
    """Return the text of a value; for a failing conversion, the name of its type."""
    try:
        return str(value)
    except Exception as error:  # Whatever a foreign __str__ raises, the row must be painted.
        return f"{type(value).__name__} ({type(error).__name__})"


def _harmless(text: str) -> str:
    """Replace unsafe characters, and remove excess marks."""
    parts: list[str] = []
    looks = _looks
    marks = MARKS + 1
    for character in text:
        replacement, sort, _ = looks[character]
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
        parts.append(replacement)
    return "".join(parts)


def _within(text: str, limit: int, complete: bool) -> SafeText:
    """Cut a safe text to `limit` cells, keeping marks with their base; `whole` if nothing was cut before."""
    room = limit if complete else limit - 1
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
        return SafeText(text if complete else text + CUT)
    return SafeText(text[:fits] + CUT)


_INITIALISMS = {word.lower(): word for word in ("C2C", "DDI", "JID", "PIN", "SIP", "SMS", "URI", "URIs", "URL", "URLs")}


def as_label(name: str) -> str:
    """Return the name of a field as a label: `last_login` becomes `Last login`, `redirect_uri` `Redirect URI`."""
    words = name.lower().replace("_", " ").split()
    label = " ".join(_INITIALISMS.get(word, word) for word in words)
    return label[:1].upper() + label[1:]
