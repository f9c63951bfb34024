"""A scrollbar that paints only changed lines."""

from __future__ import annotations

from typing import ClassVar, Self, cast

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region
from textual.scrollbar import ScrollBar, ScrollBarRender
from textual.strip import Strip


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
