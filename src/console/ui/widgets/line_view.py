"""Scrollable widget with its own lines, whose length may change without a layout of the screen."""

from __future__ import annotations

from typing import Self

from rich.style import Style
from textual.color import Color
from textual.filter import ANSIToTruecolor
from textual.geometry import Region, Size
from textual.scrollbar import ScrollBar
from textual.strip import Strip

from console.ui.textual_compat.scrollbar import OwnScrollbar
from console.ui.widgets.line_bar import LineBar
from console.ui.widgets.theme import app_of


class LineView(OwnScrollbar):
    """Base class of widgets that own lines instead of child widgets, with a size independent of their number.

    They have neither border nor padding; a parent widget has.
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._lines: dict[int, Strip] = {}
        self._lines_as: object = None
        self._room: tuple[object, Size] = (None, Size(0, 0))

    def on_mount(self) -> None:
        """Follow the theme."""
        super().on_mount()
        self.watch(app_of(self), "theme", self.paint_anew, init=False)

    def paint_anew(self) -> None:
        """Paint everything with the current theme."""
        self.refresh()

    @property
    def base(self) -> Style:
        """The default style; Textual caches it, but computes `rich_style` for each line."""
        return self.visual_style.rich_style

    @property
    def room(self) -> Size:
        """The visible size, without the space reserved for the scrollbar."""
        known = self.outer_size, self.show_vertical_scrollbar
        if self._room[0] != known:
            self._room = known, self.scrollable_content_region.size
        return self._room[1]

    def new_scrollbar(self) -> ScrollBar:
        """Return a scrollbar that paints only changed lines."""
        return LineBar(name="vertical", thickness=self.scrollbar_size_vertical)

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        """Paint some lines, or all."""
        if repaint and not regions:
            self._lines.clear()
        for region in regions:
            for y in region.line_range:
                self._lines.pop(y, None)
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return lines from the cache until `refresh` invalidates them.

        Textual looks up border, padding and opacity for every line: 0.1 ms each, two thirds of the painting time of a
        widget that has none of them.
        """
        # Themes use only true colours; searching for others took a tenth of the time.
        filters = tuple(
            line_filter for line_filter in self.get_line_filters() if not isinstance(line_filter, ANSIToTruecolor)
        )
        width, base = self.outer_size.width, self.base
        drawn_as = self.outer_size, base, filters
        if drawn_as != self._lines_as:
            self._lines_as = drawn_as
            self._lines.clear()
        strips: list[Strip] = []
        rest = Style(bgcolor=base.bgcolor)
        ground: Color | None = None
        for y in crop.line_range:
            strip = self._lines.get(y)
            if strip is None:
                strip = self.render_line(y).adjust_cell_length(width, rest)
                for line_filter in filters:
                    # Depends on all parents, so it is not computed for each line.
                    ground = ground or self.background_colors[1]
                    strip = strip.apply_filter(line_filter, ground)
                self._lines[y] = strip
            strips.append(strip)
        if crop.column_span != (0, width):
            strips = [strip.crop(*crop.column_span) for strip in strips]
        return strips
