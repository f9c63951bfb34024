"""What scrolls and draws its own lines: its length may change without the screen being laid out anew."""

from __future__ import annotations

from typing import Self, cast

from rich.style import Style
from textual.color import Color
from textual.filter import ANSIToTruecolor
from textual.geometry import Region, Size
from textual.reactive import Reactive
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBar
from textual.strip import Strip

from console.widgets.line_bar import LineBar
from console.widgets.theme import app_of


class LineView(ScrollView):
    """The base of widgets that own lines instead of other widgets, in a place that does not depend on how many.

    They have neither border nor padding; what frames them is a widget around them.
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
        """Paint everything in the theme that applies now."""
        self.refresh()

    @property
    def base(self) -> Style:
        """The style of what has no look of its own; Textual keeps it, while it works out `rich_style` for each line."""
        return self.visual_style.rich_style

    @property
    def room(self) -> Size:
        """How many cells are in sight: without the scrollbar, whose place is kept free."""
        known = self.outer_size, self.show_vertical_scrollbar
        if self._room[0] != known:
            self._room = known, self.scrollable_content_region.size
        return self._room[1]

    def resize_content(self, size: Size) -> None:
        """Say how much there is to scroll through.

        Textual lays out the whole screen, and paints it, when `virtual_size` is set: two thirds of what a key cost that
        brings the cursor to another record, whose detail has another length. Only a scrollbar that comes or goes needs
        that, and asks for it by itself.
        """
        if size != self.virtual_size:
            self.set_reactive(cast("Reactive[Size]", LineView.virtual_size), size)
            self._scroll_update(size)

    @property
    def vertical_scrollbar(self) -> ScrollBar:
        """The scrollbar, of a kind that paints only what differs."""
        if self._vertical_scrollbar is None:
            self._vertical_scrollbar = LineBar(name="vertical", thickness=self.scrollbar_size_vertical)
            self._vertical_scrollbar.display = False
            # Textual has no public way to give a widget its own scrollbar. A test checks that this one is used.
            app_of(self)._start_widget(self, self._vertical_scrollbar)  # pyright: ignore[reportPrivateUsage] - see above
        return self._vertical_scrollbar

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        """Paint lines anew, or all of them."""
        if repaint and not regions:
            self._lines.clear()
        for region in regions:
            for y in region.line_range:
                self._lines.pop(y, None)
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return lines as they were painted until `refresh` names them.

        Textual's own way asks the style sheet for the border, padding and opacity of every line: 0.1 ms each, two
        thirds of what painting cost, of a widget that has none of them.
        """
        # Lines are painted in the colours of a theme, which all are true ones: looking for others took a tenth of it.
        filters = tuple(each for each in self.get_line_filters() if not isinstance(each, ANSIToTruecolor))
        width, base = self.outer_size.width, self.base
        drawn_as = self.outer_size, base, filters
        if drawn_as != self._lines_as:
            self._lines_as = drawn_as
            self._lines.clear()
        found: list[Strip] = []
        rest = Style(bgcolor=base.bgcolor)
        ground: Color | None = None
        for y in crop.line_range:
            strip = self._lines.get(y)
            if strip is None:
                strip = self.render_line(y).adjust_cell_length(width, rest)
                for each in filters:
                    # Worked out from all that this widget stands in, so not for each line.
                    ground = ground or self.background_colors[1]
                    strip = strip.apply_filter(each, ground)
                self._lines[y] = strip
            found.append(strip)
        if crop.column_span != (0, width):
            found = [strip.crop(*crop.column_span) for strip in found]
        return found
