"""The recorded time at the foot of every screen that shows the past; a click goes to a moment.

A bar is as high as the number of open episodes, and below it are times and what is at the moment shown. Only critical
episodes have a colour. Marks are own changes, restarts of the service, and lost connections.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from operator import itemgetter
from zoneinfo import ZoneInfo

from textual import events
from textual.message import Message

from console.base.signs import drawn
from console.base.text import cells, clean
from console.ui.widgets.styled_line import StyledLine, pieces
from console.views.cell import Cell, Tone

_CALM = ("·", Tone.QUIET)
_UNKNOWN = (" ", Tone.QUIET)
_HEIGHTS = {"full": "▁▂▃▄▅▆▇█"}
_SHADES = "░▒▓█"
"""The signs of one, two, three open episodes and so on, by set of symbols; the last one is for the most."""
_TICK_CELLS = 16
"""Least cells between two times."""
_TICKS = tuple(60_000 * minutes for minutes in (1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440))
"""Intervals of the times, in ms."""
_WORDS = 60
"""Most cells of the words about a moment."""
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
    episodes: Sequence[tuple[float, float, str]],
    marks: Sequence[tuple[float, str, str]],
    at_ms: float,
    zone: ZoneInfo,
    symbols: str,
    mark_ms: float | None = None,
) -> list[list[Cell]]:
    """Return two rows: `known` are the recorded times, `episodes` beginning, end and severity of each.

    `marks` are moment, sign and words, without a sign if only the words are wanted. The time of the user's mark is at
    the end, since its sign may be under the moment's.
    """
    signs: list[tuple[str, Tone]] = [_UNKNOWN] * scale.slots
    for first, last in known:
        for place in range(scale.slot(first), scale.slot(last) + 1):
            signs[place] = _CALM
    heights = _HEIGHTS.get(symbols, _SHADES)
    counts = _open(scale, episodes)
    # A step for each episode, or for several if more were open at some time.
    most = max(len(heights), *(many for many, _ in counts))
    for place, (many, critical) in enumerate(counts):
        if many:
            signs[place] = heights[-(-many * len(heights) // most) - 1], Tone.BAD if critical else Tone.QUIET
    for moment, sign, _ in marks:
        if sign:
            signs[scale.slot(moment)] = sign, Tone.NOTICE
    if mark_ms is not None:
        signs[scale.slot(mark_ms)] = _MARK
    signs[scale.slot(at_ms)] = _HERE
    first, last = (Cell(clean(f"{_local(moment, zone):%H:%M}"), Tone.QUIET) for moment in (scale.first, scale.last))
    row = [first, Cell(clean(" ")), *_joined(signs, symbols), Cell(clean(" ")), last]
    if mark_ms is not None:
        sign, tone = _MARK
        row.append(Cell(clean(f" {drawn(sign, symbols)}{_local(mark_ms, zone):%H:%M:%S}"), tone))
    return [row, _below(scale, _words_at(scale, known, episodes, marks, at_ms), at_ms, zone)]


def _open(scale: TimeScale, episodes: Iterable[tuple[float, float, str]]) -> list[tuple[int, int]]:
    """Return how many episodes were open in each slot, and how many of them were critical."""
    counts = [(0, 0)] * scale.slots
    for first, last, severity in episodes:
        for place in range(scale.slot(first), scale.slot(last) + 1):
            many, critical = counts[place]
            counts[place] = many + 1, critical + (severity == "critical")
    return counts


def _words_at(
    scale: TimeScale,
    known: Iterable[Span],
    episodes: Iterable[tuple[float, float, str]],
    marks: Iterable[tuple[float, str, str]],
    at_ms: float,
) -> str:
    """Return what happened next to a moment in its slot, the later one of two, or what was open then."""
    slot = scale.slot(at_ms)
    happened = [(abs(moment - at_ms), text) for moment, _, text in marks if scale.slot(moment) == slot]
    if happened:
        return min(reversed(happened), key=itemgetter(0))[1]
    if not any(first <= at_ms <= last for first, last in known):
        return "not recorded"
    severities = [severity for first, last, severity in episodes if first <= at_ms <= last]
    if not severities:
        return "nothing open"
    critical = severities.count("critical")
    return f"{len(severities)} open" + (f", {critical} critical" if critical else "")


def _below(scale: TimeScale, message: str, at_ms: float, zone: ZoneInfo) -> list[Cell]:
    """Return the row with times, and in their place the words under the moment."""
    row = [" "] * (scale.slots + _LABEL)
    text = clean(message, min(_WORDS, scale.slots))
    width = cells(text)
    left = max(0, min(_LABEL + scale.slot(at_ms) - width // 2, len(row) - width))
    length = next((ms for ms in _TICKS if ms / (scale.last - scale.first + 1) * scale.slots >= _TICK_CELLS), _TICKS[-1])
    offset = (_local(scale.first, zone).utcoffset() or timedelta()).total_seconds() * 1000
    tick = (scale.first + offset) // length * length + length - offset
    while tick < scale.last:
        place = _LABEL + scale.slot(tick)
        if not left - _LABEL < place <= left + width and place + _LABEL <= len(row):
            row[place : place + _LABEL] = f"{_local(tick, zone):%H:%M} "
        tick += length
    before, after = clean("".join(row[:left]), 400), clean("".join(row[left + width :]), 400)
    return [Cell(before, Tone.QUIET), Cell(text, Tone.STRONG), Cell(after, Tone.QUIET)]


def _local(at_ms: float, zone: ZoneInfo) -> datetime:
    return datetime.fromtimestamp(at_ms / 1000, zone)


def _joined(signs: Sequence[tuple[str, Tone]], symbols: str) -> list[Cell]:
    """Return cells of equal signs."""
    all_cells: list[Cell] = []
    first = 0
    for place in range(1, len(signs) + 1):
        if place == len(signs) or signs[place] != signs[first]:
            sign, tone = signs[first]
            all_cells.append(Cell(clean(drawn(sign, symbols) * (place - first)), tone))
            first = place
    return all_cells


class TimeBar(StyledLine):
    """Two rows: the bar, and below it times and what happened at the moment that is shown."""

    DEFAULT_CSS = """
    TimeBar { background: $panel; height: 2; }
    """

    class Moved(Message):
        """A moment was clicked, or the mouse was dragged to it."""

        def __init__(self, at_ms: int) -> None:
            super().__init__()
            self.at_ms = at_ms

    def __init__(self) -> None:
        super().__init__()
        self._scale: TimeScale | None = None
        self._dragged = False

    def show(
        self,
        known: Sequence[Span],
        episodes: Sequence[tuple[float, float, str]],
        marks: Sequence[tuple[float, str, str]],
        at_ms: float,
        zone: ZoneInfo,
        symbols: str,
        mark_ms: int | None = None,
    ) -> None:
        """Show the recorded times, the episodes, what happened, a moment, and the user's mark."""
        width = self.size.width - 2
        if not known or width <= 0 or not self.differs(known, episodes, marks, at_ms, zone, symbols, mark_ms):
            return
        self._scale = TimeScale((known[0][0], known[-1][1]), width, marked=mark_ms is not None)
        rows = time_bar(self._scale, known, episodes, marks, at_ms, zone, symbols, mark_ms)
        self.update(*map(pieces, rows))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Go to the clicked moment."""
        self._dragged = True
        self.capture_mouse()
        self._go(event.x)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Follow the dragged mouse."""
        if self._dragged:
            self._go(event.x)

    def on_mouse_up(self, _event: events.MouseUp) -> None:
        """End dragging."""
        self._dragged = False
        self.release_mouse()

    def _go(self, x: int) -> None:
        if self._scale is not None:
            self.post_message(self.Moved(self._scale.moment(x - 1)))
