"""Sparklines of eighth blocks, or of shaded blocks, which every font has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from console.base.signs import drawn
from console.base.text import clean
from console.views.cell import Cell, Tone
from console.views.lines import gap
from console.views.render_context import RenderContext

_BLOCKS = {"full": "·▁▂▃▄▅▆▇█"}
"""Signs from zero to the highest, by set of symbols."""
_SHADES = "·░▒▓█"
"""The signs of the other sets."""
_GAP = " "
EIGHTHS = 8.0
"""The least scale of counts: one for each eighth of a block."""


def spark(values: Sequence[float | None], symbols: str, least: float = 0.0) -> str:
    """Draw values in proportion to the highest, or to `least` if that is more; a missing value is a gap.

    With `least` 8, an eighth of a block is 1, so that small counts can be read. Only zero and less is drawn as zero.
    """
    known = [value for value in values if value is not None]
    if not known:
        return ""
    signs, most = _BLOCKS.get(symbols, _SHADES), max(least, *known)

    def sign(value: float) -> str:
        return signs[max(1, round(value / most * (len(signs) - 1)))] if value > 0 else signs[0]

    return drawn("".join(_GAP if value is None else sign(value) for value in values), symbols)


def lately(moments: Iterable[float | None], each_ms: float, amount: int, render: RenderContext) -> list[int]:
    """Count times, in ms since the epoch, in the last intervals, the latest last."""
    counts = [0] * amount
    for moment in moments:
        ago = -1 if moment is None else (render.now_ms - moment) // each_ms
        if 0 <= ago < amount:
            counts[amount - 1 - int(ago)] += 1
    return counts


def strip(counts: Sequence[int], span: str, render: RenderContext) -> list[Cell]:
    """Return counts as cells of a line, with their time span; nothing for fewer than two events."""
    if sum(counts) < 2:
        return []
    return [
        gap(),
        Cell(clean(spark(counts, render.symbols, EIGHTHS)), Tone.NOTICE),
        Cell(clean(f" {span}"), Tone.QUIET),
    ]
