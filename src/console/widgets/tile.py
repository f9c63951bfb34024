"""A number that can be read from across the room, with its recent past."""

from __future__ import annotations

from collections.abc import Sequence

from console.tables.cell import Tone
from console.text import SafeText
from console.widgets.saying import Saying, piece

_BLOCKS = "▁▂▃▄▅▆▇█"
_GAP = " "


def spark(values: Sequence[float | None]) -> str:
    """Draw values as a strip of blocks, the lowest and highest of them as its scale; a missing value is a gap."""
    known = [value for value in values if value is not None]
    if not known:
        return ""
    low, high = min(known), max(known)
    spread = high - low
    top = len(_BLOCKS) - 1
    return "".join(
        _GAP if value is None else _BLOCKS[round((value - low) / spread * top)] if spread else _BLOCKS[0]
        for value in values
    )


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
