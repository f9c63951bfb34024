"""Rows or charts in large characters that fill the screen, for a wallboard."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from console.base.frozen import Frozen, replace
from console.base.signs import drawn
from console.base.text import SafeText, cells, clean
from console.ui.widgets.styled_line import Piece, StyledLine, piece, width_of
from console.ui.widgets.tones import WithoutLine
from console.ui.widgets.wall_graphs import LARGEST, Graph, graph_lines
from console.views.big_text import LINES, big, height_of, width_of_big
from console.views.cell import Tone
from console.views.chart import scale_top
from console.views.render_context import RenderContext

_ROOMY = 30
"""Height in lines from which on there is a line between head, rows and foot."""
_MOST_APART = 3
"""Most additional lines between two rows."""
GAP = 2
"""Cells between two parts."""
_APART = 6
"""Cells after each of several names in a line, at the least size."""
_EIGHTHS = "▁▂▃▄▅▆▇█"


class WallText(Frozen):
    """A text in a row of large characters."""

    text: str
    share: float
    """Its share of the width."""
    tone: Tone = Tone.PLAIN
    right: bool = False
    heading: bool = False
    """Whether it stands above other rows, and is none of those that are counted."""
    bar: float | None = None
    """Instead of the text, a bar that fills this much of its width."""
    curve: tuple[float | None, ...] = ()
    """Instead of the text, columns of these values; nothing where a value is not known."""


Row = tuple[WallText, ...]


def least_scale(width: int, height: int) -> int:
    """Return the size of the smallest characters of a screen: what is read from far away grows with the screen."""
    return max(1, min(1 if height < 40 else 2 if height < 70 else 3, width // 58))


class Wall(StyledLine):
    """A head, rows and a foot. The characters are as large as the rows allow, and never lower than three lines."""

    DEFAULT_CSS = """
    Wall { height: 1fr; }
    """

    def show(self, head: Row, body: Sequence[Row] | Sequence[Graph], render: RenderContext, foot: Row = ()) -> None:
        """Draw rows, or charts; of too many rows, the last line names the next ones and tells how many are missing."""
        width, height = self.content_size
        if not self.differs(height, head, tuple(body), render.symbols, foot):
            return
        least = least_scale(width, height)
        rows = [row for row in body if not isinstance(row, Graph)]
        size = next((value for value in range(least, 1, -1) if _fits([head], width, height, value)), 1)
        between = int(height >= _ROOMY)
        lines = [*_drawn(head, width, size, render.symbols), *[[] for _ in range(between)]]
        rest = height - len(lines) - between if foot else height - len(lines)
        # The foot gives way where that makes room for all rows.
        low = next(
            (value for value in range(least, 0, -1) if _fits(rows, width, rest - height_of(value), least)), least
        )
        bottom = height - height_of(low) if foot else height
        left = rest - height_of(low) if foot else rest
        if graphs := [graph for graph in body if isinstance(graph, Graph)]:
            lines += graph_lines(graphs, width, left, least, render)
        else:
            lines += _row_lines(rows, width, left, least, render.symbols)
        if foot:
            lines += [[] for _ in range(bottom - len(lines))]
            lines[bottom:] = _drawn(foot, width, low, render.symbols)
        # Each line has the whole width, so that a line is painted in the same parts whatever was there before.
        self.update(*([*line, piece(clean(" " * (width - width_of(line)), width))] for line in lines))


def _row_lines(rows: Sequence[Row], width: int, height: int, least: int, symbols: str) -> list[list[Piece]]:
    """Draw rows as large as they can be; at the least size, names are cut rather than numbers."""
    scales = range(LARGEST, least, -1)
    scale = next((value for value in scales if _fits(rows, width, height, value)), least)
    numbers = [row[1:] for row in rows]
    scale = next((value for value in range(scale, 1, -1) if _fits(numbers, width, height, value, all_rows=False)), 1)
    # Characters have half a line below them, which is enough where no row would have room otherwise.
    between = int(scale > 1 or len(rows) * (LINES + 1) - 1 <= height)
    each_row = height_of(scale) + between
    room = max(1, (height + between) // each_row)
    visible = list(rows[:room])
    if len(rows) > room:
        missing = rows[room - 1 :]
        visible = [*rows[: room - 1], _left_out(missing, width, scale)]
        # Above a number, a heading would say that all of the missing rows are below it.
        if len(visible[-1]) == 1 and any(row[0].heading for row in missing):
            while len(visible) > 1 and visible[-2][0].heading:
                del visible[-2]
    spare = (height + between - len(visible) * each_row) // max(1, len(visible))
    apart = between + max(0, min(_MOST_APART, spare))
    return [
        line for row in visible for line in (*_drawn(row, width, scale, symbols), *([piece("")] for _ in range(apart)))
    ]


def _left_out(rows: Sequence[Row], width: int, scale: int) -> Row:
    """Return the names and first numbers of rows without a line, up to the next heading, and the number of others.

    Only the number, if no name has room beside it.
    """
    missing = sum(not row[0].heading for row in rows)
    parts: list[WallText] = []
    for row in takewhile(lambda row: not row[0].heading, rows):
        first = next((part.text for part in row[1:] if part.text), "")
        parts.append(WallText(f"{row[0].text} {first}".strip(), 0, row[0].tone))
    for many in range(len(parts) if width else 0, 0, -1):
        more = [_count(missing - many)] if many < missing else []
        line = side_by_side([*parts[:many], *more], width, scale)
        if len(line) == many + len(more):
            return line
    return (_count(missing),)


def _count(missing: int) -> WallText:
    return WallText(f"+ {missing} more", 1.0, Tone.NOTICE)


def side_by_side(parts: Sequence[WallText], width: int, scale: int) -> Row:
    """Return as many parts as fit whole; the first one is cut if it has to be."""
    row: list[WallText] = []
    left = width
    for part in parts:
        room = width_of_big(part.text, scale)
        if row and room > left:
            break
        # Half a cell, since the width of a part is rounded down.
        row.append(replace(part, share=(min(room + _APART * scale, left + GAP) + 0.5) / width))
        left -= room + _APART * scale
    return tuple(row)


def _fits(rows: Sequence[Row], width: int, height: int, scale: int, *, all_rows: bool = True) -> bool:
    if all_rows and len(rows) * (height_of(scale) + 1) - 1 > height:
        return False
    return all(
        width_of_big(part.text, scale) <= room
        for row in rows
        for part, room in zip(row, _rooms(row, width, scale), strict=True)
    )


def _rooms(row: Row, width: int, scale: int) -> list[int]:
    """Return the cells of each part of a row; a name also has what the number beside it leaves."""
    rooms = [int(width * part.share) - GAP for part in row]
    if len(row) > 1 and row[1].right:
        spare = rooms[1] - width_of_big(row[1].text, scale)
        lent = max(0, min(width_of_big(row[0].text, scale) - rooms[0], spare))
        rooms[:2] = rooms[0] + lent, rooms[1] - lent
    return rooms


def _drawn(row: Row, width: int, scale: int, symbols: str) -> list[list[Piece]]:
    """Return the lines of a row."""
    lines: list[list[Piece]] = [[] for _ in range(height_of(scale))]
    for part, room in zip(row, _rooms(row, width, scale), strict=True):
        if part.curve:
            texts = _columns(part.curve, room, height_of(scale), symbols)
        elif part.bar is not None:
            texts = _bar(part.bar, room, scale, symbols)
        else:
            texts = big(part.text, symbols, scale, room)
        for line, text in zip(lines, texts, strict=True):
            space = clean(" " * max(0, room - cells(text)))
            gap = clean(" " * GAP)
            # What stands at the left of the last part may reach the edge of the screen.
            ordered = (space, text, gap) if part.right else (text, space) if part is row[-1] else (text, space, gap)
            line += [
                piece(safe_text, WithoutLine(part.tone) if safe_text is text else Tone.PLAIN)
                for safe_text in ordered
                if safe_text
            ]
    return lines


def _bar(share: float, room: int, scale: int, symbols: str) -> list[SafeText]:
    """Return the lines of a bar, as high as the characters beside it."""
    width = max(1, round(room * min(1.0, share))) if share > 0 else 0
    full, half = ("█" * width, "▀" * width)
    high = height_of(scale)
    last = half if scale % 2 else full
    return [clean(drawn(line, symbols), room) for line in (*[full] * (high - 1), last)]


def _columns(values: Sequence[float | None], room: int, height: int, symbols: str) -> list[SafeText]:
    """Return the lines of columns of eighth blocks, or of half ones, which every set of symbols has."""
    blocks = _EIGHTHS if symbols == "full" else "▄█"
    steps, top = len(blocks), scale_top(values)
    # Zero is a line at the bottom.
    levels = [0 if value is None else max(1, round(min(value, top) / top * steps * height)) for value in values[-room:]]
    lines: list[SafeText] = []
    for row in range(height - 1, -1, -1):
        parts = (min(steps, max(0, level - row * steps)) for level in levels)
        lines.append(clean(drawn("".join(blocks[part - 1] if part else " " for part in parts), symbols), room))
    return lines
