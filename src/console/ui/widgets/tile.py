"""Tiles with large numbers and their history."""

from __future__ import annotations

from collections.abc import Sequence

from console.base.text import SafeText, cells, clean
from console.kinds.status.summary import Figure
from console.ui.widgets.styled_line import StyledLine, piece, width_of
from console.views.cell import Tone
from console.views.trend import spark

_FULL = 4
"""Lines of a tile with all parts."""


class Tile(StyledLine):
    """Title, values, note and sparkline with its span; on two lines, title and values, with the note if it fits."""

    DEFAULT_CSS = """
    Tile { height: 100%; background: $surface; padding: 0 1; }
    """

    def show(self, number: Figure, samples: Sequence[float | None], span: SafeText, symbols: str) -> None:
        """Show a number with its history over a span."""
        width, height = self.size
        title = number.short if number.short and 0 < width < cells(clean(number.title)) else number.title
        note = clean(number.note, 40)
        first = [piece(title, Tone.QUIET)]
        values = [piece(clean(number.value, 20), number.tone)]
        if number.second:
            second = piece(clean(number.second, 20), number.second_tone)
            roomy = width_of([*values, second]) + 2 <= width or not width
            values += [piece("  " if roomy else " "), second]
        if 0 < height < _FULL:
            fits = note and width_of(values) + 2 + cells(note) <= width
            self.update(first, [*values, *([piece("  "), piece(note, Tone.QUIET)] if fits else [])])
            return
        strip = spark(samples, symbols)
        last = [piece(clean(number.more, 40), Tone.QUIET)] if number.more else []
        history = [piece(strip, Tone.NOTICE), piece(f"  {span}", Tone.QUIET)] if strip.strip() else last
        self.update(first, values, [piece(note, Tone.QUIET)], history)
