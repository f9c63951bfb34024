"""Charts with gaps, threshold lines and marks: of braille dots, or of blocks that every font has."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import groupby, zip_longest

from console.base.frozen import Frozen
from console.base.signs import drawn
from console.base.text import clean
from console.views.cell import Cell, Line, Tone

_STEPS = (1, 2, 3, 4, 5, 6, 8, 10)
_TIMES = tuple(
    1000 * value for value in (10, 30, 60, 120, 180, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400)
)
LEAST = 4.0
"""Smallest top of a scale of numbers: a change by one call stays small."""
DOTS_WIDE, DOTS_HIGH = 2, 4
"""Dots of a braille cell."""
BRAILLE_EMPTY = "\u2800"
BRAILLE_FILL = "\u2802"
"""Below a curve: one dot, so that the area is fainter than the curve also without colours."""
_DOTS = ((0x40, 0x04, 0x02, 0x01), (0x80, 0x20, 0x10, 0x08))
"""The bits of the left and of the right dots, from the lowest."""
_CELLS = tuple(map(chr, range(0x2800, 0x2900)))
"""The cells by their bits."""
CHANGE = "•"
"""The sign of an own change, as in the bar of the recorded time."""
_FREE = frozenset((" ", "─", "░", BRAILLE_FILL))
"""Cells that such a sign may replace: all but the curve and other marks."""


class ThresholdLine(Frozen):
    """A threshold line."""

    at: float
    tone: Tone


def values_in(columns: int, symbols: str) -> int:
    """Return how many values have room in so many columns of a set of symbols."""
    return columns * (DOTS_WIDE if symbols == "full" else 1)


def scale_top(values: Collection[float | None], *, times: bool = False) -> float:
    """Return a round number from the highest value on; for `times` in ms a round time."""
    most = max((value for value in values if value is not None), default=0.0)
    if times:
        return next((each for each in _TIMES if each >= most), most)
    most, unit = max(most, LEAST), 1.0
    while most > 10 * unit:
        unit *= 10
    # Also the value in the middle of the scale is round.
    return next(step * unit for step in _STEPS if step * unit >= most and step * unit % 2 == 0)


def plot(
    values: Sequence[float | None],
    top: float,
    height: int,
    tone: Callable[[float], Tone],
    *,
    levels: Collection[ThresholdLine] = (),
    marks: Collection[int] = (),
    changes: Collection[int] = (),
    symbols: str = "full",
) -> list[Line]:
    """Draw values on lines, the top one first: as many as `values_in` returns for the columns.

    A missing value is a gap, zero is a line at the bottom. `marks` are places with a vertical line, such as restarts.
    `changes` are places of own changes: each is a dot in the highest line that is free there, otherwise in the top one.
    """
    draw = _curve if symbols == "full" else _blocks
    rows = draw(values, top, height, tone, levels, marks)
    for column in {place // values_in(1, symbols) for place in changes}:
        row = next((row for row in reversed(rows) if row[column][0] in _FREE), rows[-1])
        row[column] = CHANGE, Tone.NOTICE
    return [_joined(row, symbols) for row in reversed(rows)]


_Signs = list[tuple[str, Tone]]
"""The signs of a line with their tones."""


def _curve(
    values: Sequence[float | None],
    top: float,
    height: int,
    tone: Callable[[float], Tone],
    levels: Collection[ThresholdLine],
    marks: Collection[int],
) -> list[_Signs]:
    """Return the lines of a curve, from the bottom."""
    last = height * DOTS_HIGH - 1
    dots = [None if value is None else _level(value, top, last) for value in values]
    through = {_level(level.at, top, last) // DOTS_HIGH: level.tone for level in levels if 0 < level.at <= top}
    verticals = {place // DOTS_WIDE for place in marks}
    pairs = zip_longest(values[::2], values[1::2])
    peaks = [max((value for value in pair if value is not None), default=0.0) for pair in pairs]
    rows: list[_Signs] = []
    for row, signs in enumerate(braille_rows(dots, height)):
        above = top * (row + 1) / height
        cells: _Signs = []
        for column, sign in enumerate(signs):
            if sign not in (BRAILLE_EMPTY, BRAILLE_FILL):
                peak = peaks[column]
                cells.append((sign, tone(peak if peak < above else above)))
            elif row in through:
                cells.append(("─", through[row]))
            elif column in verticals:
                cells.append(("┊", Tone.NOTICE))
            else:
                cells.append((" " if sign == BRAILLE_EMPTY else sign, Tone.QUIET))
        rows.append(cells)
    return rows


def row_of(value: float, top: float, height: int) -> int:
    """Return the line of a value, from 0 for the lowest."""
    return _level(value, top, height * DOTS_HIGH - 1) // DOTS_HIGH


def _level(value: float, top: float, highest: int) -> int:
    """Return the level of a value, from 0 to the highest; any positive value is above zero."""
    level = round(min(value, top) / top * highest)
    return max(level, 1) if value > 0 else 0


def _blocks(
    values: Sequence[float | None],
    top: float,
    height: int,
    tone: Callable[[float], Tone],
    levels: Collection[ThresholdLine],
    marks: Collection[int],
) -> list[_Signs]:
    """Return the lines of columns with two levels a line, from the bottom."""
    halves = [None if value is None else _level(value, top, 2 * height) for value in values]
    through = {(_level(level.at, top, 2 * height) - 1) // 2: level.tone for level in levels if 0 < level.at <= top}
    rows: list[_Signs] = []
    for row in range(height):
        filled = tone(top * (row + 1) / height)
        calm = filled if filled in (Tone.WARN, Tone.BAD) else Tone.QUIET
        cells: _Signs = []
        for place, (value, high) in enumerate(zip(values, halves, strict=True)):
            if value is not None and high is not None and 2 * row < high <= 2 * row + 2:
                cells.append(("█" if high == 2 * row + 2 else "▄", tone(value)))
            elif row in through:
                cells.append(("─", through[row]))
            elif high is not None and high > 2 * row:
                cells.append(("░", calm))
            elif place in marks:
                cells.append(("│", Tone.NOTICE))
            else:
                cells.append(("─", Tone.QUIET) if high == 0 and row == 0 else (" ", Tone.PLAIN))
        rows.append(cells)
    return rows


def _joined(cells: _Signs, symbols: str) -> Line:
    return tuple(
        Cell(clean(drawn("".join(sign for sign, _ in group), symbols), 400), look)
        for look, group in groupby(cells, key=lambda each: each[1])
    )


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


def braille_rows(levels: Sequence[int | None], height: int) -> list[list[str]]:
    """Return the cells of a curve of braille dots in so many rows, from the lowest.

    `levels` are dots above the lowest one, one for each column of dots. Neighbours are joined, None is a gap.
    """
    width = -(-len(levels) // DOTS_WIDE)
    bits = [[0] * width for _ in range(height)]
    filled = [0] * width
    """How many rows of each column of cells are below the curve; none in a column with a gap."""
    for place, level in enumerate(levels):
        if level is None:
            continue
        low, high = _stroke(levels, place, level)
        column, dots = place // DOTS_WIDE, _DOTS[place % DOTS_WIDE]
        for dot in range(low, high + 1):
            bits[dot // DOTS_HIGH][column] |= dots[dot % DOTS_HIGH]
        beside = place ^ 1
        if beside < len(levels) and levels[beside] is not None:
            filled[column] = min(filled[column], low // DOTS_HIGH) if place % DOTS_WIDE else low // DOTS_HIGH
    return [
        [BRAILLE_FILL if not cell and row < filled[column] else _CELLS[cell] for column, cell in enumerate(cells)]
        for row, cells in enumerate(bits)
    ]


def _stroke(levels: Sequence[int | None], place: int, level: int) -> tuple[int, int]:
    """Return the lowest and the highest dot of a value: it reaches half way to its neighbours."""
    low = high = level
    for beside in (place - 1, place + 1):
        neighbour = levels[beside] if 0 <= beside < len(levels) else None
        if neighbour is not None and neighbour != level:
            middle = (neighbour + level) // 2
            low, high = (low, max(high, middle)) if neighbour > level else (min(low, middle + 1), high)
    return low, high
