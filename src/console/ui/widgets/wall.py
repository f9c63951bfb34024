"""Rows or charts in large characters that fill the screen, for a wallboard."""

from __future__ import annotations

from collections.abc import Sequence

from console.base.frozen import Frozen
from console.base.text import cells, clean
from console.ui.widgets.styled_line import Piece, StyledLine, piece, width_of
from console.ui.widgets.wall_graphs import LARGEST, Graph, graph_lines
from console.views.big_text import big, height_of, width_of_big
from console.views.cell import Tone
from console.views.render_context import RenderContext

_MOST_APART = 3
"""Most additional lines between two rows."""
_GAP = 2
"""Cells between two parts."""


class WallText(Frozen):
    """A text in a row of large characters."""

    text: str
    share: float
    """Its share of the width."""
    tone: Tone = Tone.PLAIN
    right: bool = False


Row = tuple[WallText, ...]


class Wall(StyledLine):
    """A head and rows. The characters are as large as the rows allow, and never lower than three lines."""

    DEFAULT_CSS = """
    Wall { height: 1fr; }
    """

    def show(self, head: Row, body: Sequence[Row] | Sequence[Graph], render: RenderContext) -> None:
        """Draw rows, or charts; of too many rows the last line tells how many are missing."""
        width, height = self.content_size
        if not self.differs(height, head, tuple(body), render.symbols):
            return
        lines = [*_drawn(head, width, 1, render.symbols), []]
        left = height - len(lines)
        if graphs := [each for each in body if isinstance(each, Graph)]:
            lines += graph_lines(graphs, width, left, render)
        else:
            lines += _row_lines([each for each in body if not isinstance(each, Graph)], width, left, render.symbols)
        # Each line has the whole width, so that a line is painted in the same parts whatever was there before.
        self.update(*([*line, piece(clean(" " * (width - width_of(line)), width))] for line in lines))


def _row_lines(rows: Sequence[Row], width: int, height: int, symbols: str) -> list[list[Piece]]:
    """Draw rows as large as they can be."""
    scale = next((value for value in range(LARGEST, 1, -1) if _fits(rows, width, height, value)), 1)
    each_row = height_of(scale) + 1
    room = max(1, (height + 1) // each_row)
    shown = list(rows[:room])
    if len(rows) > room:
        shown[-1] = (WallText(f"+ {len(rows) - room + 1} more", 1.0, Tone.NOTICE),)
    apart = 1 + min(_MOST_APART, (height + 1 - len(shown) * each_row) // max(1, len(shown)))
    return [
        line for row in shown for line in (*_drawn(row, width, scale, symbols), *([piece("")] for _ in range(apart)))
    ]


def _fits(rows: Sequence[Row], width: int, height: int, scale: int) -> bool:
    if len(rows) * (height_of(scale) + 1) - 1 > height:
        return False
    return all(width_of_big(part.text, scale) <= _room(part, width) for row in rows for part in row)


def _room(part: WallText, width: int) -> int:
    return int(width * part.share) - _GAP


def _drawn(row: Row, width: int, scale: int, symbols: str) -> list[list[Piece]]:
    """Return the lines of a row."""
    lines: list[list[Piece]] = [[] for _ in range(height_of(scale))]
    for part in row:
        room = _room(part, width)
        for line, text in zip(lines, big(part.text, symbols, scale, room), strict=True):
            space = clean(" " * max(0, room - cells(text)))
            gap = clean(" " * _GAP)
            ordered = (space, text, gap) if part.right else (text, space, gap)
            line += [
                piece(safe_text, part.tone if safe_text is text else Tone.PLAIN) for safe_text in ordered if safe_text
            ]
    return lines
