"""A number that can be read from across the room, with its recent past."""

from __future__ import annotations

from collections.abc import Sequence

from console.tables.cell import Tone
from console.tables.trend import spark
from console.text import SafeText
from console.widgets.saying import Saying, piece


class Tile(Saying):
    """A title, a value, a note and a strip of history with its span."""

    DEFAULT_CSS = """
    Tile { height: 100%; background: $surface; padding: 0 1; }
    """

    def show(
        self,
        title: SafeText,
        value: SafeText,
        note: SafeText,
        values: Sequence[float | None],
        span: SafeText,
        tone: Tone = Tone.STRONG,
        more: SafeText | None = None,
    ) -> None:
        """Say these; `more` stands where the strip would, if there is none."""
        strip = spark(values)
        last = [piece(more, Tone.QUIET)] if more else []
        history = [piece(strip, Tone.NOTICE), piece(f"  {span}", Tone.QUIET)] if strip.strip() else last
        self.put([piece(title, Tone.QUIET)], [piece(value, tone)], [piece(note, Tone.QUIET)], history)
