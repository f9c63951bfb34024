"""Wrapping of lines of cells that preserves tones."""

from __future__ import annotations

import re
from collections.abc import Iterator

from console.base.text import SafeText, cells
from console.views.cell import Cell, Line, Tone

_WORD = re.compile(r" +|[^ ]+")


def wrap(line: Line, width: int) -> tuple[Line, ...]:
    """Wrap a line at spaces, or inside a word that is wider than a row.

    Further rows are indented below the value if the line starts with a quiet label, or below a quiet remark at its end.
    """
    width = max(4, width)
    if sum(cells(cell.text) for cell in line) <= width:
        return (line,)
    indent = _indent(line, width)
    rows: list[list[Cell]] = [[]]
    used = 0
    for text, tone in _words(line, width - indent):
        need = cells(text)
        if used + need > width:
            rows.append([Cell(SafeText(" " * indent))] if indent else [])
            used = indent
            if text.isspace():
                continue
        rows[-1].append(Cell(text, tone))
        used += need
    return tuple(tuple(row) for row in rows)


def _indent(line: Line, width: int) -> int:
    if len(line) < 2:
        return 0
    if line[0].tone is Tone.QUIET:
        label = cells(line[0].text)
    elif line[-1].tone is Tone.QUIET:
        label = sum(cells(cell.text) for cell in line[:-1])
    else:
        return 0
    return label if has_room_beside(label, width) else 0


def has_room_beside(label: int, width: int) -> bool:
    """Return whether a row has room for a value beside its label, so that further rows are below the value."""
    return label <= width * 3 // 5


def _words(line: Line, room: int) -> Iterator[tuple[SafeText, Tone]]:
    for cell in line:
        for match in _WORD.finditer(cell.text):
            at, end = match.span()
            while at < end:
                # Each character is examined once: a word may be as long as the text.
                fits = _fitting(cell.text, at, end, room)
                yield SafeText(cell.text[at:fits]), cell.tone
                at = fits


def _fitting(text: str, start: int, end: int, room: int) -> int:
    """Return the end of the part that fits, of at least one character; marks stay with their base."""
    used = 0
    for at in range(start, end):
        used += cells(text[at])
        if used > room:
            return max(start + 1, at)
    return end
