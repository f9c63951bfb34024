"""Words for Textual's own widgets: clean, never parsed as markup, and in a tone that follows the theme."""

from __future__ import annotations

from collections.abc import Iterable

from textual.content import Content

from console.text import clean
from console.views.cell import Cell, Tone
from console.widgets.theme import Part

_WIDEST = 4096


def styled(words: str, look: Tone | Part = Tone.PLAIN) -> Content:
    """Make content of words in the look of a tone or a part; they are made harmless on the way."""
    return Content.styled(clean(words, _WIDEST), f"${'tone' if isinstance(look, Tone) else 'part'}-{look}")


def line(cells: Iterable[Cell]) -> Content:
    """Make content of cells, one after the other."""
    return Content("").join(styled(cell.text, cell.tone) for cell in cells)


def block(lines: Iterable[Iterable[Cell]]) -> Content:
    """Make content of lines, one below the other."""
    return Content("\n").join(line(cells) for cells in lines)
