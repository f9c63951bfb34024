"""Charts for a wallboard: title, value and highest value in large characters, and the curve beside them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from console.base.frozen import Frozen
from console.base.text import cells, clean
from console.kinds.status.charts import Chart, Curve
from console.ui.widgets.chart import curve_lines
from console.ui.widgets.styled_line import Piece, piece
from console.ui.widgets.tones import WithoutLine
from console.views.big_text import LINES, big, height_of, width_of_big
from console.views.cell import Tone
from console.views.chart import values_in
from console.views.render_context import RenderContext

LARGEST = 4
_TEXT_SHARE = 0.52
"""Share of the width for the texts on a narrow screen."""
_WIDE_TEXT, _WIDE_TEXT_SHARE = 78, 0.4
"""Most cells for the texts, and their share of a wider screen."""
_GAP = 2


class Graph(Frozen):
    """A chart with its texts."""

    title: str
    value: str
    most: str
    """The highest value, shown where there is room."""
    tone: Tone
    """The severity of the current value."""
    chart: Chart
    curve: Curve
    current: bool = True
    """Whether the data is current; otherwise nothing has a colour."""


def graph_values(width: int, symbols: str) -> int:
    """Return how many values of a curve have room."""
    return values_in(max(1, width - _text_width(width) - _GAP), symbols)


def _text_width(width: int) -> int:
    return min(max(_WIDE_TEXT, int(width * _WIDE_TEXT_SHARE)), int(width * _TEXT_SHARE))


def graph_lines(
    graphs: Sequence[Graph], width: int, height: int, least: int, render: RenderContext
) -> list[list[Piece]]:
    """Draw as many charts as fit below each other, of equal heights, with characters of at least a size."""
    lowest = 2 * height_of(least) + (least > 1)
    visible = graphs[: max(1, (height + 1) // (lowest + 1))]
    high, room = (height + 1) // len(visible) - 1, _text_width(width)
    scales = _scales(visible, room, high, least)
    lines: list[list[Piece]] = []
    for graph in visible:
        lines += (
            [[], *_drawn(graph, scales, room, high, render)] if lines else _drawn(graph, scales, room, high, render)
        )
    return lines


def _scales(graphs: Sequence[Graph], room: int, height: int, least: int) -> tuple[int, int]:
    """Return the sizes of titles and values: first the values are as large as they can be."""
    for value, title in product(range(LARGEST, least - 1, -1), repeat=2):
        fits = all(max(width_of_big(graph.title, title), width_of_big(graph.value, value)) <= room for graph in graphs)
        if title <= value and fits and height_of(title) + 1 + height_of(value) <= height:
            return title, value
    return (1, 1) if least == 1 else _scales(graphs, room, height, least - 1)


def _drawn(graph: Graph, scales: tuple[int, int], room: int, height: int, render: RenderContext) -> list[list[Piece]]:
    """Return the lines of a chart: the title at its top, the value at its bottom, and the curve beside both."""
    tone = graph.tone if graph.current else Tone.QUIET
    above, value = (
        [piece(safe_text, WithoutLine(tone)) for safe_text in big(text, render.symbols, scale, room)]
        for text, scale in zip((graph.title, graph.value), scales, strict=True)
    )
    between = height - len(above) - len(value)
    # A cut number would be wrong.
    if between >= LINES + 1 and width_of_big(graph.most) <= room:
        most = [piece(safe_text, Tone.QUIET) for safe_text in big(graph.most, render.symbols, 1, room)]
        above += [piece(" " * room), *most]
    texts = [*above, *[piece(" " * room)] * (height - len(above) - len(value)), *value]
    lines: list[list[Piece]] = []
    for text, row in zip(texts, curve_lines(graph.chart, graph.curve, height, render), strict=False):
        space = piece(clean(" " * (room - cells(text.text) + _GAP)))
        lines.append([text, space, *(piece(cell.text, cell.tone if graph.current else Tone.QUIET) for cell in row)])
    return lines
