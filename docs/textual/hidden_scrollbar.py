"""A scrollbar that was hidden is shown with the place that it had before."""

from __future__ import annotations

import asyncio

from textual.app import App, ComposeResult
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip


class Content(ScrollView):
    """A content of some lines."""

    DEFAULT_CSS = "Content { width: 1fr; height: 20; }"

    def render_line(self, y: int) -> Strip:
        """Return an empty line."""
        return Strip.blank(self.size.width)


class Scrolled(App[None]):
    """A content."""

    def compose(self) -> ComposeResult:
        """Create the widget."""
        yield Content()


async def main() -> None:
    """Scroll down, and print where content and bar are when the content was short for a while."""
    app = Scrolled()
    async with app.run_test(size=(80, 24)) as pilot:
        content = app.query_one(Content)
        content.virtual_size = Size(80, 200)
        await pilot.pause()
        content.scroll_to(y=50, animate=False)
        await pilot.pause()
        for lines in (5, 200):
            content.virtual_size = Size(80, lines)
            await pilot.pause()
    print(f"the content is at {content.scroll_y:.0f}, its scrollbar at {content.vertical_scrollbar.position:.0f}")


asyncio.run(main())
