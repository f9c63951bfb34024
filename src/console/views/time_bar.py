"""The recorded time in one row: a sign per slot for the worst that went on in it, and the moment that is shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from console.signs import drawn
from console.text import clean
from console.views.cell import Cell, Tone

_CALM = ("─", Tone.QUIET)
_UNKNOWN = (" ", Tone.QUIET)
_SIGNS = {"notice": ("░", Tone.NOTICE), "warning": ("▒", Tone.WARN), "critical": ("█", Tone.BAD)}
_ORDER = ("notice", "warning", "critical")
_HERE = ("║", Tone.STRONG)
_MARK = ("▼", Tone.STRONG)
_LABEL = 6
"""Cells of the times at both ends."""
_MARK_LABEL = 10
"""Cells of the time of the mark."""

Span = tuple[float, float]
"""Beginning and end in ms since the epoch."""


class TimeScale:
    """The places of moments in a row of some width."""

    def __init__(self, span: Span, width: int, *, marked: bool = False) -> None:
        self.first, self.last = span
        self.slots = max(1, width - 2 * _LABEL - (_MARK_LABEL if marked else 0))

    def slot(self, at_ms: float) -> int:
        """Return the slot of a moment."""
        share = (at_ms - self.first) / max(1.0, self.last - self.first)
        return min(self.slots - 1, max(0, int(share * self.slots)))

    def moment(self, column: int) -> int:
        """Return the moment in the middle of a column of the row, in ms since the epoch."""
        place = min(self.slots - 1, max(0, column - _LABEL))
        return round(self.first + (place + 0.5) * (self.last - self.first) / self.slots)


def time_bar(
    scale: TimeScale,
    known: Iterable[Span],
    episodes: Iterable[tuple[float, float, str]],
    at_ms: float,
    zone: ZoneInfo,
    symbols: str,
    mark_ms: float | None = None,
) -> list[Cell]:
    """Return the row: `known` are the recorded times, `episodes` beginning, end and severity of each.

    The time of the mark is at the end, since its sign may be under that of the moment.
    """
    signs: list[tuple[str, Tone]] = [_UNKNOWN] * scale.slots
    ranks = [-1] * scale.slots
    for first, last in known:
        for place in range(scale.slot(first), scale.slot(last) + 1):
            signs[place] = _CALM
    for first, last, severity in episodes:
        rank = _ORDER.index(severity) if severity in _ORDER else 0
        for place in range(scale.slot(first), scale.slot(last) + 1):
            if rank > ranks[place]:
                ranks[place], signs[place] = rank, _SIGNS[_ORDER[rank]]
    if mark_ms is not None:
        signs[scale.slot(mark_ms)] = _MARK
    signs[scale.slot(at_ms)] = _HERE
    label = (
        Cell(clean(f"{datetime.fromtimestamp(each / 1000, zone):%H:%M}"), Tone.QUIET)
        for each in (scale.first, scale.last)
    )
    row = [next(label), Cell(clean(" ")), *_joined(signs, symbols), Cell(clean(" ")), next(label)]
    if mark_ms is not None:
        sign, tone = _MARK
        time = f"{datetime.fromtimestamp(mark_ms / 1000, zone):%H:%M:%S}"
        row.append(Cell(clean(f" {drawn(sign, symbols)}{time}"), tone))
    return row


def _joined(signs: Sequence[tuple[str, Tone]], symbols: str) -> list[Cell]:
    """Return cells of equal signs."""
    found: list[Cell] = []
    first = 0
    for place in range(1, len(signs) + 1):
        if place == len(signs) or signs[place] != signs[first]:
            sign, tone = signs[first]
            found.append(Cell(clean(drawn(sign, symbols) * (place - first)), tone))
            first = place
    return found
