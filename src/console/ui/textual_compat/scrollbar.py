"""Scrollbars of a class of our own, and content whose length changes without a layout of the screen.

Needs the attribute in which a widget keeps its vertical scrollbar, and the method that updates the scrollbars. Without
them, Textual's scrollbar is used, and setting `virtual_size` lays out the screen.
"""

from __future__ import annotations

from typing import Any, cast

from textual.app import App
from textual.geometry import Size
from textual.reactive import Reactive
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBar

from console.ui.textual_compat.pieces import has, takes, works
from console.ui.widgets.theme import app_of


def check() -> None:
    """Raise Gone if scrollbars are kept or updated in another way."""
    has(ScrollView, "_vertical_scrollbar", "virtual_size")
    takes(ScrollView, "_scroll_update", "virtual_size")
    takes(App, "_start_widget", "parent", "widget")


class OwnScrollbar(ScrollView):
    """A widget that makes its vertical scrollbar itself."""

    def new_scrollbar(self) -> ScrollBar:
        """Return a new vertical scrollbar."""
        raise NotImplementedError  # A widget class cannot be abstract too.

    @property
    def vertical_scrollbar(self) -> ScrollBar:
        """The scrollbar."""
        if not works("scrollbar"):
            return super().vertical_scrollbar
        if self._vertical_scrollbar is None:
            self._vertical_scrollbar = self.new_scrollbar()
            self._vertical_scrollbar.display = False
            app: Any = app_of(self)
            app._start_widget(self, self._vertical_scrollbar)
        return self._vertical_scrollbar

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Tell also a hidden scrollbar where the content is: it would have its old place when it is shown again."""
        super().watch_scroll_y(old_value, new_value)
        if works("scrollbar") and self._vertical_scrollbar is not None:
            self._vertical_scrollbar.position = new_value

    def resize_content(self, size: Size) -> None:
        """Set the scrollable size.

        Setting `virtual_size` makes Textual lay out and paint the whole screen: two thirds of the cost of a key that
        moves the cursor to another record, whose detail has another length. Only a scrollbar that appears or disappears
        requires that, and requests it itself.
        """
        if not works("scrollbar"):
            self.virtual_size = size
        elif size != self.virtual_size:
            self.set_reactive(cast("Reactive[Size]", ScrollView.virtual_size), size)
            self._scroll_update(size)
