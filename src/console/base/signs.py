"""The symbols that the console draws, with their ASCII replacements.

There are three sets. `plain` is in the WGL4 character set, so that every usual font has it, including Consolas and
DejaVu Sans Mono; one cell wide, and never drawn as emoji. `full` adds the braille patterns and the eighth blocks, which
most terminals draw themselves. `ascii` replaces every symbol. Terminals set up for East Asian text may draw those in
`AMBIGUOUS` two cells wide: `symbols = "ascii"` helps there too.
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
    "┤": "+",
    # In text.
    "…": "~",
    "–": "-",
    "•": "*",
    "≠": "!",
    "≈": "~",
    "≥": ">",
    "≤": "<",
    "“": '"',
    "”": '"',
}
"""Every symbol outside ASCII, with its replacement."""

AMBIGUOUS = frozenset("●○≡║■×√▲▼→←↑↓▒▓█▄▀▌═·─│┌┐└┘┤…–•≠≈≥≤“”")
"""Symbols whose width Unicode leaves open for East Asian text."""

FULL_ONLY = frozenset("▁▂▃▅▆▇┊") | {chr(code) for code in range(0x2800, 0x2900)}
"""Symbols of the set `full` alone. What draws them draws something else in the other sets."""

STAND_INS: Mapping[str, str] = {
    "\ufffd": "?",
    "\u25cc": "o",
    **{chr(code): "?" for code in (*range(0x2400, 0x2420), 0x2421)},
}
"""Replacements that `text.clean` uses for unsafe characters. Without a glyph in the font, the terminal shows a box,
which has the same meaning."""

LETTERS: Mapping[str, str] = {
    **dict(zip("øłđðħŧıßæœþ", "olddhtisaot", strict=True)),
    **dict(zip("ØŁĐÐĦŦÆŒÞ", "OLDDHTAOT", strict=True)),
    "\u2018": "'",
    "\u2019": "'",
    "\u02bc": "'",
    "\u2010": "-",
    "\u2011": "-",
    "\u2014": "-",
}
"""Letters and punctuation of names that Unicode does not decompose, with ASCII replacements of the same width."""

_PLAIN = str.maketrans({**SIGNS, **STAND_INS})


_DRAWING = {
    "KITTY_WINDOW_ID": "kitty",
    "WEZTERM_PANE": "WezTerm",
    "GHOSTTY_RESOURCES_DIR": "Ghostty",
    "ITERM_SESSION_ID": "iTerm2",
}
"""Terminals that draw all symbols themselves, by a variable that they set."""
_DRAWING_TERMS = ("xterm-kitty", "xterm-ghostty", "wezterm", "foot", "foot-extra", "contour")
_PLAIN_TERMS = ("", "linux", "dumb")


def drawn(text: str, symbols: str) -> str:
    """Return the program's own text with symbols that the terminal supports: `symbols` is `full`, `plain` or `ascii`.

    The text contains no symbols of `FULL_ONLY` unless the set is `full`.
    """
    return text.translate(_PLAIN) if symbols == "ascii" else text


def terminal_symbols(environ: Mapping[str, str]) -> tuple[str, str]:
    """Return the set of symbols for the terminal, `full` or `plain`, and the reason."""
    term = environ.get("TERM", "")
    if term in _PLAIN_TERMS:
        return "plain", f"TERM={term}" if term else "TERM is not set"
    if term in _DRAWING_TERMS:
        return "full", f"TERM={term}"
    for variable, terminal in _DRAWING.items():
        if environ.get(variable):
            return "full", f"the terminal is {terminal}"
    variable = next((value for value in ("LC_ALL", "LC_CTYPE", "LANG") if environ.get(value)), "")
    if not variable:
        return "plain", "no locale is set"
    locale = environ[variable]
    encoding = locale.partition(".")[2].partition("@")[0].replace("-", "").lower()
    return "full" if encoding == "utf8" else "plain", f"{variable}={locale}"
