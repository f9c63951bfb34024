"""Styled text for Textual's own widgets: clean, without markup, in tones of the theme."""

from __future__ import annotations

from collections.abc import Iterable

from textual.content import Content

from console.text import clean
from console.views.cell import Cell, Tone
from console.widgets.theme import Part

_WIDEST = 4096


def styled(words: str, look: Tone | Part = Tone.PLAIN) -> Content:
    """Return content with the text in the style of a tone or part; the text is cleaned."""
    return Content.styled(clean(words, _WIDEST), f"${'tone' if isinstance(look, Tone) else 'part'}-{look}")


def line(cells: Iterable[Cell]) -> Content:
    """Return content of cells in a row."""
    return Content("").join(styled(cell.text, cell.tone) for cell in cells)


def block(lines: Iterable[Iterable[Cell]]) -> Content:
    """Return content of lines."""
    return Content("\n").join(line(cells) for cells in lines)
