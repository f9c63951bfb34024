"""Charts of blocks that every font has: two levels per line, gaps, threshold lines and marks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import groupby

from console.frozen import Frozen
from console.signs import drawn
from console.text import clean
from console.views.cell import Cell, Line, Tone

_STEPS = (1, 2, 3, 4, 5, 6, 8, 10)
_TIMES = tuple(1000 * each for each in (10, 30, 60, 120, 180, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400))
LEAST = 4.0
"""Smallest top of a scale of numbers: one call more or less is no mountain."""


class Level(Frozen):
    """A threshold line."""

    at: float
    tone: Tone


def scale_top(values: Collection[float | None], *, times: bool = False) -> float:
    """Return a round number from the highest value on; for `times` in ms a round time."""
    most = max((each for each in values if each is not None), default=0.0)
    if times:
        return next((each for each in _TIMES if each >= most), most)
    most, unit = max(most, LEAST), 1.0
    while most > 10 * unit:
        unit *= 10
    return next(each * unit for each in _STEPS if each * unit >= most)


def plot(
    values: Sequence[float | None],
    top: float,
    height: int,
    tone: Callable[[float], Tone],
    *,
    levels: Collection[Level] = (),
    marks: Collection[int] = (),
    symbols: str = "unicode",
) -> list[Line]:
    """Draw values as columns on lines, the top one first.

    A missing value is a gap, zero is a line at the bottom. `marks` are columns with a vertical line, such as restarts.
    """
    halves = [None if each is None else _halves(each, top, height) for each in values]
    lines: list[Line] = []
    for row in reversed(range(height)):
        here = next((each.tone for each in levels if 0 < each.at <= top and _row(each.at, top, height) == row), None)
        filled = tone(top * (row + 1) / height)
        calm = filled if filled in (Tone.WARN, Tone.BAD) else Tone.QUIET
        cells: list[tuple[str, Tone]] = []
        for place, (value, high) in enumerate(zip(values, halves, strict=True)):
            if value is not None and high is not None and 2 * row < high <= 2 * row + 2:
                cells.append(("█" if high == 2 * row + 2 else "▄", tone(value)))
            elif here is not None:
                cells.append(("─", here))
            elif high is not None and high > 2 * row:
                cells.append(("░", calm))
            elif place in marks:
                cells.append(("│", Tone.NOTICE))
            else:
                cells.append(("─", Tone.QUIET) if high == 0 and row == 0 else (" ", Tone.PLAIN))
        lines.append(_joined(cells, symbols))
    return lines


def _joined(cells: Sequence[tuple[str, Tone]], symbols: str) -> Line:
    return tuple(
        Cell(clean(drawn("".join(sign for sign, _ in group), symbols), 400), look)
        for look, group in groupby(cells, key=lambda each: each[1])
    )


def _halves(value: float, top: float, height: int) -> int:
    """Return the height of a value in halves of a line; any positive value is visible."""
    found = round(min(value, top) / top * 2 * height)
    return max(found, 1) if value > 0 else 0


def _row(value: float, top: float, height: int) -> int:
    return (max(1, _halves(value, top, height)) - 1) // 2


def rates(counts: Sequence[float | None], seconds: float, over: int = 1) -> list[float | None]:
    """Return the increase per minute of counts that many seconds apart, each from the one `over` places before.

    A count that became less began again at zero. Without the earlier count, the increase is unknown.
    """
    found: list[float | None] = []
    for before, now in zip(counts, counts[over:], strict=False):
        if before is None or now is None:
            found.append(None)
        else:
            found.append((now - before if now >= before else now) * 60 / (seconds * over))
    return found


def falls(values: Sequence[float | None]) -> frozenset[int]:
    """Return the places of values that are less than the last known one before."""
    found: set[int] = set()
    last: float | None = None
    for place, value in enumerate(values):
        if value is not None:
            if last is not None and value < last:
                found.add(place)
            last = value
    return frozenset(found)


def slope(samples: Sequence[tuple[float, float]], *, least: int, span: float) -> float | None:
    """Return the increase per second of (seconds, value), fitted by least squares.

    None for fewer than `least` samples, or if they are from less than `span` seconds.
    """
    if len(samples) < least or samples[-1][0] - samples[0][0] < span:
        return None
    many = len(samples)
    mean_at, mean = sum(at for at, _ in samples) / many, sum(value for _, value in samples) / many
    spread = sum((at - mean_at) ** 2 for at, _ in samples)
    return sum((at - mean_at) * (value - mean) for at, value in samples) / spread if spread else None
