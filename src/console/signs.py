"""The symbols that the console draws, with their ASCII replacements.

All are in the WGL4 character set, so that every usual font has them, including Consolas and DejaVu Sans Mono; one cell
wide, and never drawn as emoji. Terminals set up for East Asian text may draw those in `AMBIGUOUS` two cells wide:
`symbols = "ascii"` helps there too.
"""

from __future__ import annotations

from collections.abc import Mapping

SIGNS: Mapping[str, str] = {
    # States, always next to a word.
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
    # Cursor, links, sort order.
    "►": ">",
    "›": ">",
    "→": ">",
    "←": "<",
    "↑": "^",
    "↓": "v",
    # Bars and timelines, from low to high.
    "░": "-",
    "▒": "=",
    "▓": "*",
    "█": "#",
    "▄": "#",
    "▀": "'",
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
    # In text.
    "…": "~",
    "–": "-",
    "•": "*",
    "≠": "!",
    "≥": ">",
    "“": '"',
    "”": '"',
}
"""Every symbol outside ASCII, with its replacement."""

AMBIGUOUS = frozenset("●○≡║■×√▲▼→←↑↓▒▓█▄▀▌═·─│┌┐└┘…–•≠≥“”")
"""Symbols whose width Unicode leaves open for East Asian text."""

STAND_INS: Mapping[str, str] = {
    "\ufffd": "?",
    "\u25cc": "o",
    **{chr(code): "?" for code in (*range(0x2400, 0x2420), 0x2421)},
}
"""Replacements that `text.clean` uses for unsafe characters. Without a glyph in the font, the terminal shows a box,
which has the same meaning."""

_PLAIN = str.maketrans({**SIGNS, **STAND_INS})


def drawn(words: str, symbols: str) -> str:
    """Return the program's own text with symbols that the terminal supports: `symbols` is `unicode` or `ascii`."""
    return words.translate(_PLAIN) if symbols == "ascii" else words
