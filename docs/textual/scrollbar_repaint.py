"""A scrollbar, and the whole screen, are painted when the length of the scrolled content changes."""

import asyncio

from textual.app import App, ComposeResult
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBar
from textual.strip import Strip
from textual.widget import Widget

painted = {"bar": 0, "content": 0, "other": 0}


stock = ScrollBar.render_lines


def counted(bar: ScrollBar, crop: Region) -> list[Strip]:
    """Count and return the lines of a bar."""
    painted["bar"] += crop.height
    return stock(bar, crop)


class Content(ScrollView):
    """A content of some lines."""

    DEFAULT_CSS = "Content { width: 1fr; height: 20; }"

    def render_line(self, y: int) -> Strip:
        """Return an empty line."""
        painted["content"] += 1
        return Strip.blank(self.size.width)


class Other(Widget):
    """A widget that has nothing to do with it."""

    DEFAULT_CSS = "Other { height: 4; }"

    def render_line(self, y: int) -> Strip:
        """Return an empty line."""
        painted["other"] += 1
        return Strip.blank(self.size.width)


class Scrolled(App[None]):
    """A content and another widget."""

    def compose(self) -> ComposeResult:
        """Create the widgets."""
        yield Content()
        yield Other()


async def main() -> None:
    """Print how many lines are painted when the content grows from 200 to 201 lines."""
    ScrollBar.render_lines = counted
    app = Scrolled()
    async with app.run_test(size=(80, 24)) as pilot:
        content = app.query_one(Content)
        content.virtual_size = Size(80, 200)
        await pilot.pause()
        painted.update(bar=0, content=0, other=0)
        content.virtual_size = Size(80, 201)
        await pilot.pause()
    print(f"painted lines: {', '.join(f'{many} of the {name}' for name, many in painted.items())}")


asyncio.run(main())
