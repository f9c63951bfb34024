"""Scrollable widget with its own lines, whose length may change without a layout of the screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self, cast

from rich.segment import Segment
from rich.style import Style
from textual.filter import ANSIToTruecolor, LineFilter
from textual.geometry import Region, Size
from textual.scrollbar import ScrollBar, ScrollBarRender
from textual.strip import Strip

from console.ui.textual_compat.scrollbar import OwnScrollbar
from console.ui.widgets.theme import app_of


class LineView(OwnScrollbar):
    """Base class of widgets that own lines instead of child widgets, with a size independent of their number.

    They have neither border nor padding; a parent widget has.
    """

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    LineView {
        background: $background;
        color: $foreground;
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-gutter: stable;
        scrollbar-size-vertical: 1;
        scrollbar-size-horizontal: 0;
    }
    """

    def __init__(self) -> None:
        super().__init__()
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
        missing = [y for y in crop.line_range if y not in self._lines]
        part = self.render_part(missing, crop.x, crop.width) if missing and crop.width < width else None
        if part is not None:
            cells = self._filtered(part, filters)
            if len(cells) < crop.height:
                changed = dict(zip(missing, cells, strict=True))
                left, right = crop.column_span
                cells = [changed[y] if y in changed else self._lines[y].crop(left, right) for y in crop.line_range]
            return cells
        rest = Style(bgcolor=base.bgcolor)
        painted = [self.render_line(y).adjust_cell_length(width, rest) for y in missing]
        self._lines.update(zip(missing, self._filtered(painted, filters), strict=True))
        strips = [self._lines[y] for y in crop.line_range]
        if crop.column_span != (0, width):
            strips = [strip.crop(*crop.column_span) for strip in strips]
        return strips

    def _filtered(self, strips: list[Strip], filters: Sequence[LineFilter]) -> list[Strip]:
        if filters and strips:
            # Depends on all parents, so it is not computed for each line.
            ground = self.background_colors[1]
            for line_filter in filters:
                strips = [strip.apply_filter(line_filter, ground) for strip in strips]
        return strips

    def render_part(self, lines: Sequence[int], x: int, width: int) -> list[Strip] | None:
        """Return `width` cells from `x` on of each line, where this is less work than painting the lines."""
        return None


class HalfCells(ScrollBarRender):
    """A scrollbar with ends on half cells. Textual's eighths are not in every font."""

    VERTICAL_BARS: ClassVar[list[str]] = ["▄", " "]
    HORIZONTAL_BARS: ClassVar[list[str]] = ["▌", " "]


ScrollBar.renderer = HalfCells


class LineBar(ScrollBar):
    """The vertical scrollbar of a line view.

    Each record's detail has another length, for which Textual paints the whole bar, although two lines differ.
    """

    def __init__(self, name: str | None = None, *, thickness: int = 1) -> None:
        super().__init__(vertical=True, name=name, thickness=thickness)
        self._drawn: list[Strip] = []
        self._drawn_as: object = None

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        """Paint the changed lines."""
        width, height = self.outer_size
        if regions or layout or recompose or not repaint or not height or not self.is_attached:
            return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)
        before, drawn = self._drawn, self._bar(width, height)
        if len(drawn) != len(before):
            return super().refresh()
        differing = [Region(0, y, width, 1) for y, strip in enumerate(drawn) if strip != before[y]]
        return super().refresh(*differing) if differing else self

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return the lines of the bar."""
        width, height = self.outer_size
        # A layout may give it lines before it hears of its new size.
        return self._bar(width, max(height, crop.bottom))[crop.y : crop.bottom]

    def _bar(self, width: int, height: int) -> list[Strip]:
        """Return all lines of the bar; computed only if its shape or colours changed."""
        shape = cast("ScrollBarRender", self.render())
        base, filters = self.visual_style.rich_style, self.get_line_filters()
        sizes = shape.virtual_size, shape.window_size, shape.position
        drawn_as = width, height, sizes, str(shape.style), base, tuple(filters)
        if drawn_as == self._drawn_as:
            return self._drawn
        style = shape.style if isinstance(shape.style, Style) else Style.parse(shape.style)
        assert style.color is not None
        assert style.bgcolor is not None
        bar = shape.render_bar(
            size=height,
            virtual_size=shape.virtual_size,
            window_size=shape.window_size,
            position=shape.position,
            thickness=width,
            back_color=style.bgcolor,
            bar_color=style.color,
        )
        ground = self.background_colors[1]
        strips: dict[Segment, Strip] = {}
        for segment in bar.segments:
            # There are at most four different ones, on as many lines as the screen has.
            if segment not in strips:
                strip = Strip([Segment(segment.text, base + segment.style)], width)
                for line_filter in filters:
                    strip = strip.apply_filter(line_filter, ground)
                strips[segment] = strip
        self._drawn_as, self._drawn = drawn_as, [strips[segment] for segment in bar.segments]
        return self._drawn
