"""Tiles with large numbers and their history."""

from __future__ import annotations

from collections.abc import Sequence

from console.kinds.status.summary import Figure
from console.text import SafeText, cells, clean
from console.views.cell import Tone
from console.views.trend import spark
from console.widgets.styled_line import StyledLine, piece

_FULL = 4
"""Lines of a tile with all parts."""


class Tile(StyledLine):
    """Title, value, note and sparkline with its span; on two lines, title and value, with the note if it fits."""

    DEFAULT_CSS = """
    Tile { height: 100%; background: $surface; padding: 0 1; }
    """

    def show(self, number: Figure, values: Sequence[float | None], span: SafeText, symbols: str) -> None:
        """Show a number with its history over a span."""
        width, height = self.size
        title = number.short if number.short and 0 < width < cells(clean(number.title)) else number.title
        value, note = clean(number.value, 20), clean(number.note, 40)
        first = [piece(title, Tone.QUIET)]
        if 0 < height < _FULL:
            fits = note and cells(value) + 2 + cells(note) <= width
            self.update(first, [piece(value, number.tone), *([piece("  "), piece(note, Tone.QUIET)] if fits else [])])
            return
        strip = spark(values, symbols)
        last = [piece(clean(number.more, 40), Tone.QUIET)] if number.more else []
        history = [piece(strip, Tone.NOTICE), piece(f"  {span}", Tone.QUIET)] if strip.strip() else last
        self.update(first, [piece(value, number.tone)], [piece(note, Tone.QUIET)], history)
