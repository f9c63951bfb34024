"""Sparklines of shaded blocks, which every font has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from console.text import clean
from console.views.cell import Cell, Tone
from console.views.lines import gap
from console.views.render_context import RenderContext

_BLOCKS = "·░▒▓█"
_GAP = " "


def spark(values: Sequence[float | None], *, from_zero: bool = False) -> str:
    """Draw values as shades between the lowest (or zero) and the highest; a missing value is a gap.

    With `from_zero`, only zero, and values below it, are drawn as empty.
    """
    known = [value for value in values if value is not None]
    if not known:
        return ""
    low, high = 0.0 if from_zero else min(known), max(known)
    spread = high - low
    top = len(_BLOCKS) - 1

    def drawn(value: float) -> str:
        shade = max(0, round((value - low) / spread * top)) if spread > 0 else 0
        return _BLOCKS[max(shade, 1) if from_zero and value > 0 else shade]

    return "".join(_GAP if value is None else drawn(value) for value in values)


def lately(moments: Iterable[float | None], each_ms: float, amount: int, render: RenderContext) -> list[int]:
    """Count times, in ms since the epoch, in the last intervals, the latest last."""
    counts = [0] * amount
    for moment in moments:
        ago = -1 if moment is None else (render.now_ms - moment) // each_ms
        if 0 <= ago < amount:
            counts[amount - 1 - int(ago)] += 1
    return counts


def strip(counts: Sequence[int], span: str) -> list[Cell]:
    """Return counts as cells of a line, with their time span; nothing for fewer than two events."""
    if sum(counts) < 2:
        return []
    return [gap(), Cell(clean(spark(counts, from_zero=True)), Tone.NOTICE), Cell(clean(f" {span}"), Tone.QUIET)]
