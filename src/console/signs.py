"""The signs that the console draws, and what stands for each on a terminal that shows nothing but ASCII.

All are among the 652 characters of WGL4, so that every usual font has them, Consolas and DejaVu Sans Mono too; one cell
wide, and none that a terminal may draw as an emoji. Terminals that are set up for East Asian text may draw those in
`AMBIGUOUS` two cells wide: `symbols = "ascii"` is for these as well.
"""

from __future__ import annotations

from collections.abc import Mapping

SIGNS: Mapping[str, str] = {
    # States, always beside a word.
    "●": "*",
    "○": "o",
    "◊": "~",
    "≡": "=",
    "║": "|",
    "■": "#",
    "▬": "/",
    "×": "x",
    "√": "+",
    "▲": "!",
    "∆": "^",
    "▼": "v",
    # Where the cursor is, what leads where, what is sorted by.
    "►": ">",
    "›": ">",
    "→": ">",
    "←": "<",
    "↑": "^",
    "↓": "v",
    # Bars, trends and spans of time, from little to much.
    "░": "-",
    "▒": "=",
    "▓": "*",
    "█": "#",
    "▄": "#",
    "▌": "|",
    "═": "=",
    "·": ".",
    # Frames.
    "─": "-",
    "│": "|",
    "┌": "+",
    "┐": "+",
    "└": "+",
    "┘": "+",
    # In words.
    "…": "~",
    "–": "-",
    "•": "*",
    "≠": "!",
    "“": '"',
    "”": '"',
}
"""Every sign that is not ASCII, with what stands for it."""

AMBIGUOUS = frozenset("●○≡║■×√▲▼→←↑↓▒▓█▄▌═·─│┌┐└┘…–•≠“”")
"""Signs of which Unicode leaves open how wide they are among East Asian text."""

STAND_INS: Mapping[str, str] = {
    "\ufffd": "?",
    "\u25cc": "o",
    **{chr(code): "?" for code in (*range(0x2400, 0x2420), 0x2421)},
}
"""What `text.clean` puts in place of a character that must not be painted. Where a font lacks one, the terminal shows
its box for a missing character, which says the same."""

_PLAIN = str.maketrans({**SIGNS, **STAND_INS})


def drawn(words: str, symbols: str) -> str:
    """Return the program's own words with the signs that a terminal can show: `symbols` is `unicode` or `ascii`."""
    return words.translate(_PLAIN) if symbols == "ascii" else words
