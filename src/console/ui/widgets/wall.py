"""Rows or charts in large characters that fill the screen, for a wallboard."""

from __future__ import annotations

from collections.abc import Sequence

from console.base.frozen import Frozen
from console.base.signs import drawn
from console.base.text import SafeText, cells, clean
from console.ui.widgets.styled_line import Piece, StyledLine, piece, width_of
from console.ui.widgets.wall_graphs import LARGEST, Graph, graph_lines
from console.views.big_text import LINES, big, height_of, width_of_big
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
    bar: float | None = None
    """Instead of the text, a bar that fills this much of its width."""


Row = tuple[WallText, ...]


class Wall(StyledLine):
    """A head, rows and a foot. The characters are as large as the rows allow, and never lower than three lines."""

    DEFAULT_CSS = """
    Wall { height: 1fr; }
    """

    def show(self, head: Row, body: Sequence[Row] | Sequence[Graph], render: RenderContext, foot: Row = ()) -> None:
        """Draw rows, or charts; of too many rows the last line tells how many are missing."""
        width, height = self.content_size
        if not self.differs(height, head, tuple(body), render.symbols, foot):
            return
        lines = [*_drawn(head, width, 1, render.symbols), []]
        bottom = height - LINES if foot else height
        left = bottom - len(lines) - bool(foot)
        if graphs := [each for each in body if isinstance(each, Graph)]:
            lines += graph_lines(graphs, width, left, render)
        else:
            lines += _row_lines([each for each in body if not isinstance(each, Graph)], width, left, render.symbols)
        if foot:
            lines += [[] for _ in range(bottom - len(lines))]
            lines[bottom:] = _drawn(foot, width, 1, render.symbols)
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
        texts = _bar(part.bar, room, scale, symbols) if part.bar is not None else big(part.text, symbols, scale, room)
        for line, text in zip(lines, texts, strict=True):
            space = clean(" " * max(0, room - cells(text)))
            gap = clean(" " * _GAP)
            ordered = (space, text, gap) if part.right else (text, space, gap)
            line += [
                piece(safe_text, part.tone if safe_text is text else Tone.PLAIN) for safe_text in ordered if safe_text
            ]
    return lines


def _bar(share: float, room: int, scale: int, symbols: str) -> list[SafeText]:
    """Return the lines of a bar, as high as the characters beside it."""
    width = max(1, round(room * min(1.0, share))) if share > 0 else 0
    full, half = ("█" * width, "▀" * width)
    high = height_of(scale)
    last = half if scale % 2 else full
    return [clean(drawn(line, symbols), room) for line in (*[full] * (high - 1), last)]
