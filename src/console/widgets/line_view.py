"""What scrolls and draws its own lines: its length may change without the screen being laid out anew."""

from __future__ import annotations

from typing import cast

from textual.geometry import Size
from textual.reactive import Reactive
from textual.scroll_view import ScrollView


class LineView(ScrollView):
    """The base of widgets that own lines instead of other widgets, in a place that does not depend on how many."""

    def resize_content(self, size: Size) -> None:
        """Say how much there is to scroll through.

        Textual lays out the whole screen, and paints it, when `virtual_size` is set: two thirds of what a key cost that
        brings the cursor to another record, whose detail has another length. Only a scrollbar that comes or goes needs
        that, and asks for it by itself.
        """
        if size != self.virtual_size:
            self.set_reactive(cast("Reactive[Size]", LineView.virtual_size), size)
            self._scroll_update(size)
