"""Widgets that are covered completely are composed, also for lines that have not changed."""

import asyncio

from textual.app import App, ComposeResult
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget


class Counted(Widget):
    """Counts the lines that it is asked for."""

    asked = 0

    def render_lines(self, crop: Region) -> list[Strip]:
        """Count, and return the lines."""
        self.asked += crop.height
        return super().render_lines(crop)


class Covered(App[None]):
    """A widget in front of 20 others, of which it leaves nothing visible."""

    CSS = """
    Screen { layers: below above; }
    .below { layer: below; width: 4; height: 100%; dock: left; }
    #front { layer: above; width: 100%; height: 100%; dock: left; }
    """

    def compose(self) -> ComposeResult:
        """Create the widgets."""
        for _ in range(20):
            yield Counted(classes="below")
        yield Counted(id="front")


async def main() -> None:
    """Print how many lines are asked for when the first and the last line of the front change."""
    app = Covered()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        front, below = app.query_one("#front", Counted), app.query(".below").results(Counted)
        for each in app.query(Counted):
            each.asked = 0
        front.refresh(Region(0, 0, 80, 1), Region(0, 23, 80, 1))
        await pilot.pause()
        print(f"lines: {front.asked} of the front, {sum(each.asked for each in below)} of covered widgets")


asyncio.run(main())
