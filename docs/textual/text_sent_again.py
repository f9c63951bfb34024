"""Text before a changed part of a line is sent again."""

from rich.segment import Segment
from textual.app import App, ComposeResult
from textual.drivers.headless_driver import HeadlessDriver
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

sent: list[str] = []


class Recorded(HeadlessDriver):
    """A driver that records the output."""

    @property
    def is_headless(self) -> bool:
        """Whether nothing is to be written."""
        return False

    def write(self, data: str) -> None:
        """Record the output."""
        sent.append(data)


class Line(Widget):
    """A line of letters."""

    def render_line(self, y: int) -> Strip:
        """Return the line."""
        return Strip([Segment("abc" * 20)])


class OneLine(App[None]):
    """Refreshes two cells in the middle of a line, and exits."""

    def compose(self) -> ComposeResult:
        """Create the line."""
        yield Line()

    def on_ready(self) -> None:
        """Wait for the first frame."""
        self.call_after_refresh(self.change)

    def change(self) -> None:
        """Refresh the cells."""
        sent.clear()
        self.query_one(Line).refresh(Region(50, 0, 2, 1))
        self.call_after_refresh(self.exit)


OneLine(driver_class=Recorded).run()
print(f"letters sent for 2 changed cells: {sum(''.join(sent).count(letter) for letter in 'abc')}")
