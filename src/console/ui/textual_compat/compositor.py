"""Compositor that paints and sends only changed, visible cells.

Textual cuts each changed line at the edges of all widgets that touch it, covered or not, paints all of them, and sends
changes together with the text before them. This compositor knows which widget shows each cell, and paints only this
one: two fifths of the cost of a frame of two lines.

Needs `Compositor` with its changed regions, and `ChopsUpdate`, which Textual writes to the terminal by
`render_segments`. Without them, Textual's compositor paints.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import Any, NamedTuple, cast

from rich.console import Console, RenderableType
from textual._compositor import ChopsUpdate, Compositor
from textual._context import visible_screen_stack
from textual.geometry import Region, Size
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from console.ui.textual_compat.pieces import has, takes

_RESET = "\x1b[0m"
_STYLES = re.compile(r"(\x1b\[[\d;]*m)")
_MOVES = re.compile(r"(?:\x1b\[\d+;\d+H)*")
Piece = tuple[int, int, Strip]
"""Column, line and content."""


def check() -> None:
    """Raise Gone if Textual's compositor has changed."""
    has(Screen, "_compositor")
    has(Compositor, "_dirty_regions", "visible_widgets", "size")
    takes(Compositor, "render_update", "full", "screen_stack", "simplify")
    takes(Compositor, "render_partial_update")
    takes(Compositor, "render_strips", "size")
    takes(Compositor, "_regions_to_spans", "regions")
    takes(ChopsUpdate, "__init__", "chops", "spans", "chop_ends")
    takes(ChopsUpdate, "render_segments", "console")


class CellsUpdate(ChopsUpdate):
    """A frame: parts of lines with their positions.

    Textual repeats the text before each part of a line. A list of fifty rows with two ticking columns sent 60 kB a
    second, seven times the capacity of a line of 64 kbit/s; this sends a tenth of it. A style takes forty bytes, and
    most changed cells are a digit: parts of one style share it.
    """

    def __init__(self, pieces: Sequence[Piece]) -> None:
        super().__init__([], [], [])
        self.pieces = pieces

    def render_segments(self, console: Console) -> str:
        """Return the output for the parts."""
        parts = [(x, y, strip.render(console)) for x, y, strip in self.pieces]
        return shared("".join([f"\x1b[{y + 1};{x + 1}H{text}" for x, y, text in parts if text]))


def shared(text: str) -> str:
    """Return output in which a style is neither reset nor repeated where the next text has the same.

    Between both the cursor may move, which paints nothing. All is reset at the end.
    """
    style, ended, parts = "", False, list[str]()
    for place, part in enumerate(_STYLES.split(text)):
        if place % 2 == 0:
            if ended and not _MOVES.fullmatch(part):
                parts.append(_RESET)
                style, ended = "", False
            parts.append(part)
        elif part == _RESET:
            ended = bool(style)
        elif not ended:
            parts.append(part)
            style += part
        elif part != style:
            parts += (_RESET, part)
            style, ended = part, False
        else:
            ended = False
    return "".join((*parts, _RESET) if ended else parts)


class Stretch(NamedTuple):
    """Part of a screen line in which one widget is visible."""

    left: int
    right: int
    widget: Widget


class CellsCompositor(Compositor):
    """Textual's compositor with these frames."""

    def __init__(self) -> None:
        super().__init__()
        self._seen: tuple[object, list[Sequence[Stretch]]] = (None, [])

    def render_update(
        self, full: bool = False, screen_stack: list[Screen[Any]] | None = None, simplify: bool = False
    ) -> RenderableType | None:
        """Return the changes to paint, if any; a screenshot (`full`) is left to Textual.

        For a whole screen, Textual paints every widget, including covered ones: 9 to 13 ms for 120 by 40 cells; visible
        ones take 1 to 3.
        """
        if full:
            return cast(Any, super()).render_update(full, screen_stack, simplify)
        visible_screen_stack.set(screen_stack or [])
        return self.render_partial_update()

    def render_partial_update(self) -> CellsUpdate | None:
        """Return the changes to paint, if any."""
        named = self._dirty_regions.copy()
        self._dirty_regions.clear()
        pieces = self._pieces(named)
        return CellsUpdate(pieces) if pieces else None

    def render_strips(self, size: Size | None = None) -> list[Strip]:
        """Return the whole screen line by line, as the background of a dialog."""
        if size not in {None, self.size}:
            return super().render_strips(size)
        lines: list[list[Strip]] = [[] for _ in range(self.size.height)]
        for _, y, strip in sorted(self._pieces([self.size.region]), key=itemgetter(1, 0)):
            lines[y].append(strip)
        return [Strip.join(line) for line in lines]

    def _pieces(self, regions: Iterable[Region]) -> list[Piece]:
        """Paint the visible parts of widgets in these regions."""
        lines = self._lines_as_seen()
        wanted: dict[Widget, list[tuple[int, int, int]]] = {}
        for y, first, last in self._regions_to_spans(regions):
            for left, right, widget in lines[y] if y < len(lines) else ():
                if first < right and left < last:
                    wanted.setdefault(widget, []).append((y, max(left, first), min(right, last)))
        return [piece for widget, spans in wanted.items() for piece in self._painted(widget, spans)]

    def _painted(self, widget: Widget, spans: Sequence[tuple[int, int, int]]) -> Iterable[Piece]:
        """Paint parts of a widget's lines, in order; only a column if all are in the same."""
        region, clip = self.visible_widgets[widget]
        alike = len({span[1:] for span in spans}) == 1
        left, right = spans[0][1:] if alike else region.intersection(clip).column_span
        top, bottom = spans[0][0], spans[-1][0] + 1
        lines = widget.render_lines(Region(left - region.x, top - region.y, right - left, bottom - top))
        return [(first, y, lines[y - top].crop(first - left, last - left)) for y, first, last in spans]

    def _lines_as_seen(self) -> list[Sequence[Stretch]]:
        """Return the visible widgets of each line."""
        visible = self.visible_widgets
        if self._seen[0] is not visible:
            # Textual creates a new mapping after any change of layout.
            places = [(widget, region.intersection(clip)) for widget, (region, clip) in visible.items()]
            self._seen = visible, stretches(places, self.size.height)
        return self._seen[1]


def stretches(places: Sequence[tuple[Widget, Region]], height: int) -> list[Sequence[Stretch]]:
    """Return for each line of the screen the visible widgets with their columns; the first widgets are in front."""
    lines: list[Sequence[Stretch]] = []
    edges = sorted({0, height, *(y for _, region in places for y in region.line_span if 0 < y < height)})
    for top, bottom in pairwise(edges):
        here = [(widget, region) for widget, region in places if region.y <= top and bottom <= region.bottom]
        cuts = sorted({x for _, region in here for x in region.column_span})
        line: list[Stretch] = []
        for left, right in pairwise(cuts):
            seen = next((widget for widget, region in here if region.x <= left and right <= region.right), None)
            if seen is not None:
                begins = line.pop().left if line and line[-1][1:] == (left, seen) else left
                line.append(Stretch(begins, right, seen))
        lines += [line] * (bottom - top)
    return lines
