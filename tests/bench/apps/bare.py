"""The minimal Textual list, as a baseline: constant lines with a cursor, drawn by the line API.

python -m tests.bench.apps.bare ROWS
"""

from __future__ import annotations

import sys
from typing import ClassVar

from rich.segment import Segment
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

WORDS = "connected  +34985566869           Ana Prieto Lozano     sales            04:17      3  "


class Lines(ScrollView, can_focus=True):
    """Lines of constant text, and a cursor."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "move(1)", show=False),
        Binding("home", "move(-100000)", show=False),
    ]

    def __init__(self, count: int) -> None:
        super().__init__()
        self.count = count
        self.row = 0

    def on_mount(self) -> None:
        self.virtual_size = Size(self.size.width, self.count)

    def action_move(self, rows: int) -> None:
        before, self.row = self.row, min(max(0, self.row + rows), self.count - 1)
        for row in {before, self.row}:
            self.refresh(Region(0, row - self.scroll_offset.y, self.size.width, 1))

    def render_line(self, y: int) -> Strip:
        row = y + self.scroll_offset.y
        mark = "▸" if row == self.row else " "
        return Strip([Segment(f"{mark} {row:>7}  {WORDS}", self.rich_style)]).adjust_cell_length(
            self.size.width, self.rich_style
        )


class Bare(App[None]):
    """An app that shows only the list."""

    def compose(self) -> ComposeResult:
        yield Lines(int(sys.argv[1]))


if __name__ == "__main__":
    Bare().run()
