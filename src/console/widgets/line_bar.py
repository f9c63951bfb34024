"""A scrollbar that paints what differs, not all of it."""

from __future__ import annotations

from typing import Self, cast

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region
from textual.scrollbar import ScrollBar, ScrollBarRender
from textual.strip import Strip


class LineBar(ScrollBar):
    """The scrollbar at the right of lines.

    A detail has another length for every record. Textual's bar is painted from top to bottom then, as many lines as
    the detail itself, of which two differ.
    """

    def __init__(self, name: str | None = None, *, thickness: int = 1) -> None:
        super().__init__(vertical=True, name=name, thickness=thickness)
        self._drawn: list[Strip] = []

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        """Paint the lines that differ from what stands there."""
        width, height = self.outer_size
        if regions or layout or recompose or not repaint or not height or not self.is_attached:
            return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)
        drawn = self._bar(width, height)
        if len(drawn) != len(self._drawn):
            self._drawn = drawn
            return super().refresh()
        differing = [Region(0, y, width, 1) for y, strip in enumerate(drawn) if strip != self._drawn[y]]
        self._drawn = drawn
        return super().refresh(*differing) if differing else self

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return the bar as it was worked out last."""
        width, height = self.outer_size
        if len(self._drawn) != height:
            self._drawn = self._bar(width, height)
        return self._drawn[crop.y : crop.bottom]

    def _bar(self, width: int, height: int) -> list[Strip]:
        shape = cast("ScrollBarRender", self.render())
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
        base, ground = self.visual_style.rich_style, self.background_colors[1]
        strips = [Strip([Segment(each.text, base + each.style)], width) for each in bar.segments]
        for each in self.get_line_filters():
            strips = [strip.apply_filter(each, ground) for strip in strips]
        return strips
